// A listener for Tillhook's webhooks. Start: WEBHOOK_SECRET=whsec_… node listener.ts (Node 22.18 or newer)
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

const { PORT = '3000', WEBHOOK_SECRET } = process.env
if (!WEBHOOK_SECRET) throw new Error('set WEBHOOK_SECRET: tillhook listen prints it')
const secret = WEBHOOK_SECRET
const TOLERANCE_SECONDS = 300
const seen = new Set<string>()

interface Event {
  readonly id: string
  readonly eventType: string
  readonly resourceId: string
}

/** `body` is the request body as received, before JSON parsing. */
function verify(body: Buffer, headers: IncomingHttpHeaders): Event {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) throw new Error('the webhook is too old')
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
  const isGenuine = String(signatures)
    .split(' ')
    .some(signature => {
      const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  if (!isGenuine) throw new Error('the signature does not match: check WEBHOOK_SECRET')
  return JSON.parse(body.toString())
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  try {
    const event = verify(body, request.headers)
    // Webhooks arrive at least once: skip an id that was handled before.
    if (!seen.has(event.id)) {
      seen.add(event.id)
      console.log(`verified ${event.eventType} ${event.resourceId}`)
    }
    response.writeHead(200).end()
  } catch (error) {
    console.error((error as Error).message)
    response.writeHead(400).end()
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}`))
