import type { App, AppStatus } from '../../core/app.ts'
import type { Slice } from '../../core/page.ts'
import type { PublicJwk } from '../../core/public-key.ts'
import type { Search } from '../../core/search.ts'
import type { Sql } from '../../platform/db/db.ts'
import { matching } from '../../platform/db/search.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

export interface ActiveKey {
  readonly kid: string
  readonly publicJwk: PublicJwk
  readonly createdAt: Date
  /** Time of the last assertion signed with the key, recorded at most once an hour. Null: never. */
  readonly lastUsedAt: Date | null
  /** Address of the caller at that time. Null: never used. */
  readonly lastUsedFrom: string | null
}

export async function findApp(sql: Sql, appId: string): Promise<App | null> {
  const [row] = await sql<RowOf<App>[]>`select ${columns(sql)} from apps where app_id = ${appId}`
  return row ? present(row) : null
}

export async function findAppByPackageName(sql: Sql, packageName: string): Promise<App | null> {
  const [row] = await sql<RowOf<App>[]>`select ${columns(sql)} from apps where package_name = ${packageName}`
  return row ? present(row) : null
}

export async function countApps(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from apps where organization_id = ${organizationId}`
  return row?.count ?? 0
}

/** Unknown ids are missing from the result. */
export async function findApps(sql: Sql, appIds: readonly string[]): Promise<App[]> {
  if (appIds.length === 0) return []
  const rows = await sql<
    RowOf<App>[]
  >`select ${columns(sql)} from apps where app_id = any(${appIds as string[]}::uuid[])`
  return rows.map(row => present(row))
}

interface AppFilter {
  readonly organizationId?: string
  readonly status?: AppStatus
  readonly search?: Search
}

/** Newest first. */
export async function listApps(
  sql: Sql,
  { organizationId, status, search }: AppFilter,
  { limit, after }: Slice,
): Promise<App[]> {
  const words = sql`search_words(name || ' ' || package_name)`
  const rows = await sql<RowOf<App>[]>`
    select ${columns(sql)} from apps
    where true
      ${search ? sql`and ${matching(sql, search, { id: 'app_id', words })}` : sql``}
      ${organizationId ? sql`and organization_id = ${organizationId}` : sql``}
      ${status ? sql`and status = ${status}` : sql``}
      ${after ? sql`and app_id < ${after}` : sql``}
    order by app_id desc limit ${limit}`
  return rows.map(row => present(row))
}

/** The apps in the store with a plan on sale in the country, newest first. Reads `plans`. */
export async function listAppsSoldIn(
  sql: Sql,
  { country, search }: { readonly country: string; readonly search?: Search },
  { limit, after }: Slice,
): Promise<App[]> {
  const words = sql`search_words(name || ' ' || package_name)`
  const priced = JSON.stringify([{ country }])
  const rows = await sql<RowOf<App>[]>`
    select ${columns(sql)} from apps
    where status = 'ACTIVE'
      ${search ? sql`and ${matching(sql, search, { id: 'app_id', words })}` : sql``}
      ${after ? sql`and app_id < ${after}` : sql``}
      and exists (
        select 1 from plans as p
        where p.app_id = apps.app_id and p.status = 'ACTIVE' and p.amounts @> ${priced}::text::jsonb)
    order by app_id desc limit ${limit}`
  return rows.map(row => present(row))
}

/** Locks the app until the transaction ends, so that no two concurrent changes of keys, plans or hooks exceed a quota. */
export async function lockApp(sql: Sql, appId: string): Promise<App | null> {
  const [row] = await sql<RowOf<App>[]>`select ${columns(sql)} from apps where app_id = ${appId} for no key update`
  return row ? present(row) : null
}

/** Locks all apps of an organization, in the order of their ids. */
export async function lockAppsOf(sql: Sql, organizationId: string): Promise<App[]> {
  const rows = await sql<RowOf<App>[]>`
    select ${columns(sql)} from apps where organization_id = ${organizationId} order by app_id for no key update`
  return rows.map(row => present(row))
}

/** False when the package name is another app's. The constraint decides, so two at once cannot both win. */
export async function insertApp(sql: Sql, app: App): Promise<boolean> {
  const inserted = await sql`
    insert into apps
      (app_id, organization_id, name, package_name, callback_urls, status, disabled_by, icon_sha256, icon_content_type,
        created_at, updated_at)
    values (${app.appId}, ${app.organizationId}, ${app.name}, ${app.packageName},
      ${app.callbackUrls as string[]}::text[], ${app.status}, ${app.disabledBy ?? null},
      ${app.icon?.sha256 ?? null}, ${app.icon?.contentType ?? null}, ${app.createdAt}, ${app.updatedAt})
    on conflict on constraint apps_package_name_once do nothing`
  return inserted.count === 1
}

export async function saveApp(sql: Sql, app: App): Promise<void> {
  await sql`
    update apps set
      name = ${app.name}, callback_urls = ${app.callbackUrls as string[]}::text[], status = ${app.status},
      disabled_by = ${app.disabledBy ?? null},
      held_since = coalesce(held_since, case when ${app.disabledBy ?? null}::text = 'OPERATOR' then ${app.updatedAt}::timestamptz end),
      resumed_to = case when ${app.disabledBy ?? null}::text = 'OPERATOR' then null else resumed_to end,
      icon_sha256 = ${app.icon?.sha256 ?? null}, icon_content_type = ${app.icon?.contentType ?? null},
      updated_at = ${app.updatedAt}
    where app_id = ${app.appId}`
}

/** An app that the operator enabled again, while some of its subscriptions are still on hold. */
export interface ResumingApp {
  readonly appId: string
  readonly heldSince: Date
  /** Subscriptions up to this id have been continued. */
  readonly resumedTo: string | null
}

/** Whether the operator has enabled an app again while some of its subscriptions are still on hold. Runs without a transaction, because every poll calls it. */
export async function hasResumingApp(sql: Sql): Promise<boolean> {
  return (await sql`select 1 from apps where held_since is not null and status = 'ACTIVE' limit 1`).length > 0
}

/** Locks one resuming app. Apps that another process has locked are skipped. */
export async function lockResumingApp(sql: Sql): Promise<ResumingApp | null> {
  const [row] = await sql<ResumingApp[]>`
    select app_id as "appId", held_since as "heldSince", resumed_to as "resumedTo" from apps
    where held_since is not null and status = 'ACTIVE' limit 1 for no key update skip locked`
  return row ?? null
}

/** Locks an app, and returns the instant since which the operator has the app disabled. Null: the operator has not. */
export async function lockHeldSince(sql: Sql, appId: string): Promise<Date | null> {
  const [row] = await sql<{ heldSince: Date | null }[]>`
    select held_since as "heldSince" from apps
    where app_id = ${appId} and status = 'DISABLED' and disabled_by = 'OPERATOR' for no key update`
  return row?.heldSince ?? null
}

/** Saves the progress. `resumedTo` null: all subscriptions of the app are continued, and the hold is over. */
export async function saveResumed(sql: Sql, appId: string, resumedTo: string | null): Promise<void> {
  if (resumedTo === null) await sql`update apps set held_since = null, resumed_to = null where app_id = ${appId}`
  else await sql`update apps set resumed_to = ${resumedTo} where app_id = ${appId}`
}

/** The subset of the apps whose subscriptions are held. */
export async function findHeldApps(sql: Sql, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ appId: string }[]>`
    select app_id as "appId" from apps where held_since is not null and app_id = any(${appIds as string[]}::uuid[])`
  return new Set(rows.map(({ appId }) => appId))
}

/** The active keys, oldest first. */
export async function findActiveKeys(sql: Sql, appId: string): Promise<ActiveKey[]> {
  return await sql<ActiveKey[]>`
    select kid, public_jwk as "publicJwk", created_at as "createdAt", ${lastUse(sql)} from app_keys
    where app_id = ${appId} and revoked_at is null
    order by created_at, kid`
}

/** Finds a key by id, active or revoked: a key id names one key forever. */
export async function findKey(
  sql: Sql,
  of: { appId: string; kid: string },
): Promise<(ActiveKey & { readonly revokedAt: Date | null }) | null> {
  const [row] = await sql<(ActiveKey & { revokedAt: Date | null })[]>`
    select kid, public_jwk as "publicJwk", created_at as "createdAt", ${lastUse(sql)},
      revoked_at as "revokedAt"
    from app_keys
    where app_id = ${of.appId} and kid = ${of.kid}`
  return row ?? null
}

/** The active keys of several apps, by app, oldest first. */
export async function findActiveKeysOfApps(sql: Sql, appIds: readonly string[]): Promise<Map<string, ActiveKey[]>> {
  const rows = await sql<(ActiveKey & { appId: string })[]>`
    select app_id as "appId", kid, public_jwk as "publicJwk", created_at as "createdAt", ${lastUse(sql)}
    from app_keys
    where app_id = any(${appIds as string[]}::uuid[]) and revoked_at is null
    order by app_id, created_at, kid`
  return Map.groupBy(rows, ({ appId }) => appId)
}

export async function insertKey(
  sql: Sql,
  key: { appId: string; kid: string; publicJwk: PublicJwk; createdAt: Date },
): Promise<void> {
  await sql`
    insert into app_keys (app_id, kid, public_jwk, created_at)
    values (${key.appId}, ${key.kid}, ${sql.json({ ...key.publicJwk })}, ${key.createdAt})`
}

/** Records that an assertion from `address` proved the key, unless a use after `before` is recorded. */
export async function recordKeyUse(
  sql: Sql,
  { appId, kid, address, now, before }: { appId: string; kid: string; address: string; now: Date; before: Date },
): Promise<void> {
  await sql`
    update app_keys set last_used_at = ${now}, last_used_from = ${address}
    where app_id = ${appId} and kid = ${kid} and (last_used_at is null or last_used_at < ${before})`
}

/** Returns false if the app has no such active key. The caller ends the tokens of the key. */
export async function revokeKey(sql: Sql, appId: string, kid: string, now: Date): Promise<boolean> {
  const revoked = await sql`
    update app_keys set revoked_at = ${now} where app_id = ${appId} and kid = ${kid} and revoked_at is null`
  return revoked.count === 1
}

const lastUse = (sql: Sql) => sql`last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom"`

const columns = (sql: Sql) => sql`
  app_id as "appId", organization_id as "organizationId", name, package_name as "packageName",
  callback_urls as "callbackUrls", status, disabled_by as "disabledBy",
  case when icon_sha256 is not null then jsonb_build_object('contentType', icon_content_type, 'sha256', icon_sha256) end
    as icon,
  created_at as "createdAt", updated_at as "updatedAt"`
