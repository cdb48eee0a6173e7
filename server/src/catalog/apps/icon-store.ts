import type { StoredIcon } from '../../core/icon.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Replaces the earlier icon. Type and hash are columns of the app. */
export async function saveIcon(sql: Sql, { appId, bytes }: { appId: string; bytes: Buffer }): Promise<void> {
  await sql`
    insert into app_icons (app_id, bytes) values (${appId}, ${bytes})
    on conflict (app_id) do update set bytes = excluded.bytes`
}

export async function deleteIcon(sql: Sql, appId: string): Promise<void> {
  await sql`delete from app_icons where app_id = ${appId}`
}

/** Reads icon and type in one statement, so that they always match. */
export async function findIcon(sql: Sql, appId: string): Promise<StoredIcon | null> {
  const [row] = await sql<StoredIcon[]>`
    select icon_content_type as "contentType", icon_sha256 as sha256, bytes
    from apps join app_icons using (app_id) where app_id = ${appId}`
  return row ?? null
}
