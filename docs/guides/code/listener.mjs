import { createServer } from 'node:http'
import { verify } from './verify.mjs'

const { PORT = '3000', WEBHOOK_SECRET } = process.env
const seen = new Set()

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  try {
    const event = verify(body, request.headers, WEBHOOK_SECRET)
    // Deliveries arrive at least once: skip an id that was handled before.
    if (!seen.has(event.id)) {
      seen.add(event.id)
      console.log(`verified ${event.eventType} ${event.resourceId}`)
    }
    response.writeHead(200).end()
  } catch (error) {
    console.error(error.message)
    response.writeHead(400).end()
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}`))
