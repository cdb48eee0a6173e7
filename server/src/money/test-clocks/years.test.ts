import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf } from '../../../test/support/tokens.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { runChecks } from '../invariant-checks/run.ts'

/** A day takes about 25 ms on a busy machine. Five years of 1,827 invoices take a minute: TILLHOOK_TEST_YEARS=5. */
const YEARS = Number(process.env.TILLHOOK_TEST_YEARS ?? 1)
const [FROM, TO] = ['2026-01-01T00:00:00Z', `${2026 + YEARS}-01-01T00:00:00Z`]
const DAY_MS = 86_400_000
/** Both ends are billed. */
const DAYS = (Date.parse(TO) - Date.parse(FROM)) / DAY_MS + 1
/**
 * A request gives up after 30 s, a turn of the background job after 2 s. The clock ticks with each reading, so every
 * machine gets equally far.
 */
const [MS_EACH_LOOK_AT_FIRST, MS_EACH_LOOK] = [30, 5]
const MOST_TURNS = 500
const MONTH_BEFORE = '2026-05-15T12:00:00Z'
const DAY_BEFORE = '2026-06-14T12:00:00Z'
const NOON = '2026-06-15T12:00:00Z'

let world: World
before(async () => {
  world = await createWorld({ at: MONTH_BEFORE })
})
after(() => world?.close())

test('years of a daily plan show progress and finish, each day is billed once, and no other merchant is affected', async () => {
  const [daily, monthly] = [await world.plan({ interval: 'DAY' }), await world.plan()]
  const steady = await world.merchant()
  await steady.subscribe(monthly)
  world.clock.set(DAY_BEFORE)
  const unwell = await world.merchant({ card: 'tok_fail_after_1' })
  const { subscriptionId } = await unwell.subscribe(daily)
  world.clock.set(NOON)
  const token = await tokenOf(world, world.credentials)
  const began = today()

  const shop = await world.merchant({ at: FROM })
  await shop.subscribe(daily)
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  const path = `/test-clocks/${testClockId}`
  world.clock.tick(MS_EACH_LOOK_AT_FIRST)
  const answer = await world.ask(OPERATOR_KEY, 'POST', `${path}/advance`, { body: { to: TO } })
  world.clock.tick(MS_EACH_LOOK)
  assert.deepEqual([answer.status, answer.body.status, answer.body.to], [202, 'ADVANCING', TO])

  // From here on the background job drives the clock, turn by turn.
  const progress = [FROM, answer.body.now]
  const { testClocks, renewals, charges } = world.app.jobs
  let turns = 0
  for (let now = answer.body; now.status === 'ADVANCING'; now = await world.call('GET', path)) {
    assert.ok(++turns < MOST_TURNS, `after ${turns} turns it stands at ${now.now}`)
    // A renewal and a first decline are due in real time, and six hours later its retry.
    if (turns === 3) world.clock.set('2026-06-15T18:05:00Z')
    await Promise.all([testClocks.runOnce(), renewals.runOnce().then(() => charges.runOnce())])
    progress.push((await world.call('GET', path)).now)
    if (turns === 2) {
      await steady.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
      await unwell.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL')
    }
    if (turns === 4) {
      await unwell.expectEvents('PAYMENT_FAIL')
      const { paymentStatus, nextChargeAt } = await unwell.subscription(subscriptionId)
      assert.equal(paymentStatus, 'PAST_DUE')
      // Twelve hours after the first decline, within minutes after noon.
      assert.match(nextChargeAt, /^2026-06-16T00:0/)
      assert.equal((await world.ask(token, 'GET', `/apps/${world.appId}/plans`)).status, 200)
    }
  }
  world.clock.tick(0)

  assert.ok(turns > 4, `${turns} turns are too few`)
  for (const [n, now] of progress.slice(1).entries()) assert.ok(now > String(progress[n]), progress.join(' '))
  assert.equal(progress.at(-1), TO)
  const expected = Array.from({ length: DAYS }, (_, day) => instant(Date.parse(FROM) + day * DAY_MS))
  assert.deepEqual(
    (await allInvoices(shop)).map(({ periodStart, status, amountPaid }) => [periodStart, status, amountPaid]),
    expected.map(day => [day, 'PAID', 500]),
  )
  await shop.expectEvents('START', ...Array(DAYS).fill('PAYMENT_SUCCESS'))
  await steady.expectEvents()
  await unwell.expectEvents()
  assert.equal((await world.ask(token, 'GET', `/apps/${world.appId}/plans`)).status, 200)
  const days = await recordedDays()
  assert.ok(days.length > 0)
  const ended = today()
  assert.deepEqual(
    days.filter(day => day < began || day > ended),
    [],
    'partitions are of real time',
  )
  const broken = (await runChecks(world.app.ports)).filter(({ status }) => status !== 'PASSED')
  assert.deepEqual(broken, [])
})

/** Ids and recording days follow the machine's date, not the world's clock. */
const today = () => new Date().toISOString().slice(0, 10)

const instant = (ms: number) => new Date(ms).toISOString().replace('.000', '')

async function allInvoices({ businessId }: Merchant): Promise<Json[]> {
  const invoices: Json[] = []
  for (;;) {
    const page = await world.call('GET', `/businesses/${businessId}/invoices?count=1000&start=${invoices.length}`)
    invoices.push(...page.list)
    if (page.list.length === 0) {
      assert.equal(page.total, invoices.length)
      return invoices
    }
  }
}

async function recordedDays(): Promise<string[]> {
  const rows = await world.app.ports.db.sql<{ day: string }[]>`
    select distinct recorded_day::text as day from notifications order by day`
  return rows.map(({ day }) => day)
}
