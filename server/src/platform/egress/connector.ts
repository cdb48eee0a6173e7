import { connect, isIP, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { type AllowedNetworks, mayDial } from './addresses.ts'
import { DialFailure, dialFailure } from './failure.ts'
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

/**
 * The longest response that is read to its end takes 240 KiB: 16 KiB of headers of one byte each, and 32 KiB of body in chunks of one byte each.
 * No other limit bounds early hints, chunk extensions, reason phrases and blank lines.
 */
const BYTES_OF_AN_ANSWER = 256 * 1024

/**
 * Closes a connection that receives more than a response can have since the last write. With TLS, `bytesOf` is the socket below, so TLS's
 * own bytes count too.
 */
function stopFloods(socket: Socket, bytesOf = socket): Socket {
  let written = socket.bytesWritten
  let atRequest = bytesOf.bytesRead
  let seen = atRequest
  // The first `readable` listener: undici reads in the next one, so undici has consumed nothing yet.
  socket.on('readable', () => {
    if (written !== socket.bytesWritten) {
      written = socket.bytesWritten
      atRequest = seen
    }
    seen = bytesOf.bytesRead
    if (seen - atRequest > BYTES_OF_AN_ANSWER) socket.destroy(new Error('more comes than an answer can have'))
  })
  return socket
}

/** RFC 8305, 5: the recommended "Connection Attempt Delay". */
const NEXT_AFTER_MS = 250
/** Two of each family, the last within a second. A name may have thousands, and each takes a socket. */
const ADDRESSES_AT_MOST = 4
/** The same value as undici's own connections. */
const PROBED_AFTER_MS = 60_000

/**
 * Connects to the first address that answers. Each address has until `signal` aborts: a slow address keeps its attempt, because the next
 * address may be unreachable. Later connections are closed. If all addresses fail, rejects with the first failure.
 */
function dialFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const waiting = inTurn(addresses).slice(0, ADDRESSES_AT_MOST)
  const underWay = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  let failure: Error | undefined

  function dialNext(): void {
    clearTimeout(timer)
    const host = waiting.shift()
    if (host === undefined) return
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: PROBED_AFTER_MS })
    underWay.add(socket)
    socket.once('connect', () => {
      underWay.delete(socket)
      resolve(socket)
      stop()
    })
    socket.on('error', error => {
      if (!underWay.delete(socket)) return
      failure ??= error
      dialNext()
      if (underWay.size === 0) fail(failure)
    })
    if (waiting.length > 0) timer = setTimeout(dialNext, NEXT_AFTER_MS)
  }

  const giveUp = () => fail(signal.reason)

  function fail(error: Error): void {
    reject(error)
    stop()
  }

  function stop(): void {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    for (const socket of underWay) socket.destroy()
    underWay.clear()
    waiting.length = 0
  }

  signal.addEventListener('abort', giveUp)
  if (signal.aborted) giveUp()
  else dialNext()
  return promise
}

/** Alternates address families, IPv4 first, so that dead addresses of one family do not delay the other. */
function inTurn(addresses: readonly string[]): string[] {
  const four = addresses.filter(address => isIP(address) === 4)
  const six = addresses.filter(address => isIP(address) === 6)
  return addresses.flatMap((_, at) => [...four.slice(at, at + 1), ...six.slice(at, at + 1)])
}
