import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AllowedNetworks, mayDial } from './addresses.ts'
import { DialFailure, dialFailure } from './failure.ts'
import type { Resolve } from './resolve.ts'

export interface ConnectorOptions {
  readonly allowedNetworks: AllowedNetworks
  readonly resolve: Resolve
  /** For name, connection and TLS together. */
  readonly timeoutMs: number
  /** PEM. Trusted instead of the well-known authorities. */
  readonly trustedCertificates?: string
}

/**
 * Connects undici to checked addresses only. The name is resolved as part of each dial, and the socket is given nothing
 * but the answers that were checked: no second resolution could differ. One answer that may not be dialled refuses all,
 * since a name that mixes public and private is no accident.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const dial = buildConnector({
    lookup: checkedLookup(options),
    autoSelectFamily: true,
    // Against HTTP/2 all attempts to an origin would share one connection, and one abort their fate.
    allowH2: false,
    timeout: options.timeoutMs,
    // Said here so that NODE_TLS_REJECT_UNAUTHORIZED cannot unsay it.
    rejectUnauthorized: true,
    ...(options.trustedCertificates === undefined ? {} : { ca: options.trustedCertificates }),
  })
  return (target, callback) => {
    const { hostname, protocol } = target
    // A literal address skips the lookup. The URL parser has put decimal, hex and octal forms into the plain one.
    if (isIP(hostname) !== 0 && !mayDial(hostname, options.allowedNetworks)) {
      queueMicrotask(() => callback(privateAddress(hostname, hostname), null))
      return
    }
    dial({ ...target, servername: serverName(hostname) }, (...result) => {
      const [error, socket] = result
      if (error === null) callback(null, socket)
      else callback(dialFailure(error, protocol), null)
    })
  }
}

function checkedLookup({ resolve, allowedNetworks }: ConnectorOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      addresses => {
        const refused = addresses.find(address => !mayDial(address, allowedNetworks))
        if (refused !== undefined) return callback(privateAddress(hostname, refused), [])
        const [first] = addresses
        if (first === undefined) return callback(new DialFailure('dns', `${hostname} has no address`), [])
        if (all) callback(null, addresses.map(withFamily))
        else callback(null, first, isIP(first))
      },
      error => callback(new DialFailure('dns', `${hostname} could not be resolved`, error), []),
    )
  }
}

function privateAddress(hostname: string, address: string): DialFailure {
  return new DialFailure('private_address', `${hostname} is ${address}, which is not public and not allowed`)
}

/** The certificate must be for the URL's host, whatever a Host header says. SNI knows no addresses and no last dot. */
function serverName(hostname: string): string {
  return isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : ''
}

function withFamily(address: string): { address: string; family: number } {
  return { address, family: isIP(address) }
}
