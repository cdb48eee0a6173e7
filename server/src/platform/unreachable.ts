/** A payment gateway cannot be reached or rejects our credentials. The call was not declined and may be repeated. */
export class GatewayUnreachable extends Error {
  override name = 'GatewayUnreachable'
}
