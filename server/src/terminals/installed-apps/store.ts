import type { InstalledApp } from '../../core/installed-app.ts'
import type { Sql } from '../../platform/db/db.ts'

/** An installed app with the permissions that the merchant has approved for it. */
export interface InstalledWithApproved extends InstalledApp {
  readonly approved: readonly string[]
}

export async function findInstalled(
  sql: Sql,
  of: { deviceId: string; appId: string; businessId: string },
): Promise<InstalledWithApproved | null> {
  const [row] = await sql<InstalledWithApproved[]>`
    select device_id as "deviceId", i.app_id as "appId", version, signer_sha256 as "signerSha256", i.permissions,
      installed_at as "installedAt", i.updated_at as "updatedAt", coalesce(p.permissions, '{}') as approved
    from installed_apps as i
    left join app_permissions as p on p.app_id = i.app_id and p.business_id = ${of.businessId}
    where device_id = ${of.deviceId} and i.app_id = ${of.appId}`
  return row ?? null
}

/** Writes a report. The first one sets `installedAt`. */
export async function saveInstalled(sql: Sql, app: InstalledApp): Promise<void> {
  await sql`
    insert into installed_apps (device_id, app_id, version, signer_sha256, permissions, installed_at, updated_at)
    values (${app.deviceId}, ${app.appId}, ${app.version}, ${app.signerSha256}, ${app.permissions as string[]}::text[],
      ${app.installedAt}, ${app.updatedAt})
    on conflict (device_id, app_id) do update set
      version = excluded.version, signer_sha256 = excluded.signer_sha256, permissions = excluded.permissions,
      updated_at = excluded.updated_at`
}

export async function deleteInstalled(sql: Sql, of: { deviceId: string; appId: string }): Promise<void> {
  await sql`delete from installed_apps where device_id = ${of.deviceId} and app_id = ${of.appId}`
}

export async function deleteInstalledOf(sql: Sql, deviceId: string): Promise<void> {
  await sql`delete from installed_apps where device_id = ${deviceId}`
}

/** Adds permissions to those that the merchant approved before. */
export async function addApproved(
  sql: Sql,
  of: { businessId: string; appId: string; permissions: readonly string[]; businessUserId: string; now: Date },
): Promise<void> {
  await sql`
    insert into app_permissions (business_id, app_id, permissions, approved_by, approved_at)
    values (${of.businessId}, ${of.appId}, ${of.permissions as string[]}::text[], ${of.businessUserId}, ${of.now})
    on conflict (business_id, app_id) do update set
      permissions = array(
        select distinct unnest(app_permissions.permissions || excluded.permissions) order by 1),
      approved_by = excluded.approved_by, approved_at = excluded.approved_at`
}
