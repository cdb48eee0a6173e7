import type { Notification } from './contract.ts'

export type WebhookEvent = Notification
export type WebhookEventType = Notification['eventType']

export type WebhookErrorCode = 'BODY_PARSED' | 'HEADER_MISSING' | 'TOO_OLD' | 'BAD_SIGNATURE' | 'BAD_BODY'

/** The webhook is not genuine, or the listener passed something else than the received bytes. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The endpoint's secret as registered. While you change it: the new and the old one. */
  readonly secret: string | readonly string[]
  /** How far the webhook's timestamp may be from this clock. By default 300 seconds. */
  readonly toleranceSeconds?: number
  /**
   * `standard` checks `webhook-signature` with its timestamp. `original` checks `Service-Webhook-Signature`, an HMAC-SHA1 without a
   * timestamp, for listeners that cannot change: a captured webhook can be replayed.
   */
  readonly scheme?: 'standard' | 'original'
}

const BAD_SIGNATURE =
  'the signature does not match. Check the secret, and pass the body as received: a body that was parsed and serialised again has other bytes'

/** Verifies a webhook and returns its event. `body` is the request body as received, before JSON parsing. */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  { secret, toleranceSeconds = 300, scheme = 'standard' }: VerifyOptions,
): Promise<WebhookEvent> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new WebhookError(
      'BODY_PARSED',
      'the body was already parsed. Pass the raw body: in Express, use express.raw({ type: "application/json" }) on this route',
    )
  }
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('verifyWebhook: the secret is empty')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const isGenuine =
    scheme === 'original'
      ? await matches('SHA-1', secrets.map(utf8), [headerOf(headers, 'service-webhook-signature')], bytes)
      : await isStandard(bytes, headers, secrets, toleranceSeconds)
  if (!isGenuine) throw new WebhookError('BAD_SIGNATURE', BAD_SIGNATURE)
  const event = parse(new TextDecoder().decode(bytes))
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new WebhookError('BAD_BODY', 'the body is not a JSON object')
  }
  return event as WebhookEvent
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The headers of a webhook that `verifyWebhook` accepts, for tests of your listener. `id` is the event's id. */
export async function signWebhook(
  body: string,
  { secret, id = String(JSON.parse(body).id) }: { readonly secret: string; readonly id?: string },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signatures = keysOf(secret).map(key => sign('SHA-256', key, `${id}.${timestamp}.${body}`))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).map(signature => `v1,${signature}`).join(' '),
    'service-webhook-signature': await sign('SHA-1', utf8(secret), body),
  }
}

async function sign(hash: string, secret: Uint8Array, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', view(secret), { name: 'HMAC', hash }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, view(utf8(text)))
  return btoa(String.fromCharCode(...new Uint8Array(signature)))
}

async function isStandard(body: Uint8Array, headers: HeaderSource, secrets: readonly string[], tolerance: number) {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const seconds = /^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN
  const age = Math.round(Date.now() / 1000 - seconds)
  if (!(Math.abs(age) <= tolerance)) {
    throw new WebhookError(
      'TOO_OLD',
      `webhook-timestamp is ${age} seconds before this clock; ${tolerance} are allowed. Check this machine's clock`,
    )
  }
  const prefix = utf8(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  const given = signatures.split(' ').flatMap(entry => (entry.startsWith('v1,') ? [entry.slice(3)] : []))
  return matches('SHA-256', secrets.flatMap(keysOf), given, signed)
}

/** Tillhook signs with the bytes of the secret, and with the decoded bytes of a `whsec_` secret. */
function keysOf(secret: string): Uint8Array[] {
  const decoded = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined
  return decoded && decoded.length > 0 ? [utf8(secret), decoded] : [utf8(secret)]
}

/** Compares in constant time: `subtle.verify` does. */
async function matches(hash: string, keys: readonly Uint8Array[], given: readonly string[], signed: Uint8Array) {
  const signatures = given.flatMap(text => fromBase64(text) ?? [])
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', view(bytes), { name: 'HMAC', hash }, false, ['verify'])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, view(signature), view(signed))) return true
    }
  }
  return false
}

function headerOf(headers: HeaderSource, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([field]) => field.toLowerCase() === name)?.[1]
  const text = Array.isArray(value) ? value[0] : value
  if (typeof text === 'string' && text !== '') return text
  throw new WebhookError('HEADER_MISSING', `the request has no ${name} header`)
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), char => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

function view(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}

export interface HandlerOptions extends VerifyOptions {
  /** Store the event and return: Tillhook waits 2 seconds. A thrown error is logged and answers 500, and Tillhook repeats the webhook. */
  readonly onEvent: (event: WebhookEvent) => unknown
}

/** For Next.js (`export const POST = webhookHandler(…)`), Hono (`c => handler(c.req.raw)`), Deno, Bun and Workers. */
export function webhookHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  return async request => {
    const { status, message } = await answer(new Uint8Array(await request.arrayBuffer()), request.headers, options)
    return new Response(message, { status })
  }
}

interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: unknown
}

interface NodeResponse {
  statusCode: number
  end(text?: string): unknown
}

/** For Express (`app.post('/webhooks', nodeWebhookHandler(…))`) and node:http. Mount before `express.json()`, or use `express.raw`. */
export function nodeWebhookHandler(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const body = request.body === undefined ? await collect(request) : request.body
    const { status, message } = await answer(body as Uint8Array, request.headers, options)
    response.statusCode = status
    response.end(message)
  }
}

interface FastifyLike {
  removeContentTypeParser(type: string): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (
      request: { body: unknown; headers: NodeRequest['headers'] },
      reply: { code(status: number): { send(text: string): unknown } },
    ) => Promise<unknown>,
  ): unknown
}

/** For Fastify: `app.register(fastifyWebhooks, { path: '/webhooks', secret, onEvent })`. Other routes keep their JSON parser. */
export async function fastifyWebhooks(
  fastify: object,
  options: HandlerOptions & { readonly path: string },
): Promise<void> {
  const app = fastify as FastifyLike
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  app.post(options.path, async (request, reply) => {
    const { status, message } = await answer(request.body as Uint8Array, request.headers, options)
    return reply.code(status).send(message)
  })
}

async function answer(body: Uint8Array, headers: HeaderSource, { onEvent, ...options }: HandlerOptions) {
  let event: WebhookEvent
  try {
    event = await verifyWebhook(body, headers, options)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { status: error.code === 'BODY_PARSED' ? 500 : 400, message: error.message }
  }
  try {
    await onEvent(event)
    return { status: 200, message: '' }
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the developer sees the error nowhere else.
    console.error('tillhook: the webhook listener failed', error)
    return { status: 500, message: 'the listener failed' }
  }
}

async function collect(request: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}
