import { isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { type AllowedNetworks, mayDial } from './addresses.ts'
import { dialFirst } from './dial.ts'
import { DialFailure, dialFailure } from './failure.ts'
import { stopFloods } from './flood.ts'
import type { Resolve } from './resolve.ts'

export interface ConnectorOptions {
  readonly allowedNetworks: AllowedNetworks
  readonly resolve: Resolve
  /** Limit for DNS, TCP and TLS together. */
  readonly timeoutMs: number
  /** PEM. Trusted instead of the well-known authorities. */
  readonly trustedCertificates?: string
}

/**
 * Connects undici to checked addresses only. Each dial resolves the name once and dials only the checked addresses, so
 * a second resolution cannot return a private address (DNS rebinding). One private address rejects the whole name,
 * because public and private addresses under one name indicate an attack.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { timeoutMs, trustedCertificates } = options
  const overTls = buildConnector({
    // With HTTP/2 all attempts to an origin would share one connection, and an abort would end all of them.
    allowH2: false,
    timeout: timeoutMs,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable verification.
    rejectUnauthorized: true,
    ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
  })

  async function connect(target: buildConnector.Options, signal: AbortSignal): Promise<Socket> {
    const isTls = target.protocol === 'https:'
    const addresses = await checkedAddresses(target.hostname, options)
    const socket = await dialFirst(addresses, Number(target.port || (isTls ? 443 : 80)), signal)
    signal.addEventListener('abort', () => socket.destroy())
    if (!isTls) return stopFloods(socket)
    const servername = serverName(target.hostname)
    return stopFloods(await secure(overTls, { ...target, servername, httpSocket: socket }), socket)
  }

  return (target, callback) => {
    within(timeoutMs, signal => connect(target, signal)).then(
      socket => callback(null, socket),
      error => callback(dialFailure(error, target.protocol), null),
    )
  }
}

/** Aborts at the deadline. Data that arrived in time is read first, because Node runs timers before sockets. */
function within(timeoutMs: number, begin: (signal: AbortSignal) => Promise<Socket>): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const controller = new AbortController()
  let late: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    late = setImmediate(() => {
      const failure = new DialFailure('timeout', `no connection within ${timeoutMs} ms`)
      reject(failure)
      controller.abort(failure)
    })
  }, timeoutMs)
  begin(controller.signal)
    .then(resolve, reject)
    .finally(() => {
      clearTimeout(timer)
      clearImmediate(late)
    })
  return promise
}

function secure(overTls: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    overTls(target, (...[error, socket]) => (error === null ? resolve(socket) : reject(error)))
  })
}

/** A literal address needs no lookup: the URL parser has already normalized decimal, hexadecimal and octal forms. */
async function checkedAddresses(
  hostname: string,
  { resolve, allowedNetworks }: ConnectorOptions,
): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await resolve(hostname).catch(unresolved(hostname)) : [hostname]
  const forbidden = addresses.find(address => !mayDial(address, allowedNetworks))
  if (forbidden !== undefined) {
    const message = `${hostname} resolves to ${forbidden}: the address is neither public nor allowed`
    throw new DialFailure('private_address', message)
  }
  if (addresses.length === 0) throw new DialFailure('dns', `${hostname} has no address`)
  return addresses
}

function unresolved(hostname: string): (error: unknown) => never {
  return error => {
    throw new DialFailure('dns', `${hostname} could not be resolved`, error)
  }
}

/** The certificate must match the URL's host, not the Host header. SNI allows no addresses and no trailing dot. */
function serverName(hostname: string): string {
  return isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : ''
}
