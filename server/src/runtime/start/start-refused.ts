/** The service cannot start as it was asked to; the message says what was wrong and what to do. Exit 1, no stack. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}
