import type { ReleaseDraft } from '../../core/release-draft.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** The draft of the app's next release. */
export async function findDraft(sql: Sql, appId: string): Promise<ReleaseDraft | null> {
  const [row] = await sql<RowOf<ReleaseDraft>[]>`select ${columns(sql)} from release_drafts where app_id = ${appId}`
  return row ? present(row) : null
}

/** Inserts the draft or replaces it. The app must be locked. */
export async function saveDraft(sql: Sql, draft: ReleaseDraft): Promise<void> {
  const { draftId, appId, revision, version, notes, plans, updatedAt, package: file } = draft
  await sql`
    insert into release_drafts (
      draft_id, app_id, revision, version, notes, plans, package_size, package, updated_at)
    values (
      ${draftId}, ${appId}, ${revision}, ${version}, ${notes}, ${sql.json(plans as never)}, ${file?.size ?? null},
      ${file === undefined ? null : sql.json(file as never)}, ${updatedAt})
    on conflict (app_id) do update set
      revision = excluded.revision, version = excluded.version, notes = excluded.notes, plans = excluded.plans,
      package_size = excluded.package_size, package = excluded.package, updated_at = excluded.updated_at`
}

export async function deleteDraft(sql: Sql, draftId: string): Promise<void> {
  await sql`delete from release_drafts where draft_id = ${draftId}`
}

const columns = (sql: Sql) => sql`
  draft_id as "draftId", app_id as "appId", revision, version, notes, plans, package, updated_at as "updatedAt"`
