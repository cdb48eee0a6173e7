import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { createWorld, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { check } from './check.ts'
import { CHECKER_NAMES, type CheckerName } from './checkers.ts'

const USD = { country: 'US', currency: 'USD' }

let world: World
before(async () => {
  world = await createWorld()
  await tellStory()
})
after(() => world?.close())

/** A subscription with a trial, paid, refunded in part, refused, cancelled; another whose plan changes twice, at credit. */
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
  // The report counts merchants, in real time.
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

/** What breaks each rule, and only by hand. Each is undone after. */
const BROKEN: Readonly<Record<CheckerName, string>> = {
  periodsTile: "update invoices set period_start = period_start + interval '1 second' where period_index = 1",
  periodsBilled: "update subscriptions set current_period_end = current_period_end + interval '1 second'",
  chargedOnce: "update charges set status = 'DECLINED_SOFT' where status = 'SUCCEEDED'",
  oneChargeObject: `insert into sandbox_charges (gateway_charge_id, key, amount, currency, metadata, created_at)
    select 'ch_other', 'other', amount, currency, metadata, created_at from sandbox_charges limit 1`,
  booksAgree: 'update sandbox_charges set succeeded_key = null, succeeded_reference = null, succeeded_at = null',
  chargedInTime: "update charges set started_at = started_at - interval '5 weeks'",
  ledgerBalances: 'update ledger_transactions set gateway = 0, organization = 0, operator = 0, business_credit = 0',
  totalsAgree: 'update ledger_total_changes set count = count + 1',
  revenueAgrees: 'update revenue_changes set count = count + 1',
  shareGoesBack: `update ledger_transactions set operator = operator * 10, organization = organization - operator * 9 where operator > 0`,
  linesAddUp: 'update invoices set lines = lines || lines where jsonb_array_length(lines) = 2',
  creditAgrees: 'update credit_balances set balance = balance + 1',
  creditWithinPaid: "update credit_movements set amount = amount * 10 where kind = 'GRANT'",
  moneyAgrees: 'update ledger_transactions set gateway = gateway * 2, organization = organization - gateway',
  refundsWithinPaid: "update refunds set amount = amount + 1 where status = 'SUCCEEDED'",
  disputesAgree: "update invoices set lost_in_disputes = lost_in_disputes + 1 where status = 'PAID'",
  numbersWithoutGap: 'update invoice_counters set last_number = last_number + 1',
  toldOnce: 'update notifications set resource_seq = 1',
  toldAll: "delete from notifications where event_type like '%PAYMENT_FAIL'",
  timeGoesOn: `update notifications set body = regexp_replace(body, '"createdAt":"[^"]*"', '"createdAt":"2020-01-01T00:00:00Z"')
    where resource_seq = 3`,
  nothingForgotten: "update invoices set status = 'OPEN', amount_paid = 0, amount_refunded = 0",
  nothingOverdue: "update charges set next_poll_at = '2026-01-01T00:00:00Z'",
}

test('after a story of trial, payments, a refund, refusals and an end, and of changes of plan, every rule holds', async () => {
  const { checks } = await world.call('GET', '/operations/checks')
  assert.deepEqual(
    checks.map(({ checker, status, violations }: (typeof checks)[0]) => [checker, status, violations]),
    CHECKER_NAMES.map(checker => [checker, 'HOLDS', []]),
  )
})

for (const [checker, statement] of Object.entries(BROKEN)) {
  test(`${checker} finds what breaks it, and names the row`, async () => {
    const { transaction } = world.app.ports.db
    const undo = await keep()
    try {
      await transaction(async tx => {
        // As an error of ours could not: the ledger lets nobody change it.
        await tx.sql`select set_config('session_replication_role', 'replica', true)`
        await tx.sql.unsafe(statement)
      })
      const { checks } = await world.call('GET', `/operations/checks?checker=${checker}`)
      assert.equal(checks.length, 1)
      assert.deepEqual([checks[0].checker, checks[0].status], [checker, 'VIOLATED'])
      assert.match(checks[0].violations[0].id, /^[0-9a-f-]{36}$/)
      assert.notEqual(checks[0].violations[0].problem, '')
    } finally {
      await undo()
    }
  })
}

test('the hourly look leaves what it found to the metrics', async () => {
  await world.app.duties.checks.runOnce()
  const { text } = await world.ask(OPERATOR_KEY, 'GET', '/metrics')
  for (const checker of CHECKER_NAMES) assert.ok(text.includes(`tillhook_check_violations{checker="${checker}"} 0\n`))
})

test('a checker that takes too long is UNKNOWN', () =>
  whileNobodyReads('invoice_counters', async () => {
    const results = await check(world.app.ports, { only: 'numbersWithoutGap', mostMs: 50 })
    assert.deepEqual(
      results.map(({ status }) => status),
      ['UNKNOWN'],
    )
  }))

test('a stop ends the hourly look in the middle of a checker, and what it has not found is not shown', async () => {
  const { sql } = world.app.ports.db
  await world.app.duties.checks.runOnce()
  let stopped = false
  await whileNobodyReads('invoice_counters', async () => {
    const look = world.app.duties.checks.runOnce(() => stopped)
    await untilWaiting(sql, 1)
    stopped = true
    await look
  })
  const { text } = await world.ask(OPERATOR_KEY, 'GET', '/metrics')
  assert.ok(text.includes('tillhook_check_violations{checker="numbersWithoutGap"} 0\n'))
})

test('a checker that there is not is refused, and nobody but the operator looks', async () => {
  await world.call('GET', '/operations/checks?checker=other', undefined, 400)
  assert.equal((await world.ask(null, 'GET', '/operations/checks')).status, 401)
})

/** What wants to read this table meanwhile waits. */
function whileNobodyReads(table: string, work: () => Promise<void>): Promise<void> {
  return world.app.ports.db.transaction(async tx => {
    await tx.sql.unsafe(`lock table ${table} in access exclusive mode`)
    await work()
  })
}

const TABLES = [
  ...['subscriptions', 'invoices', 'charges', 'refunds', 'invoice_counters', 'notifications', 'sandbox_charges'],
  ...['ledger_transactions', 'ledger_total_changes', 'credit_balances', 'credit_movements', 'revenue_changes'],
]

/** Copies of the rows, put back by the function that is returned. No foreign key or trigger stands in the way of that. */
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
