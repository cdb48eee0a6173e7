import {
  afterSign,
  type DisabledReason,
  type HealthSign,
  type HookHealth,
  reasonToDisable,
} from '../../core/hook-health.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present } from '../../platform/db/sql.ts'

/*
 * The table hook_health has a row only for hooks that are not well, so that the others cost a probe of a small index.
 * It is a table, and not memory, as every process must see an open breaker, and only one may probe.
 */

interface Row {
  hookId: string
  failures: number
  failingSince: Date | null
  goneSince: Date | null
  lastFailure: string | null
  lastFailedAt: Date | null
  opened: number
  openUntil: Date | null
  probeLease: string | null
}

export interface HookChanges {
  /** These do not listen from now on. */
  readonly disabled: readonly DisabledHook[]
  /** The breakers of these are open, */
  readonly open: readonly string[]
  /** and of these they were not before. */
  readonly opened: readonly string[]
  /** Of these they were open: what waited for them can be sent. */
  readonly closed: readonly string[]
}

export interface DisabledHook {
  readonly hookId: string
  readonly reason: DisabledReason
}

/** It misses what happens since it began to fail. */
interface ToDisable extends DisabledHook {
  readonly since: Date
}

/** Of those that are not well; the others are left out. */
export async function findHookHealth(sql: Sql, hookIds: readonly string[]): Promise<Map<string, HookHealth>> {
  if (hookIds.length === 0) return new Map()
  return toMap(
    await sql<Row[]>`
      select ${columns(sql)} from hook_health where hook_id = any(${hookIds as string[]}::uuid[])`,
  )
}

/** Forgets what was: the breaker is closed, and the days of failing begin anew. */
export async function resetHookHealth(sql: Sql, hookIds: readonly string[]): Promise<void> {
  await sql`delete from hook_health where hook_id = any(${hookIds as string[]}::uuid[])`
}

/** Probes that were not made, or told nothing: others may be made at once. What the breaker was left by another lease stays. */
export async function giveBackProbes(
  sql: Sql,
  probes: readonly { readonly hookId: string; readonly leaseId: string }[],
  now: Date,
): Promise<void> {
  if (probes.length === 0) return
  await sql`
    with given as materialized (
      select b.hook_id from hook_health as b
      where (b.hook_id, b.probe_lease) in (
        select u.hook_id, u.lease_id
        from unnest(${probes.map(({ hookId }) => hookId)}::uuid[], ${probes.map(({ leaseId }) => leaseId)}::uuid[])
          as u (hook_id, lease_id))
      order by b.hook_id for update)
    update hook_health as b set open_until = ${now}, probe_lease = null
    from given as g where b.hook_id = g.hook_id`
}

/**
 * Adds what attempts tell of their hooks, in the order given; hooks that have failed for too long listen no longer.
 * Returns what the caller must know of them.
 */
export async function saveHookHealth(
  sql: Sql,
  signs: readonly (HealthSign & { readonly hookId: string })[],
  now: Date,
): Promise<HookChanges> {
  const hookIds = [...new Set(signs.map(({ hookId }) => hookId))].sort()
  const unwell = new Set(signs.filter(sign => afterSign(undefined, sign) !== undefined).map(({ hookId }) => hookId))
  await addHookHealth(
    sql,
    hookIds.filter(hookId => unwell.has(hookId)),
  )
  const before = await lockHookHealth(sql, hookIds)
  const after = new Map<string, HookHealth | undefined>(before)
  for (const { hookId, ...sign } of signs) after.set(hookId, afterSign(after.get(hookId), sign))
  const ailing = hookIds.flatMap(hookId => {
    const health = after.get(hookId)
    return health === undefined ? [] : [{ hookId, ...health }]
  })
  const well = hookIds.filter(hookId => before.has(hookId) && after.get(hookId) === undefined)
  if (well.length > 0) await resetHookHealth(sql, well)
  const open = ailing.filter(({ openUntil }) => openUntil !== undefined).map(({ hookId }) => hookId)
  const wasOpen = (hookId: string) => before.get(hookId)?.openUntil !== undefined
  const closed = hookIds.filter(hookId => wasOpen(hookId) && !open.includes(hookId))
  if (ailing.length === 0) return { disabled: [], open, opened: [], closed }
  await upsertHookHealth(sql, ailing)
  const overdue = ailing.flatMap(({ hookId, ...health }) => {
    const reason = reasonToDisable(health, now)
    return reason === null ? [] : [{ hookId, reason, since: health.failingSince ?? now }]
  })
  return {
    disabled: await disable(sql, overdue, now),
    open,
    opened: open.filter(hookId => !wasOpen(hookId)),
    closed,
  }
}

/**
 * A row to lock for each hook that will have one. Where there was none two processes would begin anew at once, and the later would undo the
 * breaker that the other opened. In the order of their ids, as they are locked. Who deletes a hook meanwhile waits, or is waited for: or its
 * row would stay for ever.
 */
async function addHookHealth(sql: Sql, hookIds: readonly string[]): Promise<void> {
  if (hookIds.length === 0) return
  await sql`
    insert into hook_health (hook_id, failures, opened)
    select h.hook_id, 0, 0 from hooks as h where h.hook_id = any(${hookIds as string[]}::uuid[]) order by h.hook_id
    for key share
    on conflict (hook_id) do nothing`
}

async function lockHookHealth(sql: Sql, hookIds: readonly string[]): Promise<Map<string, HookHealth>> {
  return toMap(
    await sql<Row[]>`
      select ${columns(sql)} from hook_health where hook_id = any(${hookIds as string[]}::uuid[])
      order by hook_id for update`,
  )
}

/** In the order of their ids, so that two processes do not wait for each other. */
async function upsertHookHealth(sql: Sql, rows: readonly (HookHealth & { readonly hookId: string })[]): Promise<void> {
  await sql`
    insert into hook_health (
      hook_id, failures, failing_since, gone_since, last_failure, last_failed_at, opened, open_until, probe_lease)
    select "hookId", failures, "failingSince", "goneSince", "lastFailure", "lastFailedAt", opened, "openUntil", "probeLease"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x (
      "hookId" uuid, failures integer, "failingSince" timestamptz, "goneSince" timestamptz, "lastFailure" text,
      "lastFailedAt" timestamptz, opened integer, "openUntil" timestamptz, "probeLease" uuid)
    where exists (select 1 from hooks as h where h.hook_id = x."hookId")
    on conflict (hook_id) do update set
      failures = excluded.failures, failing_since = excluded.failing_since, gone_since = excluded.gone_since,
      last_failure = excluded.last_failure, last_failed_at = excluded.last_failed_at, opened = excluded.opened, open_until = excluded.open_until,
      probe_lease = excluded.probe_lease`
}

async function disable(sql: Sql, hooks: readonly ToDisable[], now: Date): Promise<DisabledHook[]> {
  if (hooks.length === 0) return []
  return [
    ...(await sql<DisabledHook[]>`
      update hooks as h set active = false, disabled_reason = x.reason, off_since = x.since, updated_at = ${now}
      from unnest(
        ${hooks.map(({ hookId }) => hookId)}::uuid[], ${hooks.map(({ reason }) => reason)}::text[],
        ${hooks.map(({ since }) => since.toISOString())}::text[]::timestamptz[]) as x (hook_id, reason, since)
      where h.hook_id = x.hook_id and h.active
      returning h.hook_id as "hookId", x.reason`),
  ]
}

function toMap(rows: readonly Row[]): Map<string, HookHealth> {
  return new Map(
    rows.map(row => {
      const { hookId, ...health } = present(row)
      return [hookId, health]
    }),
  )
}

const columns = (sql: Sql) => sql`
  hook_id as "hookId", failures, failing_since as "failingSince", gone_since as "goneSince",
  last_failure as "lastFailure", last_failed_at as "lastFailedAt", opened, open_until as "openUntil", probe_lease as "probeLease"`
