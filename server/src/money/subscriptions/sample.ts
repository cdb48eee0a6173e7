import type { Subscription } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present } from '../../platform/db/sql.ts'
import { columns, notHeld, type Row } from './store.ts'

/** Subscriptions that have not ended, of real and test merchants. Changes of the last second may be missing. */
export async function countLive(sql: Sql): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(count), 0)::integer as total from subscription_counts
    where list_id in (select app_id from apps) and span = 'ALL' and status <> 'ENDED'`
  return row?.total ?? 0
}

/** Subscriptions on one page of the table were often created on one day, so a sample takes a tenth of the rows of ten times as many pages. */
const PAGES_PER_ROW = 10
/** The filter compares 16 bits of the id's hash. */
const HASHES = 65_536

/**
 * Samples subscriptions of real merchants with a next action before an instant. The chance of a subscription is `share`, above 0 and up to 1: with 1 the
 * sample is complete. The sample stays the same while the table grows, so that figures do not jump between two calls.
 */
export async function sampleNextActions(sql: Sql, of: { until: Date; share: number }): Promise<Subscription[]> {
  const pages = Math.min(1, of.share * PAGES_PER_ROW)
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions tablesample system (${pages * 100}) repeatable (0)
    where (uuid_hash(subscription_id) & ${HASHES - 1}) < ${Math.round((of.share / pages) * HASHES)}
      and next_action_at < ${of.until} and test_clock_id is null and merchant_type = 'MERCHANT' and ${notHeld(sql)}
    order by next_action_at, subscription_id`
  return rows.map((row): Subscription => present(row))
}
