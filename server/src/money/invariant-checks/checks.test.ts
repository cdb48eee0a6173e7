import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { createWorld, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { INVARIANT_CHECK_NAMES, type InvariantCheckName } from './checks.ts'
import { runChecks } from './run.ts'

const USD = { country: 'US', currency: 'USD' }

let world: World
before(async () => {
  world = await createWorld()
  await tellStory()
})
after(() => world?.close())

/** A subscription with a trial, paid, refunded in part, declined, cancelled; another whose plan changes twice with credit. */
async function tellStory(): Promise<void> {
  const shop = await world.merchant({ at: '2026-01-31T10:00:00Z' })
  const { subscriptionId } = await shop.subscribe(await world.plan({ trialPeriodDays: 7 }))
  await shop.until('2026-03-08T00:00:00Z')
  const [first] = await shop.invoices()
  await shop.refund(first?.invoiceId, { amount: 100 })
  await shop.card('tok_insufficient_funds')
  await shop.until('2026-04-09T00:00:00Z')
  await shop.cancel(subscriptionId)
  await changePlans(await world.merchant({ at: '2026-05-01T00:00:00Z' }))
  // A hook is tested twice, first at a later clock: tests have no sequence.
  const [hook] = await world.app.ports.db.sql<{ id: string }[]>`select hook_id as id from hooks`
  for (const at of ['2026-07-01T00:00:00Z', '2026-06-01T00:00:00Z']) {
    world.clock.set(at)
    await world.call('POST', `/hooks/${hook?.id}/test`, {}, 200)
  }
  // The revenue report counts merchants only.
  await (await world.merchant({ type: 'MERCHANT' })).subscribe(await world.plan())
}

async function changePlans(shop: Merchant): Promise<void> {
  const [small, large] = [await world.plan(), await world.plan({ amounts: [{ ...USD, value: 900 }] })]
  const { subscriptionId } = await shop.subscribe(large)
  await shop.until('2026-05-11T00:00:00Z')
  const change = (planId: string) =>
    world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId, when: 'NOW' })
  await change(small)
  await shop.until('2026-05-21T00:00:00Z')
  await change(large)
}

/** A statement that breaks each rule. The test undoes it. */
const BROKEN: Readonly<Record<InvariantCheckName, string>> = {
  periodsContiguous: "update invoices set period_start = period_start + interval '1 second' where period_index = 1",
  periodsBilled: "update subscriptions set current_period_end = current_period_end + interval '1 second'",
  chargedOnce: "update charges set status = 'DECLINED_SOFT' where status = 'SUCCEEDED'",
  oneChargeObject: `insert into sandbox_charges (gateway_charge_id, key, amount, currency, metadata, created_at)
    select 'ch_other', 'other', amount, currency, metadata, created_at from sandbox_charges limit 1`,
  gatewayMatches: 'update sandbox_charges set succeeded_key = null, succeeded_reference = null, succeeded_at = null',
  chargedInTime: "update charges set started_at = started_at - interval '5 weeks'",
  ledgerBalances: 'update ledger_transactions set gateway = 0, organization = 0, operator = 0, business_credit = 0',
  totalsMatch: 'update ledger_total_changes set count = count + 1',
  revenueMatches: 'update revenue_changes set count = count + 1',
  revenueDaysMatch: "update revenue_day_changes set amount = amount + 1 where kind = 'NEW'",
  revenueCountriesMatch: "update revenue_country_changes set country = 'DE' where collected > 0",
  shareReturned: `update ledger_transactions set operator = operator * 10, organization = organization - operator * 9 where operator > 0`,
  taxMatches: 'update ledger_transactions set tax = tax - 1, organization = organization + 1',
  taxTotalsMatch: `insert into tax_total_changes
    select organization_id, true, '2026-01-01', 'DE', 'EUR', 'VAT', 190000, false, 100, 19, 0 from organizations limit 1`,
  linesAddUp: 'update invoices set lines = lines || lines where jsonb_array_length(lines) = 2',
  creditMatches: 'update credit_balances set balance = balance + 1',
  creditWithinPaid: "update credit_movements set amount = amount * 10 where kind = 'GRANT'",
  moneyMatches: 'update ledger_transactions set gateway = gateway * 2, organization = organization - gateway',
  refundsWithinPaid: "update refunds set amount = amount + 1 where status = 'SUCCEEDED'",
  disputesMatch: "update invoices set lost_in_disputes = lost_in_disputes + 1 where status = 'PAID'",
  numbersWithoutGap: 'update invoice_counters set last_number = last_number + 1',
  eventsOnce: 'update notifications set resource_seq = 1',
  eventsComplete: "delete from notifications where event_type like '%PAYMENT_FAIL'",
  eventsInOrder: `update notifications set body = regexp_replace(body, '"createdAt":"[^"]*"', '"createdAt":"2020-01-01T00:00:00Z"')
    where resource_seq = 3`,
  everythingScheduled: "update invoices set status = 'OPEN', amount_paid = 0, amount_refunded = 0",
  nothingOverdue: "update charges set next_poll_at = '2026-01-01T00:00:00Z'",
}

test('after trials, payments, refunds, declines, plan changes, an end and two tests of one hook, every check passes', async () => {
  const { checks } = await world.call('GET', '/operations/checks')
  assert.deepEqual(
    checks.map(({ check, status, violations }: (typeof checks)[0]) => [check, status, violations]),
    INVARIANT_CHECK_NAMES.map(check => [check, 'PASSED', []]),
  )
})

for (const [check, statement] of Object.entries(BROKEN)) {
  test(`${check} finds a violation and names the row`, async () => {
    const { transaction } = world.app.ports.db
    const undo = await keep()
    try {
      await transaction(async tx => {
        // Without triggers: the ledger is append-only.
        await tx.sql`select set_config('session_replication_role', 'replica', true)`
        await tx.sql.unsafe(statement)
      })
      const { checks } = await world.call('GET', `/operations/checks?check=${check}`)
      assert.equal(checks.length, 1)
      assert.deepEqual([checks[0].check, checks[0].status], [check, 'VIOLATED'])
      assert.match(checks[0].violations[0].id, /^[0-9a-f-]{36}$/)
      assert.notEqual(checks[0].violations[0].problem, '')
    } finally {
      await undo()
    }
  })
}

test('the hourly run keeps its results for the metrics', async () => {
  await world.app.jobs.checks.runOnce()
  const { text } = await world.ask(OPERATOR_KEY, 'GET', '/metrics')
  for (const check of INVARIANT_CHECK_NAMES) assert.ok(text.includes(`tillhook_check_violations{check="${check}"} 0\n`))
})

test('a check that takes too long is UNKNOWN', () =>
  whileLocked('invoice_counters', async () => {
    const results = await runChecks(world.app.ports, { only: 'numbersWithoutGap', maxMs: 50 })
    assert.deepEqual(
      results.map(({ status }) => status),
      ['UNKNOWN'],
    )
  }))

test('a stop cancels the running check, and the run stores no result', async () => {
  const { sql } = world.app.ports.db
  await world.app.jobs.checks.runOnce()
  let stopped = false
  await whileLocked('invoice_counters', async () => {
    const look = world.app.jobs.checks.runOnce(() => stopped)
    await untilWaiting(sql, 1)
    stopped = true
    await look
  })
  const { text } = await world.ask(OPERATOR_KEY, 'GET', '/metrics')
  assert.ok(text.includes('tillhook_check_violations{check="numbersWithoutGap"} 0\n'))
})

test('an unknown check is rejected, and only the operator runs checks', async () => {
  await world.call('GET', '/operations/checks?check=other', undefined, 400)
  assert.equal((await world.ask(null, 'GET', '/operations/checks')).status, 401)
})

/** Readers of the table wait during `work`. */
function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  return world.app.ports.db.transaction(async tx => {
    await tx.sql.unsafe(`lock table ${table} in access exclusive mode`)
    await work()
  })
}

const TABLES = [
  ...['subscriptions', 'invoices', 'charges', 'refunds', 'invoice_counters', 'notifications', 'sandbox_charges'],
  ...[
    'ledger_transactions',
    'ledger_total_changes',
    'credit_balances',
    'credit_movements',
    'revenue_changes',
    'revenue_country_changes',
    'tax_total_changes',
    'revenue_day_changes',
  ],
]

/** Copies the rows of the tables; the returned function puts them back, without foreign keys and triggers. */
async function keep(): Promise<() => Promise<void>> {
  const { sql } = world.app.ports.db
  for (const table of TABLES) {
    await sql.unsafe(`drop table if exists kept_${table}; create table kept_${table} as table ${table}`)
  }
  return async () => {
    await world.app.ports.db.transaction(async tx => {
      await tx.sql`select set_config('session_replication_role', 'replica', true)`
      for (const table of TABLES) {
        await tx.sql.unsafe(`delete from ${table}; insert into ${table} table kept_${table}`)
      }
    })
  }
}
