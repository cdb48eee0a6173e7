import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { type Params, readForm } from './form.ts'
import { perform } from './routes.ts'
import { ApiError, invalid, type State, type Thing } from './state.ts'

/** What goes wrong with a call: `before` anything was done, or `after`, when only the answer is lost. */
export type Fault = 'closed before' | 'closed after' | '500 before' | '500 after' | 'silent after' | '429' | '409'

export interface FakeStripe {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly state: State
  /** Each request that was carried out or refused: `POST /v1/refunds`. */
  readonly calls: string[]
  /**
   * The next calls that match (`POST /v1/refunds`, or with what they send `POST /v1/refunds?amount=100`) go wrong; the SDK sends one
   * whose connection was closed once more by itself.
   */
  fail(call: RegExp, fault: Fault, times?: number): void
  /** Before the next call that matches is carried out, this happens. */
  meanwhile(call: RegExp, happens: () => Promise<unknown>): void
  /** Forgets its idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  /** As Stripe posts it. */
  sign(event: Thing): { payload: Buffer; headers: Record<string, string> }
  close(): Promise<void>
}

interface Kept {
  readonly request: string
  readonly answer: Answer
}

interface Answer {
  readonly status: number
  readonly body: Thing
  /** Kept from the first time. */
  readonly isReplayed?: true
}

/** Stripe's API on this machine, for the real SDK: it keeps state and keys, fails when told to, and signs its events. */
export async function startStripe({ now = () => new Date() }: { now?: () => Date } = {}): Promise<FakeStripe> {
  const state: State = { things: new Map(), events: [], now }
  const kept = new Map<string, Kept>()
  const faults: { call: RegExp; fault: Fault; left: number }[] = []
  const happenings: { call: RegExp; happens: () => Promise<unknown> }[] = []
  const calls: string[] = []
  const secretKey = 'sk_test_of_the_tests'
  const webhookSecret = 'whsec_of_the_tests'

  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const { pathname, search } = new URL(url, 'http://stripe.test')
    const body = await text(request)
    const call = `${method} ${pathname}`
    const isOf = (one: { call: RegExp }) => one.call.test(call) || one.call.test(`${call}?${body}`)
    const n = happenings.findIndex(isOf)
    if (n >= 0) await happenings.splice(n, 1)[0]?.happens()
    const fault = takeFault(isOf)
    if (fault === 'closed before') return void request.socket.destroy()
    if (fault === '429') return send(response, limited())
    if (fault === '409') return send(response, inProgress())
    const answer = answerTo(request, pathname, method === 'GET' ? search.slice(1) : body, fault)
    if (fault !== '500 before') calls.push(call)
    if (fault === 'closed after') return void request.socket.destroy()
    if (fault !== 'silent after') send(response, answer)
  })

  function takeFault(isOf: (fault: { call: RegExp }) => boolean): Fault | undefined {
    const found = faults.find(fault => fault.left > 0 && isOf(fault))
    if (found) found.left--
    return found?.fault
  }

  /** https://docs.stripe.com/api/idempotent_requests: the first answer again, errors and 500s too; other parameters are refused. */
  function answerTo({ headers, method = 'GET' }: IncomingMessage, path: string, form: string, fault?: Fault): Answer {
    if (headers.authorization !== `Bearer ${secretKey}`) return unauthorized()
    const key = method === 'POST' ? headers['idempotency-key'] : undefined
    const request = `${method} ${path} ${form}`
    const known = typeof key === 'string' ? kept.get(key) : undefined
    if (known) return known.request === request ? { ...known.answer, isReplayed: true } : otherRequest()
    const done = fault === '500 before' ? serverError() : carryOut(method, path, readForm(form))
    const answer = fault === '500 after' ? serverError() : done
    if (typeof key === 'string') kept.set(key, { request, answer: structuredClone(answer) })
    return answer
  }

  function carryOut(method: string, path: string, params: Params): Answer {
    try {
      const body = perform(state, method, path, params)
      if (body === null) throw invalid('url_invalid', `Unrecognized request URL (${method}: ${path})`)
      return { status: 200, body: structuredClone(body) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: { error: error.error } }
    }
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    webhookSecret,
    state,
    calls,
    fail: (call, fault, times = 1) => faults.push({ call, fault, left: times }),
    meanwhile: (call, happens) => happenings.push({ call, happens }),
    forgetKeys: () => kept.clear(),
    sign: event => {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(now().getTime() / 1000)
      const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp })
      return { payload: Buffer.from(payload), headers: { 'stripe-signature': header } }
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, { status, body, isReplayed }: Answer): void {
  const replayed = isReplayed ? { 'idempotent-replayed': 'true' } : {}
  const headers = { 'content-type': 'application/json', 'request-id': 'req_test', ...replayed }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

const failure = (status: number, type: string, message: string, code?: string): Answer => ({
  status,
  body: { error: { type, message, ...(code === undefined ? {} : { code }) } },
})
const serverError = () => failure(500, 'api_error', 'Something went wrong on our end.')
const limited = () => failure(429, 'invalid_request_error', 'Too many requests.', 'lock_timeout')
const inProgress = () =>
  failure(409, 'idempotency_error', 'A request with this key is in progress.', 'idempotency_key_in_use')
const unauthorized = () => failure(401, 'invalid_request_error', 'Invalid API Key provided')
const otherRequest = () => failure(400, 'idempotency_error', 'Keys can only be used with the same parameters.')
