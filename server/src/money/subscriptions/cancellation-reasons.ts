import type { CancellationReason } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Replaces an earlier reason of the subscription. */
export async function saveCancellationReason(
  sql: Sql,
  { subscriptionId, reason, comment, now }: CancellationReason & { subscriptionId: string; now: Date },
): Promise<void> {
  await sql`
    insert into cancellation_reasons (subscription_id, reason, comment, created_at)
    values (${subscriptionId}, ${reason}, ${comment}, ${now})
    on conflict (subscription_id) do update
      set reason = excluded.reason, comment = excluded.comment, created_at = excluded.created_at`
}

/** Null: the merchant gave none. */
export async function findCancellationReason(sql: Sql, subscriptionId: string): Promise<CancellationReason | null> {
  const [row] = await sql<CancellationReason[]>`
    select reason, comment from cancellation_reasons where subscription_id = ${subscriptionId}`
  return row ?? null
}
