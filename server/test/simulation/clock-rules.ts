import type { Violation } from '../../src/money/invariant-checks/checks.ts'
import type { Sql } from '../../src/platform/db/db.ts'

/**
 * A test clock never goes back, and no event on it happens after its current time. Due work happens at its own instant, despite failures. At the
 * end of a run the clock stands still and no due work waits. `before`: the clock at the last check.
 */
export async function findClockViolations(
  sql: Sql,
  before: Map<string, Date>,
  { atRest }: { atRest: boolean },
): Promise<readonly Violation[]> {
  const clocks = await sql<{ id: string; now: Date; status: string }[]>`
    select c.test_clock_id as id, clock_now as now, c.status from test_clocks as c join businesses using (business_id) order by 1`
  const moved = clocks.flatMap(({ id, now, status }) => {
    const last = before.get(id)
    before.set(id, now)
    return [
      ...(last !== undefined && last > now ? [{ id, problem: `at ${text(now)}, before that at ${text(last)}` }] : []),
      ...(atRest && status !== 'READY' ? [{ id, problem: `${status}, and nobody drives it` }] : []),
    ]
  })
  return [...moved, ...(await ahead(sql)), ...(await late(sql)), ...(atRest ? await waiting(sql) : [])]
}

async function ahead(sql: Sql) {
  return await sql<Violation[]>`
    select subscription_id as id, format('%s happened, and its clock is at %s', last_trigger_at, clock_now) as problem
    from subscriptions as s join businesses using (business_id)
    where s.test_clock_id is not null and last_trigger_at > clock_now order by 1`
}

/**
 * A clock stands still while the outcome of a charge is not known, so each period is charged when it begins. Checks only merchants without a
 * decline and without a charge that waited for the bank, because all others may be late, as in real time.
 */
async function late(sql: Sql) {
  return await sql<Violation[]>`
    select i.invoice_id as id, format('a period from %s was first charged at %s', i.period_start, c.started_at) as problem
    from subscriptions as s join invoices as i using (subscription_id)
    cross join lateral (select min(started_at) as started_at from charges where charges.invoice_id = i.invoice_id) as c
    where s.test_clock_id is not null and i.period_index > 0 and c.started_at <> i.period_start
      and not exists (
        select 1 from charges as other where other.subscription_id = s.subscription_id and other.status <> 'SUCCEEDED')
      and not exists (
        select 1 from payment_methods as m join sandbox_payment_methods as p on p.reference = m.reference
        where m.business_id = s.business_id and p.behaviour in ('tok_pending', 'tok_action_required'))
    order by 1`
}

async function waiting(sql: Sql) {
  return await sql<Violation[]>`
    select subscription_id as id, format('due at %s, and its clock stands at %s', next_action_at, clock_now) as problem
    from subscriptions as s join businesses using (business_id)
    where s.test_clock_id is not null and next_action_at <= clock_now order by 1`
}

const text = (at: Date) => at.toISOString()
