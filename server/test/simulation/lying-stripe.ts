import Stripe from 'stripe'
import type { Clock } from '../../src/core/clock.ts'
import { type Account, type Answer, type Asked, headersOf, inProgress, limited } from '../support/stripe/account.ts'
import type { Wire } from './lying-gateway.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** A lost connection the SDK would try again after a while of real time: here it is told as a timeout, and `twice` is that repeat. */
const LIES = [
  ...(['lost request', 'lost answer', 'twice', 'again later'] as const),
  ...(['500 before', '500 after', '429', '409'] as const),
] as const

/** Of each request; a call of the gateway takes two or three of them. */
const SHARE = 0.5

/** A copy that is on its way for longer than that no network delivers; nor would Stripe still know its key. */
const LATE_MS = 24 * 3_600_000

/** The network of the real SDK: each request is a step, and a bad wire lies between it and the account. */
export function lyingStripe(
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
    const lie = wire.random.chance(wire.faults * SHARE) ? wire.random.pick(LIES) : 'none'
    if (lie !== 'none') scheduler.trace.push(`  the wire: ${lie}`)
    const now = clock.now()
    if (now < wire.downUntil || lie === 'lost request') throw Stripe.HttpClient.makeTimeoutError()
    if (lie === '429') return limited()
    if (lie === '409') return inProgress()
    const { answer } = account()
    if (lie === '500 before' || lie === '500 after') return answer(asked, lie)
    if (lie === 'twice') answer(asked)
    if (lie === 'again later') {
      wire.late.push(async () => {
        if (clock.now().getTime() - now.getTime() < LATE_MS) answer(asked)
      })
    }
    const answered = answer(asked)
    if (lie === 'lost answer') throw Stripe.HttpClient.makeTimeoutError()
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
