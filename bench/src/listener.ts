import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { monotonicMs } from './monotonic.ts'
import { type Posted, readPosts } from './posts.ts'
import type { Timed } from './stream.ts'

/** A resource and the arrival of its first notification, on the machine's monotonic clock. */
export type Arrival = readonly [resourceId: string, receivedAtMs: number]

export interface ListenerUrls {
  /** Receives orders. */
  readonly url: string
  /** Receives notifications whose resource ids contain an instant. */
  readonly timedUrl: string
  /** Like `timedUrl`, on another port, with configurable failures. */
  readonly unwellUrl: string
}

export type ListenerMessage = ListenerUrls | { readonly arrivals: readonly Arrival[]; readonly timed: readonly Timed[] }

/** Sets the behaviour of the failing endpoint. */
export type ListenerCommand = { readonly unwell: 'well' | Illness }

/**
 * A hanging endpoint accepts the connection and the request, and never responds. An endpoint that drips its body has already acknowledged with
 * its status.
 */
export type Illness = 'hangs' | 'fails' | 'answers late' | 'drips its head' | 'drips its body' | 'refuses' | 'resets'

/** Rarely enough that reports cost little compared with deliveries. */
const REPORT_EVERY_MS = 100

/**
 * A separate process that acknowledges notifications at once and reports their arrivals. It checks nothing, to use as little processor
 * time as possible on the shared machine.
 */
let arrivals: Arrival[] = []
let timed: Timed[] = []
let unwell: ListenerCommand['unwell'] = 'well'

const HOST = '127.0.0.1'
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const FAILED = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'
/** Below the limit of 2 s for a response. */
const LATE_MS = 1_500
const DRIP_EVERY_MS = 100

/** Returns the bytes that the endpoint sends at once, or undefined. */
const fallIll: Readonly<Record<Illness, (socket: Socket) => string | undefined>> = {
  hangs: () => undefined,
  fails: () => FAILED,
  'answers late': socket => void setTimeout(() => socket.write(OK), LATE_MS),
  'drips its head': socket => drip(socket, 'HTTP/1.1 200 OK\r\nx-dripped: ', 'x'),
  'drips its body': socket => drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
  // For connections that are still open; new connections are refused.
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
  report({ arrivals, timed })
  arrivals = []
  timed = []
}, REPORT_EVERY_MS)

process.on('message', (command: ListenerCommand) => {
  unwell = command.unwell
  if (unwell === 'refuses') other.server.close()
  else if (!other.server.listening) other.server.listen(other.port, HOST)
})
process.once('disconnect', () => process.exit())

report({ url: urlOf(well), timedUrl: `${urlOf(well)}timed`, unwellUrl: urlOf(other) })

interface Listening {
  readonly server: Server
  readonly port: number
}

/** Sends the text that `answer` returns. If `answer` returns undefined, the client waits. */
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
    // The service closes a hanging connection.
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

/** Sends a byte at a time until the client closes the connection. */
function drip(socket: Socket, first: string, then: string): undefined {
  socket.write(first)
  const timer = setInterval(() => socket.write(then), DRIP_EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}

function report(message: ListenerMessage): void {
  process.send?.(message)
}
