import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** The clock of one test merchant. The current time is stored with the business. */
export interface TestClock {
  readonly testClockId: string
  readonly businessId: string
  readonly status: 'READY' | 'ADVANCING'
  /** The goal of an advance. */
  readonly targetAt?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

type Row = RowOf<TestClock>

export async function insertTestClock(sql: Sql, clock: TestClock): Promise<void> {
  await sql`
    insert into test_clocks (test_clock_id, business_id, status, created_at, updated_at)
    values (${clock.testClockId}, ${clock.businessId}, ${clock.status}, ${clock.createdAt}, ${clock.updatedAt})`
}

export async function findTestClock(sql: Sql, testClockId: string): Promise<TestClock | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from test_clocks where test_clock_id = ${testClockId}`
  return row ? present(row) : null
}

export async function lockTestClock(sql: Sql, testClockId: string): Promise<TestClock | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from test_clocks where test_clock_id = ${testClockId} for no key update`
  return row ? present(row) : null
}

export async function listTestClocks(sql: Sql, businessId: string): Promise<TestClock[]> {
  const rows = await sql<Row[]>`select ${columns(sql)} from test_clocks where business_id = ${businessId}`
  return rows.map(row => present(row))
}

/** Starts an advance to `targetAt`. */
export async function setOut(
  sql: Sql,
  of: { testClockId: string; targetAt: Date; leasedUntil: Date | null; now: Date },
): Promise<void> {
  await sql`
    update test_clocks set status = 'ADVANCING', target_at = ${of.targetAt}, leased_until = ${of.leasedUntil}, updated_at = ${of.now}
    where test_clock_id = ${of.testClockId}`
}

/** Takes the lease of a clock, in real time: one process drives a clock, and another takes over after a crash. */
export async function leaseTestClock(
  sql: Sql,
  lease: { testClockId: string; now: Date; until: Date },
): Promise<boolean> {
  const leased = await sql`
    update test_clocks set leased_until = ${lease.until}
    where test_clock_id = ${lease.testClockId} and status = 'ADVANCING'
      and (leased_until is null or leased_until <= ${lease.now})`
  return leased.count > 0
}

/** Renews the lease of an ADVANCING clock. */
export async function extendLease(sql: Sql, lease: { testClockId: string; until: Date }): Promise<void> {
  await sql`
    update test_clocks set leased_until = ${lease.until}
    where test_clock_id = ${lease.testClockId} and status = 'ADVANCING'`
}

/** Ends an advance, at its goal or before. */
export async function arrive(sql: Sql, of: { testClockId: string; now: Date }): Promise<void> {
  await sql`
    update test_clocks set status = 'READY', target_at = null, leased_until = null, updated_at = ${of.now}
    where test_clock_id = ${of.testClockId}`
}

/** Finds ADVANCING clocks without a driver, longest wait first. */
export async function findUndriven(sql: Sql, of: { now: Date; limit: number }): Promise<string[]> {
  const rows = await sql<{ testClockId: string }[]>`
    select test_clock_id as "testClockId" from test_clocks
    where status = 'ADVANCING' and (leased_until is null or leased_until <= ${of.now})
    order by leased_until nulls first, test_clock_id
    limit ${of.limit}`
  return rows.map(row => row.testClockId)
}

/** Finds READY clocks with due subscriptions. Reads `businesses` and `subscriptions`. */
export async function findBehind(sql: Sql, of: { realNow: Date; limit: number }) {
  return await sql<{ testClockId: string; businessId: string }[]>`
    select c.test_clock_id as "testClockId", c.business_id as "businessId"
    from test_clocks as c join businesses as b using (business_id)
    where c.status = 'READY' and exists (
      select 1 from subscriptions as s
      where s.test_clock_id = c.test_clock_id and s.next_action_at <= b.clock_now
        and (s.retry_at is null or s.retry_at <= ${of.realNow}))
    order by c.test_clock_id
    limit ${of.limit}`
}

export async function deleteTestClock(sql: Sql, testClockId: string): Promise<void> {
  await sql`delete from test_clocks where test_clock_id = ${testClockId}`
}

const columns = (sql: Sql) => sql`
  test_clock_id as "testClockId", business_id as "businessId", status, target_at as "targetAt",
  created_at as "createdAt", updated_at as "updatedAt"`
