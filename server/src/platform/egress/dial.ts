import { connect, isIP, type Socket } from 'node:net'

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
export function dialFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
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
