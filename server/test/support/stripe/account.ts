import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { readForm } from './form.ts'
import { perform } from './routes.ts'
import { ApiError, invalid, type State, type Thing } from './state.ts'
import { TAX_LOCATIONS } from './tax.ts'

/** An account at Stripe, however it is spoken to: what it holds, and the keys it has seen. */
export interface Account {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly state: State
  /** A 500 `before` anything is done, or `after`, is kept for the key as every answer is. */
  answer(asked: Asked, fault?: '500 before' | '500 after'): Answer
  /** Forgets its idempotency keys: some day after the first. */
  forgetKeys(): void
  /** As Stripe posts it; with another secret, or some time ago, as it must not be believed. */
  sign(event: Thing, how?: { secret?: string; agoMs?: number }): { payload: Buffer; headers: Record<string, string> }
}

export interface Asked {
  readonly method: string
  readonly path: string
  /** What is sent: of a GET, behind the question mark. */
  readonly form: string
  readonly authorization?: string | undefined
  readonly key?: string | undefined
}

export interface Answer {
  readonly status: number
  readonly body: Thing
  /** Kept from the first time. */
  readonly isReplayed?: true
}

interface Kept {
  readonly request: string
  readonly answer: Answer
  readonly at: number
}

/** No longer than Stripe promises: "at least 24 hours". */
const KEPT_FOR_MS = 24 * 3_600_000

export interface AccountOptions {
  readonly now?: () => Date
  readonly newId?: () => string
}

export function openAccount({ now = () => new Date(), newId = randomUUID }: AccountOptions = {}): Account {
  const state: State = { things: new Map(), events: [], taxLocations: [...TAX_LOCATIONS], now, newId }
  const kept = new Map<string, Kept>()
  const secretKey = 'sk_test_of_the_tests'
  const webhookSecret = 'whsec_of_the_tests'

  function carryOut({ method, path, form }: Asked): Answer {
    try {
      const body = perform(state, method, path, readForm(form))
      if (body === null) throw invalid('url_invalid', `Unrecognized request URL (${method}: ${path})`)
      return { status: 200, body: structuredClone(body) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, body: { error: error.error } }
    }
  }

  return {
    secretKey,
    webhookSecret,
    state,
    /** https://docs.stripe.com/api/idempotent_requests: the first answer again, errors and 500s too; other parameters are refused. */
    answer: (asked, fault) => {
      if (asked.authorization !== `Bearer ${secretKey}`) return unauthorized()
      const key = asked.method === 'POST' ? asked.key : undefined
      const request = `${asked.method} ${asked.path} ${asked.form}`
      const at = now().getTime()
      const known = key === undefined ? undefined : kept.get(key)
      if (known && at - known.at < KEPT_FOR_MS) {
        return known.request === request ? { ...structuredClone(known.answer), isReplayed: true } : otherRequest()
      }
      const done = fault === '500 before' ? serverError() : carryOut(asked)
      const answer = fault === '500 after' ? serverError() : done
      if (key !== undefined) kept.set(key, { request, answer: structuredClone(answer), at })
      return answer
    },
    forgetKeys: () => kept.clear(),
    sign: (event, { secret = webhookSecret, agoMs = 0 } = {}) => {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor((now().getTime() - agoMs) / 1000)
      const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
      return { payload: Buffer.from(payload), headers: { 'stripe-signature': header } }
    },
  }
}

/** Rate-limited before the request is accepted: no idempotency key is stored. */
export const limited = (): Answer => failure(429, 'invalid_request_error', 'Too many requests.', 'lock_timeout')
export const inProgress = (): Answer =>
  failure(409, 'idempotency_error', 'A request with this key is in progress.', 'idempotency_key_in_use')

const serverError = () => failure(500, 'api_error', 'Something went wrong on our end.')
const unauthorized = () => failure(401, 'invalid_request_error', 'Invalid API Key provided')
const otherRequest = () => failure(400, 'idempotency_error', 'Keys can only be used with the same parameters.')

function failure(status: number, type: string, message: string, code?: string): Answer {
  return { status, body: { error: { type, message, ...(code === undefined ? {} : { code }) } } }
}

/** Stripe says so of an answer that it has kept. */
export function headersOf({ isReplayed }: Answer): Record<string, string> {
  const replayed = isReplayed ? { 'idempotent-replayed': 'true' } : {}
  return { 'content-type': 'application/json', 'request-id': 'req_test', ...replayed }
}
