import type { Sql } from '../../platform/db/db.ts'

/** Live subscriptions of an app in real time. */
export async function countLiveOfApp(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from subscriptions where app_id = ${appId} and status <> 'ENDED' and test_clock_id is null`
  return row?.total ?? 0
}

/** Whether the business has a live subscription that will be charged again. */
export async function hasLivePaid(sql: Sql, businessId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from subscriptions
    where business_id = ${businessId} and status <> 'ENDED' and (amount > 0 or pending_amount > 0)
      and (cancel_at is null or payment_status = 'PAST_DUE') limit 1`
  return rows.length > 0
}
