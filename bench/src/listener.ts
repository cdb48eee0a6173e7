import { createServer } from 'node:http'
import { monotonicMs } from './monotonic.ts'

/** A resource and when its first notification came, on the monotonic clock of the machine. */
export type Arrival = readonly [resourceId: string, receivedAtMs: number]

export type ListenerMessage = { readonly url: string } | { readonly arrivals: readonly Arrival[] }

/** Rare enough to cost nothing beside the deliveries. */
const REPORT_EVERY_MS = 100

/** A process of its own that acknowledges every notification at once and tells when it came. It checks nothing. */
let arrivals: Arrival[] = []

const server = createServer((request, response) => {
  const receivedAtMs = monotonicMs()
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    response.writeHead(200, { 'content-length': '0' }).end()
    const { resourceId } = JSON.parse(Buffer.concat(chunks).toString())
    arrivals.push([resourceId, receivedAtMs])
  })
})
// Longer than any pause between two scenarios: a connection that the listener closes is no part of the measurement.
server.keepAliveTimeout = 120_000

setInterval(() => {
  if (arrivals.length === 0) return
  tell({ arrivals })
  arrivals = []
}, REPORT_EVERY_MS)

process.once('disconnect', () => process.exit())

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') tell({ url: `http://127.0.0.1:${address.port}/` })
})

function tell(message: ListenerMessage): void {
  process.send?.(message)
}
