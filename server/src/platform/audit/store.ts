import { principalName } from '../../core/principal.ts'
import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'
import { type Present, present } from '../db/sql.ts'
import type { Auditor } from '../http/ports.ts'
import type { AuditKind } from './schema.ts'

/** Each transaction of a request says whose act it is; the database records what it changes. */
export function createAuditor({ clock }: Pick<Ports, 'clock'>): Auditor {
  return {
    attribute: ({ sql }, { principal, ...act }) =>
      setAction(sql, { at: clock.now(), principal: principalName(principal), principalKind: principal.kind, ...act }),
  }
}

/** Who acts, as each entry of the act repeats it. */
interface Act {
  /** Real time. */
  readonly at: Date
  readonly principal: string
  readonly principalKind: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly requestId: string
}

type StoredRow = Readonly<Record<string, unknown>>

interface Row extends Act {
  entryId: number
  kind: AuditKind
  resourceId: string
  businessId: string | null
  organizationId: string | null
  before: StoredRow | null
  after: StoredRow | null
}

export type AuditEntry = Present<Row>

/** What is absent does not bound. */
export interface AuditFilter {
  readonly kind?: AuditKind
  readonly resourceId?: string
  readonly principal?: string
  /** At this instant or after. */
  readonly startAt?: Date
  /** Before this instant. */
  readonly endAt?: Date
}

/** For the rest of the transaction, and no longer, what it changes is this act's: `record_change` in the migrations. */
async function setAction(sql: Sql, act: Act): Promise<void> {
  await sql`select set_config('tillhook.action', ${JSON.stringify(act)}, true)`
}

/**
 * Newest first. `before` is the entry that the page begins behind. Of one thing they come in the order of its changes, which
 * the lock of its row gave; all others by time, which is when an act began and may have had to wait.
 */
export async function listEntries(
  sql: Sql,
  { kind, resourceId, principal, startAt, endAt }: AuditFilter,
  page: { readonly limit: number; readonly before?: number },
): Promise<AuditEntry[]> {
  const isOfOne = resourceId !== undefined
  const behind = (entryId: number) =>
    isOfOne ? sql`and entry_id < ${entryId}` : sql`and (at, entry_id) < (${atOf(sql, entryId)}, ${entryId})`
  const rows = await sql<Row[]>`
    select entry_id as "entryId", at, principal, principal_kind as "principalKind", operation, method, path,
      request_id as "requestId", kind, resource_id as "resourceId", business_id as "businessId",
      organization_id as "organizationId", before, after
    from audit_entries
    where true
      ${kind ? sql`and kind = ${kind}` : sql``}
      ${isOfOne ? sql`and resource_id = ${resourceId}` : sql``}
      ${principal ? sql`and principal = ${principal}` : sql``}
      ${startAt ? sql`and at >= ${startAt}` : sql``}
      ${endAt ? sql`and at < ${endAt}` : sql``}
      ${page.before === undefined ? sql`` : behind(page.before)}
    order by ${isOfOne ? sql`` : sql`at desc, `}entry_id desc
    limit ${page.limit}`
  return rows.map(row => present(row))
}

const atOf = (sql: Sql, entryId: number) => sql`(select e.at from audit_entries as e where e.entry_id = ${entryId})`
