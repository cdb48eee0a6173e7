import type { Slice } from '../../core/page.ts'
import { principalName } from '../../core/principal.ts'
import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'
import { type Part, type Present, part, present } from '../db/sql.ts'
import type { AuditAction, Auditor } from '../http/ports.ts'
import type { AuditKind } from './schema.ts'

/** Names the actor in every transaction of a request; triggers record the changes. */
export function createAuditor({ clock }: Pick<Ports, 'clock'>): Auditor {
  return {
    attribute: ({ sql }, { principal, ...act }) =>
      setAction(sql, { at: clock.now(), principal: principalName(principal), principalKind: principal.kind, ...act }),
  }
}

/** The actor. Every entry of the action repeats this. */
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

/** A changed resource and the request that changed it. */
export interface AuditedChange {
  readonly resourceId: string
  readonly action: AuditAction
}

/**
 * A statement that records what `change` returns: `resource_id`, `business_id`, `was` and `became`. For transactions that carry the changes
 * of several requests, where `attribute` and the triggers know only one.
 */
export function audited(change: Part, kind: AuditKind, changes: readonly AuditedChange[], at: Date): Part {
  const actions = changes.map(({ action }) => action)
  return part`
    with changed as (${change})
    insert into audit_entries (
      at, principal, principal_kind, operation, method, path, request_id, kind, resource_id, business_id, before, after)
    select ${at}, x.principal, x.principal_kind, x.operation, x.method, x.path, x.request_id, ${kind},
      changed.resource_id, changed.business_id, changed.was, changed.became
    from changed
    join unnest(
      ${changes.map(({ resourceId }) => resourceId)}::text[], ${actions.map(action => principalName(action.principal))}::text[],
      ${actions.map(({ principal }) => principal.kind)}::text[], ${actions.map(({ operation }) => operation)}::text[],
      ${actions.map(({ method }) => method)}::text[], ${actions.map(({ path }) => path)}::text[],
      ${actions.map(({ requestId }) => requestId)}::text[])
      as x (resource_id, principal, principal_kind, operation, method, path, request_id)
      on x.resource_id = changed.resource_id`
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

/** An absent field does not filter. */
export interface AuditFilter {
  readonly kind?: AuditKind
  readonly resourceId?: string
  readonly principal?: string
  /** Inclusive. */
  readonly startAt?: Date
  /** Before this instant. */
  readonly endAt?: Date
}

/** `record_change` (in the migration) attributes the changes of this transaction to this action. */
async function setAction(sql: Sql, act: Act): Promise<void> {
  await sql`select set_config('tillhook.action', ${JSON.stringify(act)}, true)`
}

/**
 * Newest first. Entries of one resource follow the order of its row lock. All other entries follow the time at
 * which their action began.
 */
export async function listEntries(
  sql: Sql,
  { kind, resourceId, principal, startAt, endAt }: AuditFilter,
  { limit, after }: Slice,
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
      ${after === undefined ? sql`` : behind(Number(after))}
    order by ${isOfOne ? sql`` : sql`at desc, `}entry_id desc
    limit ${limit}`
  return rows.map(row => present(row))
}

const atOf = (sql: Sql, entryId: number) => sql`(select e.at from audit_entries as e where e.entry_id = ${entryId})`
