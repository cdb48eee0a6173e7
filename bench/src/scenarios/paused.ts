import type { Sql } from 'postgres'

/** Notifications for these apps' hooks stay queued until `resume`, as behind an open breaker. */
export async function pause(sql: Sql, appIds: readonly string[]): Promise<void> {
  await sql`
    insert into hook_health (hook_id, failures, failing_since, opened, open_until)
    select hook_id, 5, current_timestamp, 1, current_timestamp + interval '1 day'
    from hooks where app_id = any(${appIds as string[]}::uuid[])
    on conflict (hook_id) do update set opened = excluded.opened, open_until = excluded.open_until`
}

export async function resume(sql: Sql, appIds: readonly string[]): Promise<void> {
  await sql`
    delete from hook_health where hook_id in (select hook_id from hooks where app_id = any(${appIds as string[]}::uuid[]))`
}
