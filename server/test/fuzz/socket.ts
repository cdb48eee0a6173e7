import { connect, type Socket } from 'node:net'

/** The response exactly as received, without an HTTP client that repairs it. */
export interface Reply {
  readonly status: number
  /** By their names in small letters; of two by one name, the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** `closed`: without a word. `silent`: nothing for a while, as where the server waits for more. */
export type Outcome = Reply | 'closed' | 'silent'

export interface Connection {
  /** `isWhole`: the next request gets a connection of its own. */
  exchange(bytes: Buffer, options: { isWhole: boolean; withinMs: number }): Promise<Outcome>
  close(): void
}

/** Sends requests one after the other, on one connection while both sides keep it. */
export function openConnection(port: number): Connection {
  let socket: Socket | undefined
  const drop = () => {
    // A reset leaves no port waiting: a long run would use all of them up.
    socket?.resetAndDestroy()
    socket = undefined
  }
  return {
    close: drop,
    exchange: async (bytes, { isWhole, withinMs }) => {
      const current = socket ?? connect(port, '127.0.0.1').on('error', () => {})
      socket = current
      const outcome = await replyOn(current, bytes, withinMs)
      if (!isWhole || typeof outcome !== 'object' || !leavesNothing(outcome)) drop()
      return outcome
    },
  }
}

/** A response in chunks, as a stream of events, is read to the end of its headers only: the chunks still arrive. */
function leavesNothing({ headers }: Reply): boolean {
  return headers.connection !== 'close' && headers['transfer-encoding'] === undefined
}

function replyOn(socket: Socket, bytes: Buffer, withinMs: number): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let received = Buffer.alloc(0)
  const look = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    const reply = parse(received)
    if (reply !== null) resolve(reply)
  }
  const end = () => resolve('closed')
  const timer = setTimeout(() => resolve('silent'), withinMs)
  socket.on('data', look).on('close', end)
  if (socket.destroyed) end()
  else socket.write(bytes)
  return promise.finally(() => {
    clearTimeout(timer)
    socket.off('data', look).off('close', end)
  })
}

/** Null: incomplete. */
function parse(received: Buffer): Reply | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (status === 100) return parse(received.subarray(end + 4))
  const length = status === 204 ? 0 : Number(headers['content-length'])
  const body = received.subarray(end + 4)
  return body.length < length ? null : { status, headers, body: body.subarray(0, length) }
}
