import type { Static } from 'typebox'
import { UUID_PATTERN } from '../../core/id.ts'
import { type Listed, listed, parseSlice, parseSpan } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { AuditQuery } from './schema.ts'
import { type AuditEntry, listEntries } from './store.ts'

const UUID = new RegExp(UUID_PATTERN)

/** Lists the changes that requests made, newest first. Rejects with INVALID_PARAMETER. */
export async function listAudit(
  { db }: Pick<Ports, 'db'>,
  { kind, resourceId, principal, ...query }: Static<typeof AuditQuery>,
): Promise<Listed<AuditEntry> | Rejection> {
  const slice = parseSlice(query)
  if (isRejection(slice)) return slice
  const span = parseSpan(query)
  if (isRejection(span)) return span
  const filter = {
    ...{ ...(kind && { kind }), ...(principal && { principal }), ...span },
    ...(resourceId && { resourceId: storedId(resourceId) }),
  }
  const rows = await listEntries(db.sql, filter, { ...slice, limit: slice.limit + 1 })
  return listed(rows, slice.limit, ({ entryId }) => String(entryId))
}

/** Ids are stored without the prefix of a URN, and UUIDs in lower case; a key's id may be no UUID and keeps its case. */
function storedId(resourceId: string): string {
  return resourceId
    .replace(/^urn:[at]id:/, '')
    .split('/')
    .map(part => (UUID.test(part) ? part.toLowerCase() : part))
    .join('/')
}
