import { UUID_PATTERN } from '../../core/id.ts'
import { parseLimit, parseSpan } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { AuditKind } from './schema.ts'
import { type AuditEntry, type AuditFilter, listEntries } from './store.ts'

const DEFAULT_LIMIT = 10

const UUID = new RegExp(UUID_PATTERN)

/** As the query of a request has it. Instants and numbers are still text. */
export interface AuditQuery {
  readonly kind?: AuditKind
  readonly resourceId?: string
  readonly principal?: string
  readonly startAt?: string
  readonly endAt?: string
  readonly limit?: string
  /** The last entry of the previous page. */
  readonly after?: string
}

interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** The cursor of the next page; absent on the last page. */
  readonly next?: string
}

/** Lists the changes that requests made, newest first. Rejects with INVALID_PARAMETER. */
export async function listAudit({ db }: Pick<Ports, 'db'>, query: AuditQuery): Promise<AuditPage | Rejection> {
  const limit = parseLimit(query.limit, DEFAULT_LIMIT)
  if (isRejection(limit)) return limit
  const span = parseSpan(query)
  if (isRejection(span)) return span
  const { kind, resourceId, principal, after } = query
  const filter: AuditFilter = {
    ...(kind === undefined ? {} : { kind }),
    ...(resourceId === undefined ? {} : { resourceId: storedId(resourceId) }),
    ...(principal === undefined ? {} : { principal }),
    ...span,
  }
  const page = { limit: limit + 1, ...(after === undefined ? {} : { before: Number(after) }) }
  const found = await listEntries(db.sql, filter, page)
  const entries = found.slice(0, limit)
  const last = found.length > limit ? entries.at(-1) : undefined
  return { entries, ...(last === undefined ? {} : { next: String(last.entryId) }) }
}

/** Ids are stored without the prefix of a URN, and UUIDs in lower case; a key's id may be no UUID and keeps its case. */
function storedId(resourceId: string): string {
  return resourceId
    .replace(/^urn:[at]id:/, '')
    .split('/')
    .map(part => (UUID.test(part) ? part.toLowerCase() : part))
    .join('/')
}
