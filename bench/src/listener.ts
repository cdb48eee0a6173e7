import { createServer } from 'node:net'
import { monotonicMs } from './monotonic.ts'
import { type Posted, readPosts } from './posts.ts'
import type { Timed } from './stream.ts'

/** A resource and when its first notification came, on the monotonic clock of the machine. */
export type Arrival = readonly [resourceId: string, receivedAtMs: number]

/** Where hooks are sent to. */
export interface ListenerUrls {
  /** Of orders. */
  readonly url: string
  /** Of resources whose ids carry their instant. */
  readonly timedUrl: string
  /** Of such, too, from a port of its own: it answers as it is told. */
  readonly unwellUrl: string
}

export type ListenerMessage = ListenerUrls | { readonly arrivals: readonly Arrival[]; readonly timed: readonly Timed[] }

/** How what is unwell answers from now on. What hangs has accepted the connection and the request. */
export type ListenerOrder = { readonly unwell: 'well' | 'hangs' | 'fails' }

/** Rare enough to cost nothing beside the deliveries. */
const REPORT_EVERY_MS = 100

/**
 * A process of its own that acknowledges notifications at once and tells when they came. It checks nothing, and takes as little as it
 * can of the processors that it shares with what is measured.
 */
let arrivals: Arrival[] = []
let timed: Timed[] = []
let unwell: ListenerOrder['unwell'] = 'well'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const FAILED = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'

const well = listen(({ notificationId, resourceId, path }, receivedAtMs) => {
  if (path === '/timed') timed.push([notificationId, resourceId, receivedAtMs])
  else arrivals.push([resourceId, receivedAtMs])
  return OK
})
const other = listen(({ notificationId, resourceId }, receivedAtMs) => {
  if (unwell === 'hangs') return ''
  if (unwell === 'fails') return FAILED
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
})
process.once('disconnect', () => process.exit())

const [url, unwellUrl] = await Promise.all([well, other])
tell({ url, timedUrl: `${url}timed`, unwellUrl })

/** What is answered; nothing: the other side waits. Returns where. */
function listen(answer: (posted: Posted, receivedAtMs: number) => string): Promise<string> {
  const server = createServer({ noDelay: true }, socket => {
    const read = readPosts()
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      const receivedAtMs = monotonicMs()
      for (const posted of read(text)) {
        const answered = answer(posted, receivedAtMs)
        if (answered !== '') socket.write(answered, 'latin1')
      }
    })
    // The service gave up what hangs.
    socket.on('error', () => {})
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      resolve(`http://127.0.0.1:${port}/`)
    })
  })
}

function tell(message: ListenerMessage): void {
  process.send?.(message)
}
