import type { Sql } from '../../platform/db/db.ts'

/**
 * Stores the package of a release, or of a draft under the id of its release. Each statement stores one piece, because a whole package is more
 * than a process should hold in memory.
 */
export async function insertPackage(
  sql: Sql,
  { releaseId, chunks }: { releaseId: string; chunks: AsyncIterable<Buffer> },
): Promise<void> {
  let position = 0
  for await (const bytes of chunks) {
    await sql`
      insert into package_chunks (release_id, position, bytes) values (${releaseId}, ${position}, ${bytes})`
    position++
  }
}

/** Total size of the packages that an organization's releases and drafts keep. */
export async function packageBytesOf(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    with own as (select app_id from apps where organization_id = ${organizationId})
    select coalesce(sum(package_size), 0)::float8 as bytes from (
      select package_size from releases join own using (app_id) where status in ('SUBMITTED', 'APPROVED')
      union all select package_size from release_drafts join own using (app_id)) as kept`
  return row?.bytes ?? 0
}

export async function deletePackage(sql: Sql, releaseId: string): Promise<void> {
  await sql`delete from package_chunks where release_id = ${releaseId}`
}

/** Yields the pieces in order and reads each piece on demand, so a slow reader holds neither memory nor a connection. */
export async function* readPackage(sql: Sql, releaseId: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const [row] = await sql<{ bytes: Buffer }[]>`
      select bytes from package_chunks where release_id = ${releaseId} and position = ${position}`
    if (row === undefined) return
    yield row.bytes
  }
}
