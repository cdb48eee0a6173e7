import { type Event, type EventType, isOrderEvent } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, pipeline, present, type RowOf, send } from '../../platform/db/sql.ts'

/** The hooks that a caller may see must satisfy every given field. An absent field does not filter. */
export interface HookBounds {
  readonly appId?: string
  /** Only hooks of this merchant, without app-wide hooks. */
  readonly businessId?: string
  /** Only hooks of this organization's apps. */
  readonly organizationId?: string
}

/** The bounds of all ids. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A hook or an event stream that receives one of the events. */
export interface Listener {
  readonly event: Event
  /** The stream's id, if `isStream`. */
  readonly hookId: string
  /** True: the event is recorded for the stream, and nothing is delivered. */
  readonly isStream: boolean
  readonly appId: string
  readonly deliveryUrl: string
  readonly sealedSecrets: Buffer
  readonly version: number
  /** False: the service disabled the hook. Its notifications are recorded and not queued. */
  readonly active: boolean
}

/**
 * The hooks for these events. Decisions 7: billing events go to the app's hooks; order events go to hooks of every app that the merchant
 * approved. The statement locks the `approvals` that it reads until the transaction ends, so a revocation waits and then ends the queued
 * deliveries. Both kinds go to the merchant's hooks and to app-wide hooks. Notifications are also recorded for hooks that the service disabled,
 * because the developer may ask for the missed notifications when enabling the hook. Each kind has its own statement, because a statement for
 * both takes longer to plan. Event streams receive all types. Reads `event_streams`.
 */
export async function findListeners(sql: Sql, events: readonly Event[], now: Date): Promise<Listener[]> {
  const [billed, ordered] = [events.filter(event => !isOrderEvent(event)), events.filter(isOrderEvent)]
  const found = await pipeline([
    findListenersOf(sql, billed, OF_THEIR_APP, now),
    findListenersOf(sql, ordered, OF_APPROVED_APPS, now),
  ])
  return found.flat()
}

const OF_THEIR_APP = part`select app_id, business_id, event_type, place from e`

const OF_APPROVED_APPS = part`
  select a.app_id, e.business_id, e.event_type, e.place
  from e join approvals as a on a.business_id = e.business_id and a.revoked_at is null
  for share of a`

const LISTENS = part`(o.active or o.disabled_reason is not null) and wanted.event_type = any(o.event_types)`

/**
 * A merchant's hooks and app-wide hooks are read separately; one query would read the hooks of all the app's merchants for each event. The
 * LIMIT never removes a row. It makes PostgreSQL estimate one row per event and keep one generic plan.
 */
async function findListenersOf(sql: Sql, events: readonly Event[], wanted: Part, now: Date): Promise<Listener[]> {
  if (events.length === 0) return []
  const appIds = events.map(event => (isOrderEvent(event) ? null : event.appId))
  const businessIds = events.map(({ businessId }) => businessId)
  const eventTypes = events.map(({ eventType }) => eventType)
  const rows = await send<(Omit<Listener, 'event'> & { place: number })[]>(
    sql,
    part`
      with e as (
        select x.app_id, x.business_id, x.event_type, x.place
        from unnest(${appIds}::uuid[], ${businessIds}::uuid[], ${eventTypes}::text[]) with ordinality
          as x (app_id, business_id, event_type, place)
        limit ${events.length}),
      wanted as (${wanted})
      select wanted.place, h.hook_id as "hookId", h.app_id as "appId", h.delivery_url as "deliveryUrl",
        h.secret as "sealedSecrets", h.version, h.active, h.is_stream as "isStream"
      from wanted
      cross join lateral (
        select o.hook_id, o.app_id, o.delivery_url, o.secret, o.version, o.active, false as is_stream from hooks as o
        where o.app_id = wanted.app_id and o.business_id = wanted.business_id and ${LISTENS}
        union all
        select o.hook_id, o.app_id, o.delivery_url, o.secret, o.version, o.active, false from hooks as o
        where o.app_id = wanted.app_id and o.business_id is null and ${LISTENS}
        union all
        select s.stream_id, s.app_id, '', ''::bytea, 0, true, true from event_streams as s
        where s.app_id = wanted.app_id and (s.business_id is null or s.business_id = wanted.business_id)
          and s.expires_at > ${now}) as h
      order by wanted.place, h.hook_id`,
  )
  return rows.flatMap(({ place, ...listener }) => {
    const event = events[place - 1]
    return event === undefined ? [] : [{ ...listener, event }]
  })
}

/** With `isLocked`, no other transaction changes the hook until this one ends. */
export async function findHook(
  sql: Sql,
  hookId: string,
  { isLocked = false, ...bounds }: HookBounds & { readonly isLocked?: boolean } = {},
): Promise<Hook | null> {
  const [row] = await sql<RowOf<Hook>[]>`
    select ${columns(sql)} from hooks as h where hook_id = ${hookId} ${within(sql, bounds)}
    ${isLocked ? sql`for update` : sql``}`
  return row ? present(row) : null
}

/** The app's hooks for a business: the business's own and the app-wide ones. */
export async function findHookIds(sql: Sql, of: { appId: string; businessId: string }): Promise<string[]> {
  const rows = await sql<{ hookId: string }[]>`
    select hook_id as "hookId" from hooks
    where app_id = ${of.appId} and (business_id is null or business_id = ${of.businessId})`
  return rows.map(({ hookId }) => hookId)
}

/** The existing hook with this app, business, URL and set of event types. */
export async function findSameHook(
  sql: Sql,
  hook: Pick<Hook, 'appId' | 'businessId'>,
  fingerprint: Buffer,
): Promise<Hook | null> {
  const [row] = await sql<RowOf<Hook>[]>`
    select ${columns(sql)} from hooks as h
    where app_id = ${hook.appId} and ${ofBusiness(sql, hook)} and fingerprint = ${fingerprint}`
  return row ? present(row) : null
}

/** Counts the hooks of an app and business, or, without a business, the app-wide ones. */
export async function countHooks(sql: Sql, of: Pick<Hook, 'appId' | 'businessId'>): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from hooks where app_id = ${of.appId} and ${ofBusiness(sql, of)}`
  return row?.total ?? 0
}

export async function insertHook(
  sql: Sql,
  hook: Hook,
  { sealedSecrets, fingerprint }: { readonly sealedSecrets: Buffer; readonly fingerprint: Buffer },
): Promise<void> {
  await sql`
    insert into hooks (
      hook_id, app_id, business_id, delivery_url, secret, event_types, fingerprint, active, created_at, updated_at)
    values (
      ${hook.hookId}, ${hook.appId}, ${hook.businessId ?? null}, ${hook.deliveryUrl}, ${sealedSecrets},
      ${hook.eventTypes as EventType[]}::text[], ${fingerprint}, ${hook.active}, ${hook.createdAt},
      ${hook.updatedAt})`
}

/** Replaces the secret and activates the hook, also after the service disabled it. Null if the hook was deleted. */
export async function renewHook(
  sql: Sql,
  { hookId, sealedSecrets, now }: { hookId: string; sealedSecrets: Buffer; now: Date },
): Promise<Hook | null> {
  const [row] = await sql<RowOf<Hook>[]>`
    update hooks as h set secret = ${sealedSecrets}, active = true, disabled_reason = null, off_since = null,
      updated_at = ${now}, version = version + 1
    where hook_id = ${hookId}
    returning ${columns(sql)}`
  return row ? present(row) : null
}

/** Saves the changeable fields; the secrets only if given. */
export async function saveHook(
  sql: Sql,
  hook: Hook,
  { sealedSecrets, fingerprint }: { readonly sealedSecrets: Buffer | null; readonly fingerprint: Buffer },
): Promise<void> {
  await sql`
    update hooks set delivery_url = ${hook.deliveryUrl}, event_types = ${hook.eventTypes as EventType[]}::text[],
      fingerprint = ${fingerprint}, active = ${hook.active}, disabled_reason = ${hook.disabledReason ?? null},
      off_since = ${hook.offSince ?? null}, secret = coalesce(${sealedSecrets}::bytea, secret), updated_at = ${hook.updatedAt},
      version = version + 1
    where hook_id = ${hook.hookId}`
}

/** Null if the hook was deleted. */
export async function findSealedSecrets(sql: Sql, hookId: string): Promise<Buffer | null> {
  const [row] = await sql<{ secret: Buffer }[]>`select secret from hooks where hook_id = ${hookId}`
  return row?.secret ?? null
}

export async function saveSecrets(
  sql: Sql,
  { hookId, sealedSecrets, now }: { hookId: string; sealedSecrets: Buffer; now: Date },
): Promise<void> {
  await sql`
    update hooks set secret = ${sealedSecrets}, updated_at = ${now}, version = version + 1 where hook_id = ${hookId}`
}

/** Returns the ids of the active hooks among these. */
export async function findActiveHooks(sql: Sql, hookIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ hookId: string }[]>`
    select hook_id as "hookId" from hooks where hook_id = any(${hookIds as string[]}::uuid[]) and active`
  return new Set(rows.map(({ hookId }) => hookId))
}

/** Whether the app has an active hook for this business or, without a business, any active hook. Reads no inactive hooks, like `list.ts`. */
export async function hasActiveHook(sql: Sql, of: Pick<Hook, 'appId' | 'businessId'>): Promise<boolean> {
  const { appId, businessId } = of
  const rows =
    businessId === undefined
      ? await sql`
          select hook_id from hooks
          where (active, app_id, hook_id) > (true, ${appId}, ${FIRST_ID}::uuid)
            and (active, app_id, hook_id) <= (true, ${appId}, ${LAST_ID}::uuid)
          order by active, app_id, hook_id
          limit 1`
      : await sql`
          select hook_id from hooks
          where app_id = ${appId} and active and (business_id is null or business_id = ${businessId})
          limit 1`
  return rows.length > 0
}

/** Returns false if the hook does not exist. The caller must end the hook's queue in the same transaction. */
export async function deleteHookRow(sql: Sql, hookId: string): Promise<boolean> {
  return (await sql`delete from hooks where hook_id = ${hookId}`).count === 1
}

/** Until the transaction ends, no other transaction adds a hook to this app. The caller counts hooks and looks for a duplicate under this lock. */
export async function lockHooksOfApp(sql: Sql, appId: string): Promise<void> {
  // A lock on the app's row would block every insert that refers to the app.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hooks:${appId}`}, 0))`
}

/** "is not distinct from" cannot use an index. */
const ofBusiness = (sql: Sql, { businessId }: Pick<Hook, 'businessId'>) =>
  businessId === undefined ? sql`business_id is null` : sql`business_id = ${businessId}`

const within = (sql: Sql, { appId, businessId, organizationId }: HookBounds) => sql`
  ${appId === undefined ? sql`` : sql`and h.app_id = ${appId}`}
  ${businessId === undefined ? sql`` : sql`and h.business_id = ${businessId}`}
  ${organizationId === undefined ? sql`` : sql`and ${ofOrganization(sql, organizationId)}`}`

const ofOrganization = (sql: Sql, organizationId: string) => sql`
  exists (select 1 from apps as a where a.app_id = h.app_id and a.organization_id = ${organizationId})`

export const columns = (sql: Sql) => sql`
  h.hook_id as "hookId", h.app_id as "appId", h.business_id as "businessId", h.delivery_url as "deliveryUrl",
  h.event_types as "eventTypes", h.active, h.disabled_reason as "disabledReason",
  h.off_since as "offSince", h.created_at as "createdAt", h.updated_at as "updatedAt"`
