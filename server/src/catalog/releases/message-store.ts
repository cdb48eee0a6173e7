import type { ReleaseMessage } from '../../core/release.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Oldest first. */
export async function findMessages(sql: Sql, releaseId: string): Promise<ReleaseMessage[]> {
  return await sql<ReleaseMessage[]>`
    select message_id as "messageId", author, text, created_at as "createdAt" from release_messages
    where release_id = ${releaseId} order by created_at, message_id`
}

/** The author of the last message of each release that has messages. */
export async function findLastAuthors(
  sql: Sql,
  releaseIds: readonly string[],
): Promise<Map<string, ReleaseMessage['author']>> {
  const rows = await sql<{ releaseId: string; author: ReleaseMessage['author'] }[]>`
    select distinct on (release_id) release_id as "releaseId", author from release_messages
    where release_id = any(${releaseIds as string[]}::uuid[]) order by release_id, created_at desc, message_id desc`
  return new Map(rows.map(({ releaseId, author }) => [releaseId, author]))
}

/** Returns false if a message has this id already. */
export async function insertMessage(
  sql: Sql,
  message: ReleaseMessage & { readonly releaseId: string },
): Promise<boolean> {
  const rows = await sql`
    insert into release_messages (message_id, release_id, author, text, created_at)
    values (${message.messageId}, ${message.releaseId}, ${message.author}, ${message.text}, ${message.createdAt})
    on conflict (message_id) do nothing returning 1`
  return rows.length > 0
}
