import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { monotonicMs } from './monotonic.ts'
import { type Posted, readPosts } from './posts.ts'
import type { Timed } from './stream.ts'

/** A resource and when its first notification came, on the monotonic clock of the machine. */
export type Arrival = readonly [resourceId: string, receivedAtMs: number]

/** The endpoints of the listener. */
export interface ListenerUrls {
  /** Of orders. */
  readonly url: string
  /** Receives notifications whose resource ids contain an instant. */
  readonly timedUrl: string
  /** The same on a port of its own, with configurable failures. */
  readonly unwellUrl: string
}

export type ListenerMessage = ListenerUrls | { readonly arrivals: readonly Arrival[]; readonly timed: readonly Timed[] }

/** How what is unwell answers from now on. */
export type ListenerOrder = { readonly unwell: 'well' | Illness }

/** A hanging endpoint accepts the connection and the request. An endpoint that drips its body has acknowledged. */
export type Illness = 'hangs' | 'fails' | 'answers late' | 'drips its head' | 'drips its body' | 'refuses' | 'resets'

/** Rare enough to cost nothing beside the deliveries. */
const REPORT_EVERY_MS = 100

/**
 * A process of its own that acknowledges notifications at once and tells when they came. It checks nothing, and takes as little as it
 * can of the processors that it shares with what is measured.
 */
let arrivals: Arrival[] = []
let timed: Timed[] = []
let unwell: ListenerOrder['unwell'] = 'well'

const HOST = '127.0.0.1'
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const FAILED = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'
/** An answer may take 2 s. */
const LATE_MS = 1_500
const DRIP_EVERY_MS = 100

/** The bytes that the endpoint sends at once, or none. */
const fallIll: Readonly<Record<Illness, (socket: Socket) => string | undefined>> = {
  hangs: () => undefined,
  fails: () => FAILED,
  'answers late': socket => void setTimeout(() => socket.write(OK), LATE_MS),
  'drips its head': socket => drip(socket, 'HTTP/1.1 200 OK\r\nx-dripped: ', 'x'),
  'drips its body': socket => drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
  // Over connections that are open yet. There are no new ones.
  refuses: socket => void socket.resetAndDestroy(),
  resets: socket => void socket.resetAndDestroy(),
}

const well = await listen(({ notificationId, resourceId, path }, receivedAtMs) => {
  if (path === '/timed') timed.push([notificationId, resourceId, receivedAtMs])
  else arrivals.push([resourceId, receivedAtMs])
  return OK
})
const other = await listen(({ notificationId, resourceId }, receivedAtMs, socket) => {
  if (unwell !== 'well') return fallIll[unwell](socket)
  timed.push([notificationId, resourceId, receivedAtMs])
  return OK
})

setInterval(() => {
  if (arrivals.length === 0 && timed.length === 0) return
  tell({ arrivals, timed })
  arrivals = []
  timed = []
}, REPORT_EVERY_MS)

process.on('message', (order: ListenerOrder) => {
  unwell = order.unwell
  if (unwell === 'refuses') other.server.close()
  else if (!other.server.listening) other.server.listen(other.port, HOST)
})
process.once('disconnect', () => process.exit())

tell({ url: urlOf(well), timedUrl: `${urlOf(well)}timed`, unwellUrl: urlOf(other) })

interface Listening {
  readonly server: Server
  readonly port: number
}

/** Answers with what is returned; with nothing, the other side waits. */
async function listen(
  answer: (posted: Posted, receivedAtMs: number, socket: Socket) => string | undefined,
): Promise<Listening> {
  const server = createServer({ noDelay: true }, socket => {
    const read = readPosts()
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      const receivedAtMs = monotonicMs()
      for (const posted of read(text)) {
        const answered = answer(posted, receivedAtMs, socket)
        if (answered !== undefined) socket.write(answered, 'latin1')
      }
    })
    // The service gave up what hangs.
    socket.on('error', () => {})
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  return { server, port: address !== null && typeof address === 'object' ? address.port : 0 }
}

function urlOf({ port }: Listening): string {
  return `http://${HOST}:${port}/`
}

/** A byte at a time, until the other side has had enough. */
function drip(socket: Socket, first: string, then: string): undefined {
  socket.write(first)
  const timer = setInterval(() => socket.write(then), DRIP_EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}

function tell(message: ListenerMessage): void {
  process.send?.(message)
}
