import { stepOf } from '../../src/core/credit.ts'
import { INVARIANT_CHECK_NAMES, INVARIANT_CHECKS } from '../../src/money/invariant-checks/checks.ts'
import type { Sql } from '../../src/platform/db/db.ts'
import { findClockViolations } from './clock-rules.ts'
import { findOrderViolations, findUnqueued } from './order-rules.ts'
import { findPurchaseViolations } from './screen-rules.ts'
import type { Screen } from './screens.ts'
import type { Stage } from './stage.ts'

export interface Found {
  /** The check, or `error`: an error in the log, a quarantined row, a forbidden response. */
  readonly rule: string
  readonly what: string
}

export interface Watch {
  /** Null: all rules pass. `atRest`: no work is left, so nothing may be due. */
  /** `but`: rows of `gatewayMatches` that may differ for now. */
  check(options: { atRest: boolean; but: ReadonlySet<string> }): Promise<Found | null>
}

const SAMPLE = 10
const DAY_MS = 86_400_000

/** Runs every check over the whole database, and rules that compare with the previous step. */
export function createWatch(
  { db, clock, errors, there }: Stage,
  screens: readonly Screen[],
  counts: (found: Found) => boolean,
): Watch {
  const before = new Map<string, { lastTriggerAt: Date; resourceSeq: number }>()
  const ordersBefore = new Map()
  const clocksBefore = new Map<string, Date>()
  return {
    check: async ({ atRest, but }) => {
      const { sql } = db
      const bounds = { limit: SAMPLE, now: clock.now(), overdueMs: atRest ? 0 : 10_000 * DAY_MS }
      const results = await Promise.all([
        ...INVARIANT_CHECK_NAMES.map(async rule => {
          const violations = await INVARIANT_CHECKS[rule].find(sql, bounds)
          const isExcused = (id: string) => rule === 'gatewayMatches' && !atRest && but.has(id)
          return { rule, violations: violations.filter(({ id }) => !isExcused(id)) }
        }),
        goingBack(sql, before).then(violations => ({ rule: 'eventsInOrder', violations })),
        quarantined(sql).then(violations => ({ rule: 'error', violations })),
        notPayable(sql).then(violations => ({ rule: 'error', violations })),
        mixedUp(sql).then(violations => ({ rule: 'oneCurrency', violations })),
        inNoSteps(sql).then(violations => ({ rule: 'payableSteps', violations })),
        findPurchaseViolations(sql, { screens, now: clock.now(), atRest }).then(violations => ({
          rule: 'boughtOnce',
          violations,
        })),
        findOrderViolations(sql, ordersBefore).then(violations => ({ rule: 'orderEvents', violations })),
        findClockViolations(sql, clocksBefore, { atRest }).then(violations => ({ rule: 'clocksGoOn', violations })),
        findUnqueued(sql).then(violations => ({ rule: 'queuedOnce', violations })),
        there.findDiscrepancies(sql, { atRest, but }).then(violations => ({ rule: 'gatewayMatches', violations })),
        ...(atRest ? [differentAtRest(sql).then(violations => ({ rule: 'gatewayMatches', violations }))] : []),
        ...(atRest ? [notFoldedAtRest(sql).then(violations => ({ rule: 'revenueMatches', violations }))] : []),
      ])
      if (errors.length > 0) results.push({ rule: 'error', violations: errors.map(problem => ({ id: '', problem })) })
      const found = results.flatMap(({ rule, violations }) =>
        violations.length === 0 ? [] : [{ rule, what: JSON.stringify(violations) }],
      )
      return found.find(counts) ?? null
    },
  }
}

async function goingBack(sql: Sql, before: Map<string, { lastTriggerAt: Date; resourceSeq: number }>) {
  const rows = await sql<{ id: string; lastTriggerAt: Date; resourceSeq: number }[]>`
    select subscription_id as id, last_trigger_at as "lastTriggerAt", resource_seq as "resourceSeq" from subscriptions`
  return rows.flatMap(({ id, lastTriggerAt, resourceSeq }) => {
    const last = before.get(id)
    before.set(id, { lastTriggerAt, resourceSeq })
    const goesBack = last !== undefined && (last.lastTriggerAt > lastTriggerAt || last.resourceSeq > resourceSeq)
    return goesBack
      ? [
          {
            id,
            problem: `last trigger at ${lastTriggerAt.toISOString()}, before that ${last.lastTriggerAt.toISOString()}`,
          },
        ]
      : []
  })
}

async function quarantined(sql: Sql) {
  return await sql<{ id: string; problem: string }[]>`
    select subscription_id as id, 'a quarantined subscription: ' || last_error as problem from subscriptions where failures > 0
    union all
    select charge_id, 'a quarantined charge: ' || last_error from charges where failures > 0
    union all
    select refund_id, 'a quarantined refund: ' || last_error from refunds where failures > 0
    union all
    select redelivery_id, 'a quarantined redelivery: ' || last_error from redeliveries where failures > 0 order by problem, id`
}

/** Every price can be charged, and so can every rest after credit. */
async function notPayable(sql: Sql) {
  return await sql<{ id: string; problem: string }[]>`
    select invoice_id as id, 'an amount that no card can be charged: ' || amount || ' ' || currency as problem
    from charges where reason = 'amount_not_payable' order by charge_id`
}

/** All amounts of a subscription have its currency, including credit and charges at the gateway. */
async function mixedUp(sql: Sql) {
  return await sql<{ id: string; problem: string }[]>`
    select subscription_id as id, format('%s, and %s of %s', s.currency, what, x.currency) as problem
    from subscriptions as s cross join lateral (
      select 'an invoice' as what, currency from invoices where subscription_id = s.subscription_id
      union all
      select 'a charge', currency from charges where subscription_id = s.subscription_id
      union all
      select 'a booking', t.currency from invoices join ledger_transactions as t using (invoice_id)
      where subscription_id = s.subscription_id
      union all
      select 'credit', m.currency from invoices join credit_movements as m using (invoice_id)
      where subscription_id = s.subscription_id
      union all
      select 'money at the gateway', g.currency from invoices as i join sandbox_charges as g
        on g.metadata ->> 'invoiceId' = i.invoice_id::text
      where subscription_id = s.subscription_id) as x
    where x.currency <> s.currency order by 1, 2`
}

/** Charges and our refunds in dinars are multiples of ten fils. */
async function inNoSteps(sql: Sql) {
  const moved = await sql<{ id: string; currency: string; amount: number }[]>`
    select invoice_id as id, currency, amount from charges
    union all
    select invoice_id, i.currency, r.amount from refunds as r join invoices as i using (invoice_id)
    where r.origin <> 'GATEWAY' order by 1, 3`
  return moved.flatMap(({ id, currency, amount }) =>
    amount % stepOf(currency) === 0 ? [] : [{ id, problem: `${amount} ${currency} cannot be moved by card` }],
  )
}

/** Reconciliation finds no discrepancies except disputes. */
async function differentAtRest(sql: Sql) {
  return await sql<{ id: string; problem: string }[]>`
    select invoice_id as id, kind || ': ' || detail as problem from reconciliation_discrepancies
    where gone_at is null and kind not in ('DISPUTED', 'DISPUTE_LOST')
    order by 1, 2`
}

/** At rest all changes are folded into the sums. */
async function notFoldedAtRest(sql: Sql) {
  return await sql<{ id: string; problem: string }[]>`
    select 'revenue' as id, 'noted and never folded: ' || count(*) as problem from revenue_changes having count(*) > 0
    union all
    select 'revenue by day', 'noted and never folded: ' || count(*) from revenue_day_changes having count(*) > 0
    union all
    select 'tax', 'noted and never folded: ' || count(*) from tax_total_changes having count(*) > 0
    union all
    select 'revenue by country', 'noted and never folded: ' || count(*) from revenue_country_changes having count(*) > 0
    union all
    select 'ledger', 'noted and never folded: ' || count(*) from ledger_total_changes having count(*) > 0`
}
