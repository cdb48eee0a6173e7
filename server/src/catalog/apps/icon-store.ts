import type { Sql } from '../../platform/db/db.ts'

/** In place of the one before. What is known of it is the app's own. */
export async function saveIcon(sql: Sql, { appId, bytes }: { appId: string; bytes: Buffer }): Promise<void> {
  await sql`
    insert into app_icons (app_id, bytes) values (${appId}, ${bytes})
    on conflict (app_id) do update set bytes = excluded.bytes`
}

export async function deleteIcon(sql: Sql, appId: string): Promise<void> {
  await sql`delete from app_icons where app_id = ${appId}`
}

/** With what is known of it, by one statement: a picture and its name always fit. */
export async function findIcon(
  sql: Sql,
  appId: string,
): Promise<{ readonly contentType: string; readonly sha256: string; readonly bytes: Buffer } | null> {
  const [row] = await sql<{ contentType: string; sha256: string; bytes: Buffer }[]>`
    select icon_content_type as "contentType", icon_sha256 as sha256, bytes
    from apps join app_icons using (app_id) where app_id = ${appId}`
  return row ?? null
}
