import { type FakeStripe, startStripe } from '../support/stripe/server.ts'
import type { Thing } from '../support/stripe/state.ts'
import { type Answer, createWorld, type Merchant, type World } from '../support/world.ts'

export interface StripeWorld {
  readonly world: World
  readonly stripe: FakeStripe
  /** Posts events like Stripe, and runs everything that is due. */
  deliver(events: readonly Thing[]): Promise<Answer[]>
  /** Stripe's events since the last call. */
  news(): Thing[]
  /** Lets time pass and runs everything that is due. */
  passTo(at: string): Promise<void>
  /** The intents of a merchant, oldest first. */
  intentsOf(shop: Merchant): Thing[]
  close(): Promise<void>
}

/** The service with the real Stripe adapter, and a Stripe stand-in on the same clock. */
export async function createStripeWorld(at: string): Promise<StripeWorld> {
  let now = () => new Date(at)
  const stripe = await startStripe({ now: () => now() })
  const { secretKey, webhookSecret, url: apiBase } = stripe
  const world = await createWorld({ at, stripe: { secretKey, webhookSecret, apiBase, publishableKey: 'pk_test_1' } })
  now = world.clock.now
  let seen = 0
  const work = async () => {
    const { gatewayEvents } = world.app.jobs
    do await world.work()
    while ((await gatewayEvents.runOnce()) > 0)
  }
  return {
    world,
    stripe,
    deliver: async events => {
      const responses = []
      for (const event of events) {
        const { payload, headers } = stripe.sign(event)
        responses.push(await postEvent(world, payload, headers))
      }
      await work()
      return responses
    },
    news: () => {
      const fresh = stripe.state.events.slice(seen)
      seen = stripe.state.events.length
      return fresh
    },
    passTo: async to => {
      world.clock.set(to)
      await work()
    },
    intentsOf: ({ businessId }) =>
      [...stripe.state.things.values()].filter(
        ({ object, metadata }) => object === 'payment_intent' && metadata.businessId === businessId,
      ),
    close: async () => {
      await world.close()
      await stripe.close()
    },
  }
}

export async function postEvent(
  world: World,
  payload: Buffer,
  headers: Record<string, string>,
  gateway = 'stripe',
): Promise<Answer> {
  const url = `/gateways/${gateway}/events`
  const answer = await world.app.http.inject({
    ...{ method: 'POST', url, payload },
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.json() }
}
