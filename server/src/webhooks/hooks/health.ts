import type { DisabledReason, HookHealth } from '../../core/hook-health.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/*
 * The table hook_health has a row only for unhealthy hooks. The owner of a hook's queue (webhooks/deliveries) keeps the health in memory and
 * writes it with the attempts that changed it; the table serves the screens and the next owner.
 */

export interface DisabledHook {
  readonly hookId: string
  readonly reason: DisabledReason
}

/** The health of these hooks; healthy hooks are left out. */
export async function findHookHealth(sql: Sql, hookIds: readonly string[]): Promise<Map<string, HookHealth>> {
  if (hookIds.length === 0) return new Map()
  const rows = await sql<(RowOf<HookHealth> & { readonly hookId: string })[]>`
    select hook_id as "hookId", failures, failing_since as "failingSince", gone_since as "goneSince",
      last_failure as "lastFailure", last_failed_at as "lastFailedAt", opened, open_until as "openUntil"
    from hook_health where hook_id = any(${hookIds as string[]}::uuid[])`
  return new Map(rows.map(row => present(row)).map(({ hookId, ...health }) => [hookId, health]))
}

/** Closes the breakers, and restarts the count of failing days. */
export async function resetHookHealth(sql: Sql, hookIds: readonly string[]): Promise<void> {
  await sql`delete from hook_health where hook_id = any(${hookIds as string[]}::uuid[])`
}

/** The health of a hook after its last attempt. */
export interface HealthToSave {
  readonly hookId: string
  readonly version: number
  readonly health: HookHealth | undefined
}

/** Saves the health of hooks that have not changed since this version was read. */
export async function saveHookHealth(sql: Sql, healths: readonly HealthToSave[]): Promise<void> {
  const well = healths.filter(({ health }) => health === undefined).map(({ hookId }) => hookId)
  if (well.length > 0) await resetHookHealth(sql, well)
  const unhealthy = healths.flatMap(({ hookId, version, health }) => (health ? [{ hookId, version, ...health }] : []))
  if (unhealthy.length === 0) return
  await sql`
    insert into hook_health (
      hook_id, failures, failing_since, gone_since, last_failure, last_failed_at, opened, open_until)
    select "hookId", failures, "failingSince", "goneSince", "lastFailure", "lastFailedAt", opened, "openUntil"
    from jsonb_to_recordset(${JSON.stringify(unhealthy)}::text::jsonb) as x (
      "hookId" uuid, version integer, failures integer, "failingSince" timestamptz, "goneSince" timestamptz,
      "lastFailure" text, "lastFailedAt" timestamptz, opened integer, "openUntil" timestamptz)
    where (x."hookId", x.version) in (select h.hook_id, h.version from hooks as h where h.hook_id = x."hookId" for key share)
    on conflict (hook_id) do update set
      failures = excluded.failures, failing_since = excluded.failing_since, gone_since = excluded.gone_since,
      last_failure = excluded.last_failure, last_failed_at = excluded.last_failed_at, opened = excluded.opened,
      open_until = excluded.open_until`
}

/** Disables hooks that failed for too long. Returns the hooks that were active. */
export async function disableHooks(
  sql: Sql,
  hooks: readonly (DisabledHook & { readonly since: Date })[],
  now: Date,
): Promise<DisabledHook[]> {
  if (hooks.length === 0) return []
  return await sql<DisabledHook[]>`
    update hooks as h set active = false, disabled_reason = x.reason, off_since = x.since, updated_at = ${now},
      version = h.version + 1
    from unnest(
      ${hooks.map(({ hookId }) => hookId)}::uuid[], ${hooks.map(({ reason }) => reason)}::text[],
      ${hooks.map(({ since }) => since.toISOString())}::text[]::timestamptz[]) as x (hook_id, reason, since)
    where h.hook_id = x.hook_id and h.active
    returning h.hook_id as "hookId", x.reason`
}
