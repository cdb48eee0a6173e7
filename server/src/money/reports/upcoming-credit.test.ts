import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

const DAYS = 80

const planOf = (value: number, more: Json = {}) =>
  world.plan({ amounts: [{ country: 'US', currency: 'USD', value }], ...more })

const subscribed = async (shop: Merchant, value: number, more: Json = {}): Promise<string> =>
  (await shop.subscribe(await planOf(value, more))).subscriptionId

const patch = (subscriptionId: string, body: Json) =>
  world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, body)

/** A merchant that pays 10.00 a month, with `credit` from a larger plan. */
async function shopWithCredit(credit: number, more: Json = {}): Promise<{ shop: Merchant; first: string }> {
  const shop = await world.merchant({ type: 'MERCHANT' })
  const first = await subscribed(shop, 1_000 + credit, more)
  await patch(first, { planId: await planOf(1_000, more), when: 'NOW' })
  return { shop, first }
}

/** Charges made, in the form of the report. */
async function chargedSince(at: Date): Promise<{ days: Json[]; list: Json[] }> {
  const { sql } = world.app.ports.db
  const days = await sql<Json[]>`
    select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, currency, count(*) as charges, sum(amount)::bigint as amount
    from charges where started_at > ${at} group by 1, 2 order by 1, 2`
  const list = await sql<Json[]>`
    select subscription_id as "subscriptionId", count(*) as charges, sum(amount)::bigint as amount, min(started_at) as "firstAt"
    from charges where started_at > ${at} group by 1 order by 1`
  return { days: days.map(row => ({ ...row })), list: list.map(row => ({ ...row })) }
}

function forecastOf({ days, list }: Json): { days: Json[]; list: Json[] } {
  const ones = list.map(({ subscriptionId, charges, amount, firstAt }: Json) => {
    return { subscriptionId, charges, amount, firstAt: new Date(firstAt) }
  })
  return { days, list: ones.sort((a: Json, b: Json) => (a.subscriptionId < b.subscriptionId ? -1 : 1)) }
}

/** Advances from one due time to the next, like a service that is never late. */
async function walk(until: Date): Promise<void> {
  const { sql } = world.app.ports.db
  for (;;) {
    const [row] = await sql<{ at: Date | null }[]>`select min(next_action_at) as at from subscriptions`
    if (!row?.at || row.at >= until) return
    world.clock.set(row.at)
    await world.work()
  }
}

test('the forecast equals the charges to the cent, with credit used in turn', async () => {
  // The first charge takes 10.00 of 15.00, the second, due a day later, 5.00.
  const half = await shopWithCredit(1_500)
  const second = await subscribed(half.shop, 1_000, { trialPeriodDays: 32 })
  // Due at the same time: forecast and billing use the same order.
  const { shop: tied } = await shopWithCredit(700)
  await subscribed(tied, 1_000, { trialPeriodDays: 31 })
  await subscribed(tied, 900, { trialPeriodDays: 31 })
  // More than a month of credit, used weekly and at the end of a trial.
  const { shop: often } = await shopWithCredit(6_100)
  await subscribed(often, 600, { interval: 'WEEK', trialPeriodDays: 7 })
  await subscribed(often, 800, { trialPeriodDays: 20 })
  await subscribed(often, 0)
  // A cheaper plan from the end of the period, and a subscription that ends there.
  const billing = { cancelPolicy: 'BILLING' }
  const { shop: leaving, first: changing } = await shopWithCredit(2_200, billing)
  await patch(changing, { planId: await planOf(400), when: 'PERIOD_END' })
  await leaving.cancel(await subscribed(leaving, 1_300, billing))
  await leaving.cancel(await subscribed(leaving, 1_100, { ...billing, trialPeriodDays: 9 }))
  // Credit on an unpaid invoice returns when grace ends, for the other subscription.
  const { shop: declined, first: unpaid } = await shopWithCredit(900, { interval: 'WEEK', gracePeriodDays: 3 })
  const other = await subscribed(declined, 2_000, { trialPeriodDays: 25 })
  // No credit, and no credit of others.
  await subscribed(await world.merchant({ type: 'MERCHANT' }), 500)

  await declined.card('tok_stolen')
  await walk(new Date('2026-01-17T12:00:01Z'))
  assert.equal((await declined.subscription(unpaid)).paymentStatus, 'PAST_DUE')
  // The card works again: the forecast assumes success.
  const { sql } = world.app.ports.db
  await sql`update sandbox_payment_methods set behaviour = 'tok_ok' where behaviour = 'tok_stolen'`

  const now = world.clock.now()
  const until = new Date(now.getTime() + DAYS * 86_400_000)
  const upcoming = await world.call('GET', `/operations/upcoming?days=${DAYS}`)
  const pages: Json[] = []
  for (let next: string | undefined; pages.length === 0 || next !== undefined; next = pages.at(-1)?.next) {
    pages.push(await world.call('GET', `/operations/upcoming?days=${DAYS}&count=2${next ? `&after=${next}` : ''}`))
  }
  await walk(until)
  const { days, list } = await chargedSince(now)
  assert.deepEqual(forecastOf(upcoming), { days, list })
  assert.deepEqual(forecastOf({ days, list: pages.flatMap(page => page.list) }).list, list)
  const of = (id: string) => list.find(({ subscriptionId }) => subscriptionId === id)
  assert.partialDeepStrictEqual(of(second), { charges: 2, amount: 500 + 1_000 })
  assert.partialDeepStrictEqual(of(other), { charges: 3, amount: 2_000 - 900 + 2_000 + 2_000 })
})
