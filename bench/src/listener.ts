import { createServer, type ServerResponse } from 'node:http'
import { monotonicMs } from './monotonic.ts'
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

/** A process of its own that acknowledges notifications at once and tells when they came. It checks nothing. */
let arrivals: Arrival[] = []
let timed: Timed[] = []
let unwell: ListenerOrder['unwell'] = 'well'

const well = listen((notificationId, resourceId, receivedAtMs, path, response) => {
  response.writeHead(200, { 'content-length': '0' }).end()
  if (path === '/timed') timed.push([notificationId, resourceId, receivedAtMs])
  else arrivals.push([resourceId, receivedAtMs])
})
const other = listen((notificationId, resourceId, receivedAtMs, _path, response) => {
  if (unwell === 'hangs') return
  response.writeHead(unwell === 'fails' ? 500 : 200, { 'content-length': '0' }).end()
  if (unwell === 'well') timed.push([notificationId, resourceId, receivedAtMs])
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

type Answer = (
  notificationId: string,
  resourceId: string,
  receivedAtMs: number,
  path: string | undefined,
  response: ServerResponse,
) => void

/** Returns where. */
function listen(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    const receivedAtMs = monotonicMs()
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { id, resourceId } = JSON.parse(Buffer.concat(chunks).toString())
      answer(id, resourceId, receivedAtMs, request.url, response)
    })
    // The service gave up what hangs.
    request.on('error', () => {})
  })
  // Longer than any pause between two scenarios: a connection that the listener closes is no part of the measurement.
  server.keepAliveTimeout = 120_000
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
