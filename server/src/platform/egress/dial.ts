import { connect, isIP, type Socket } from 'node:net'

/** RFC 8305, 5: the "Connection Attempt Delay" that it recommends. */
const NEXT_AFTER_MS = 250
/** Two of each family, the last within a second. A name may have thousands, and each takes a socket. */
const ADDRESSES_AT_MOST = 4
/** As undici's own connections have it. */
const PROBED_AFTER_MS = 60_000

/**
 * The first connection that one of these addresses makes. Each has until `signal` ends all: one that is slow is not given up for the next one,
 * which may have no way there at all. What comes second is closed. Fails with what came first, where all fail.
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

/** The families by turns, IPv4 first: many dead addresses of one leave the other its place. */
function inTurn(addresses: readonly string[]): string[] {
  const four = addresses.filter(address => isIP(address) === 4)
  const six = addresses.filter(address => isIP(address) === 6)
  return addresses.flatMap((_, at) => [...four.slice(at, at + 1), ...six.slice(at, at + 1)])
}
