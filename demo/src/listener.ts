import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { isSignatureValid } from './signature.ts'

/** A received POST, as the listener reports it to its parent process. */
export interface Receipt {
  readonly id: string
  readonly eventType: string
  readonly resourceId: string
  /** The event's instant in the merchant's time. */
  readonly createdAt: string
  /** 1 for the first POST of this id. */
  readonly attempt: number
  readonly signatureValid: boolean
  /** The listener's response status. */
  readonly status: number
  readonly receivedAt: string
}

export type ListenerMessage = { readonly url: string } | { readonly receipt: Receipt }

/** Ten times the size of a notification. */
const MAX_BODY_BYTES = 16_384

/** A separate process, like the backend of an app: the listener knows the hook's secret and nothing of the service. */
const [{ secret }] = (await once(process, 'message')) as [{ secret: string }]
process.once('disconnect', () => process.exit())

const attempts = new Map<string, number>()

const server = createServer(async (request, response) => {
  const body = await readBody(request)
  const notification = body && parse(body)
  if (!notification) {
    response.writeHead(400).end()
    return
  }
  const { id, eventType, resourceId, createdAt } = notification
  // The listener rejects the first delivery, so that the story shows a retry.
  const status = attempts.size === 0 ? 500 : 200
  const attempt = (attempts.get(id) ?? 0) + 1
  attempts.set(id, attempt)
  const signatureValid = isSignatureValid(body, secret, header(request, 'service-webhook-signature'))
  const receivedAt = new Date().toISOString()
  report({ receipt: { id, eventType, resourceId, createdAt, attempt, signatureValid, status, receivedAt } })
  response.writeHead(status).end()
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') report({ url: `http://127.0.0.1:${address.port}/webhooks` })
})

/** Null if the body is too large or the sender disconnects. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      length += chunk.length
      if (length > MAX_BODY_BYTES) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}

function parse(body: Buffer): Pick<Receipt, 'id' | 'eventType' | 'resourceId' | 'createdAt'> | null {
  try {
    const { id, eventType, resourceId, createdAt } = JSON.parse(body.toString('utf8'))
    const complete = [id, eventType, resourceId, createdAt].every(field => typeof field === 'string')
    return complete ? { id, eventType, resourceId, createdAt } : null
  } catch {
    return null
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function report(message: ListenerMessage): void {
  process.send?.(message)
}
