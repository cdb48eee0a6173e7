import Stripe from 'stripe'
import type { Clock } from '../../src/core/clock.ts'
import { type Account, type Answer, type Asked, headersOf, inProgress, limited } from '../support/stripe/account.ts'
import type { Wire } from './faulty-gateway.ts'
import type { Life, Scheduler } from './scheduler.ts'

/**
 * The faults of a request. The SDK would retry a lost connection after a pause in real time, so a lost connection is reported as a timeout, and
 * `twice` simulates the retry.
 */
const FAULTS = [
  ...(['lost request', 'lost answer', 'twice', 'again later'] as const),
  ...(['500 before', '500 after', '429', '409'] as const),
] as const

/** The share of faulty requests, because a call of the gateway takes two or three requests. */
const SHARE = 0.5

/** Later copies are dropped: no network delivers a copy after a day, and Stripe no longer knows its key. */
const LATE_MS = 24 * 3_600_000

/** The network of the real SDK: each request is a step over a faulty connection to the account. */
export function faultyStripe(
  { account, wire, clock }: { account: () => Account; wire: Wire; clock: Clock },
  { life, scheduler }: { life: Life; scheduler: Scheduler },
): Stripe.HttpClient {
  return {
    getClientName: () => 'simulation',
    makeRequest: (_host, _port, target, method, headers, requestData) => {
      const [path = '', query = ''] = target.split('?')
      const [authorization, key] = [textOf(headers, 'authorization'), textOf(headers, 'idempotency-key')]
      const asked: Asked = { method, path, form: method === 'GET' ? query : requestData, authorization, key }
      return scheduler.step(life, `stripe ${method} ${path}`, async () => responseOf(send(asked)))
    },
  }

  function send(asked: Asked): Answer {
    const fault = wire.random.chance(wire.faults * SHARE) ? wire.random.pick(FAULTS) : 'none'
    if (fault !== 'none') scheduler.trace.push(`  the wire: ${fault}`)
    const now = clock.now()
    if (now < wire.downUntil || fault === 'lost request') throw Stripe.HttpClient.makeTimeoutError()
    if (fault === '429') return limited()
    if (fault === '409') return inProgress()
    const { answer } = account()
    if (fault === '500 before' || fault === '500 after') return answer(asked, fault)
    if (fault === 'twice') answer(asked)
    if (fault === 'again later') {
      wire.late.push(async () => {
        if (clock.now().getTime() - now.getTime() < LATE_MS) answer(asked)
      })
    }
    const answered = answer(asked)
    if (fault === 'lost answer') throw Stripe.HttpClient.makeTimeoutError()
    return answered
  }
}

function textOf(headers: object, name: string): string | undefined {
  const found = Object.entries(headers).find(([of]) => of.toLowerCase() === name)
  return found?.[1] === undefined ? undefined : String(found[1])
}

function responseOf(answer: Answer): Stripe.HttpClientResponse {
  return {
    getStatusCode: () => answer.status,
    getHeaders: () => headersOf(answer),
    getRawResponse: () => answer,
    toStream: () => {
      throw new Error('nothing of Stripe is read as a stream')
    },
    toJSON: async () => structuredClone(answer.body),
  }
}
