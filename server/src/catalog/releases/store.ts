import type { Slice } from '../../core/page.ts'
import type { EarlierApk, Release, ReleaseStatus } from '../../core/release.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** A release of the app. A release of another app is not found. */
export async function findRelease(sql: Sql, of: { appId: string; releaseId: string }): Promise<Release | null> {
  const [row] = await sql<RowOf<Release>[]>`
    select ${columns(sql)} from releases where release_id = ${of.releaseId} and app_id = ${of.appId}`
  return row ? present(row) : null
}

/** Locks the release until the transaction ends. */
export async function lockRelease(sql: Sql, of: { appId: string; releaseId: string }): Promise<Release | null> {
  const [row] = await sql<RowOf<Release>[]>`
    select ${columns(sql)} from releases where release_id = ${of.releaseId} and app_id = ${of.appId} for no key update`
  return row ? present(row) : null
}

/** Oldest first. `limit` counts from the offset. */
export async function listReleases(sql: Sql, of: { appId: string; offset: number; limit: number }): Promise<Release[]> {
  const rows = await sql<RowOf<Release>[]>`
    select ${columns(sql, sql`apk - 'icon'`)} from releases where app_id = ${of.appId}
    order by created_at, release_id offset ${of.offset} limit ${of.limit}`
  return rows.map(row => present(row))
}

export async function findLastApproved(sql: Sql, appId: string): Promise<Release | null> {
  const [row] = await sql<RowOf<Release>[]>`
    select ${columns(sql)} from releases where app_id = ${appId} and status = 'APPROVED'
    order by decided_at desc, release_id desc limit 1`
  return row ? present(row) : null
}

export interface ReleasesFilter {
  readonly organizationId?: string
  readonly status?: ReleaseStatus
  /** Absent: newest first. */
  readonly isOldestFirst?: boolean
}

/** Reads `apps`. */
export async function listReleasesOfApps(
  sql: Sql,
  { organizationId, status, isOldestFirst = false }: ReleasesFilter,
  { limit, after }: Slice,
): Promise<Release[]> {
  const rows = await sql<RowOf<Release>[]>`
    select ${columns(sql, sql`apk - 'icon'`)} from releases
    where true
      ${organizationId ? sql`and app_id in (select app_id from apps where organization_id = ${organizationId})` : sql``}
      ${status ? sql`and status = ${status}` : sql``}
      ${after ? sql`and release_id ${isOldestFirst ? sql`>` : sql`<`} ${after}` : sql``}
    order by release_id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`
  return rows.map(row => present(row))
}

export async function countReleases(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from releases where app_id = ${appId}`
  return row?.count ?? 0
}

/** Number of the app's releases created before an instant: the offset of the first release at or after it. */
export async function countReleasesBefore(sql: Sql, of: { appId: string; createdFrom: Date }): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from releases where app_id = ${of.appId} and created_at < ${of.createdFrom}`
  return row?.count ?? 0
}

export async function insertRelease(sql: Sql, release: Release): Promise<void> {
  await sql`
    insert into releases (
      release_id, app_id, version, status, notes, package_size, package_sha256, package_content_type, apk, created_at)
    values (
      ${release.releaseId}, ${release.appId}, ${release.version}, ${release.status}, ${release.notes ?? null},
      ${release.package?.size ?? null}, ${release.package?.sha256 ?? null}, ${release.package?.contentType ?? null},
      ${release.package?.apk === undefined ? null : sql.json(release.package.apk as never)}, ${release.createdAt})`
}

/** The APK with the highest version code among releases that were neither rejected nor withdrawn. */
export async function findLastApk(sql: Sql, appId: string): Promise<EarlierApk | null> {
  const [row] = await sql<EarlierApk[]>`
    select (apk ->> 'versionCode')::float8 as "versionCode", apk ->> 'signerSha256' as "signerSha256" from releases
    where app_id = ${appId} and apk is not null and status in ('SUBMITTED', 'APPROVED')
    order by (apk ->> 'versionCode')::float8 desc limit 1`
  return row ?? null
}

/** The signers and permissions of the app's approved APKs. */
export async function findApprovedApks(
  sql: Sql,
  appId: string,
): Promise<{ versionCode: number; signerSha256: string; permissions: string[] }[]> {
  return await sql<{ versionCode: number; signerSha256: string; permissions: string[] }[]>`
    select (apk ->> 'versionCode')::float8 as "versionCode", apk ->> 'signerSha256' as "signerSha256",
      apk -> 'permissions' as permissions
    from releases where app_id = ${appId} and apk is not null and status = 'APPROVED'
    order by (apk ->> 'versionCode')::float8 desc`
}

/** Writes the decision. The row must be locked. */
export async function saveDecision(sql: Sql, release: Release): Promise<void> {
  await sql`
    update releases set status = ${release.status}, reason = ${release.reason ?? null},
      decided_at = ${release.decidedAt ?? null}
    where release_id = ${release.releaseId}`
}

const columns = (sql: Sql, apk = sql`apk`) => sql`
  release_id as "releaseId", app_id as "appId", version, status, notes, reason, created_at as "createdAt",
  decided_at as "decidedAt", case when package_size is not null then
    jsonb_build_object('size', package_size, 'sha256', package_sha256, 'contentType', package_content_type)
      || case when apk is null then '{}' else jsonb_build_object('apk', ${apk}) end
  end as package`
