import { Type } from 'typebox'
import { findUser } from '../../access/users/store.ts'
import { UUID_PATTERN } from '../../core/id.ts'
import { isRejection } from '../../core/rejection.ts'
import { listAudit } from '../../platform/audit/list.ts'
import { AUDIT_KINDS } from '../../platform/audit/schema.ts'
import type { AuditEntry } from '../../platform/audit/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { emptyState, facts } from '../../platform/web/components/content.ts'
import { type FilterField, filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, pager, table } from '../../platform/web/components/table.ts'
import { shortMoment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { Day, spanOfDays } from '../days.ts'
import { framed, opsPage } from './ops-page.ts'
import { kindWords } from './words.ts'

const path = OPERATOR_PATHS.audit
const ON_A_PAGE = '25'

/** The audit trail: actor, change, and the values before and after. */
export function auditPage(): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showAudit', operation: 'operations.read' },
    query: Type.Object({
      kind: Type.Optional(Type.Union([Type.Enum([...AUDIT_KINDS]), Type.Literal('')])),
      resourceId: Type.Optional(Text(255, 0)),
      principal: Type.Optional(Text(255, 0)),
      from: Day,
      to: Day,
      after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
    }),
    async handle(call) {
      const { after, kind, from, to } = call.query
      const [resourceId, principal] = [call.query.resourceId?.trim(), call.query.principal?.trim()]
      const asked = { ...(kind && { kind }), ...(resourceId && { resourceId }), ...(principal && { principal }) }
      const found = await listAudit(
        { db: call.db },
        { ...asked, ...spanOfDays(call.query), limit: ON_A_PAGE, ...(after && { after }) },
      )
      if (isRejection(found)) return found
      const names = await namesOf(call.db.sql, found.items)
      const kept = { ...asked, ...(from && { from }), ...(to && { to }) }
      const fields: FilterField[] = [
        { kind: 'search', name: 'resourceId', label: 'ID of the changed resource', value: resourceId },
        {
          kind: 'search',
          name: 'principal',
          label: 'Caller',
          value: principal,
          placeholder: 'As in “Values”',
        },
        {
          kind: 'select',
          name: 'kind',
          label: 'Kind',
          value: kind,
          options: AUDIT_KINDS.map(value => ({ value, text: kindWords(value) })),
        },
        { kind: 'date', name: 'from', label: 'From', value: from },
        { kind: 'date', name: 'to', label: 'To', value: to },
      ]
      const main = html`${pageHead({
        title: 'Audit',
        lead: 'Every change that a person, an app or a terminal made, newest first. Background jobs leave no entries.',
      })}
${filterBar({ path, label: 'Filter changes', fields })}
${found.items.length === 0 ? emptyState('No changes found', Object.keys(kept).length > 0 ? 'Clear the filters to see all.' : 'Changes appear here as they happen.') : auditTable(found.items, names)}
${pager('Pages of changes', { path, kept, after, next: found.next })}`
      return framed(call, { title: 'Audit', part: 'audit', main })
    },
  })
}

function auditTable(entries: readonly AuditEntry[], names: ReadonlyMap<string, string>): Html {
  return table<AuditEntry>({
    caption: 'Changes, newest first',
    rows: entries,
    columns: [
      { name: 'When (UTC)', cell: ({ at }) => shortMoment(at) },
      { name: 'Caller', cell: entry => callerCell(entry, names) },
      {
        name: 'What',
        cell: ({ kind, resourceId, before, after }) => {
          const verb = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed'
          const href = addressOf(path, { resourceId })
          return html`<span class="stack"><span>${kindWords(kind)} ${verb}</span><a class="fine" href="${href}"><code>${ending(resourceId)}</code></a></span>`
        },
      },
      { name: 'Values', cell: changesCell },
      {
        name: 'Request',
        cell: ({ method, path: of }) => html`<span class="fine">${method} ${breakable(of)}</span>`,
      },
    ],
  })
}

function callerCell({ principal }: AuditEntry, names: ReadonlyMap<string, string>): Html {
  const name = names.get(userIdOf(principal) ?? '')
  const href = addressOf(path, { principal })
  return html`<span class="stack">${name !== undefined && html`<span>${name}</span>`}<a class="fine" href="${href}"><code>${callerWords(principal)}</code></a></span>`
}

/** The changed columns, each with its value before and after. */
function changesCell({ before = {}, after = {}, resourceId, principal, requestId }: AuditEntry): Html {
  const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(name => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null))
    .sort()
  return html`<details><summary>${columns.length === 0 ? 'A secret value' : columns.length === 1 ? '1 value' : `${columns.length} values`}</summary>
${facts([
  ...columns.map((name): [string, Html] => [
    name,
    html`<span class="stack"><del>${wordsOf(before[name])}</del><ins>${wordsOf(after[name])}</ins></span>`,
  ]),
  ['ID', html`<code>${resourceId}</code>`],
  ['Caller', html`<code>${principal}</code>`],
  ['Request', html`<code>${requestId}</code>`],
])}</details>`
}

/** The end of an id tells neighbours apart: ids of one moment begin alike. */
function ending(id: string): string {
  return id.length > 14 ? `…${id.slice(-12)}` : id
}

/** "operator:01a2…" is an operator; `operator:operator` is the operator key. */
function callerWords(principal: string): string {
  const [kind = '', ...rest] = principal.split(':')
  return rest.join() === 'operator' ? 'operator key' : kind
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const USER = new RegExp(`^(?:operator|developer|merchant):(${UUID_PATTERN.slice(1, -1)})`)

function userIdOf(principal: string): string | undefined {
  return USER.exec(principal)?.[1]
}

async function namesOf(sql: Sql, entries: readonly AuditEntry[]): Promise<Map<string, string>> {
  const ids = new Set(entries.flatMap(({ principal }) => userIdOf(principal) ?? []))
  const users = await Promise.all([...ids].map(userId => findUser(sql, userId)))
  return new Map(users.flatMap(user => (user === null ? [] : [[user.userId, user.name] as const])))
}
