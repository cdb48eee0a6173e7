import { firstIdAt } from '../../core/id.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import type { Dispute } from '../refunds/store.ts'
import { type ListFilter, type OfInvoice, ofScope } from './scope.ts'

export interface DisputesFilter extends ListFilter {
  readonly disputeId?: string
  readonly status?: Dispute['status']
  /** Only disputes that wait for evidence at this instant, in real time. */
  readonly waitsAt?: Date
}

type Shown = 'disputeId' | 'invoiceId' | 'amount' | 'status' | 'evidenceDueAt'

export interface ListedDispute extends OfInvoice, Pick<Dispute, Shown> {
  /** When evidence was sent, in real time. */
  readonly evidenceSentAt?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Lists disputes of all apps in the scope, newest first. Disputes are rare, so the list reads them in order and skips foreign ones. */
export async function pageOfDisputes(
  { db }: Pick<Ports, 'db'>,
  filter: DisputesFilter,
  slice: Slice,
): Promise<Listed<ListedDispute>> {
  const rows = await rowsOf(db.sql, filter, { ...slice, limit: slice.limit + 1 })
  return listed(rows, slice.limit, ({ disputeId }) => disputeId)
}

async function rowsOf(
  sql: Sql,
  { scope, disputeId, status, waitsAt, startAt, endAt }: DisputesFilter,
  { limit, after }: Slice,
): Promise<ListedDispute[]> {
  const rows = await sql<RowOf<ListedDispute>[]>`
    select d.dispute_id as "disputeId", d.invoice_id as "invoiceId", d.amount, d.status, r.number, r.app_id as "appId",
      a.name as "appName", r.business_id as "businessId",
      coalesce(nullif(b.doing_business_as, ''), b.legal_name) as "businessName", r.subscription_id as "subscriptionId",
      r.merchant_type as "merchantType", r.currency, d.evidence_due_at as "evidenceDueAt", e.sent_at as "evidenceSentAt",
      d.created_at as "createdAt", d.updated_at as "updatedAt"
    from disputes as d join invoices as r on r.invoice_id = d.invoice_id join apps as a on a.app_id = r.app_id
      join businesses as b on b.business_id = r.business_id
      left join dispute_evidence as e on e.dispute_id = d.dispute_id
    where true
      ${disputeId ? sql`and d.dispute_id = ${disputeId}` : sql``}
      ${ofScope(sql, scope, ['invoice_id'])}
      ${status ? sql`and d.status = ${status}` : sql``}
      ${
        waitsAt
          ? sql`and d.status = 'OPEN' and e.sent_at is null and (d.evidence_due_at is null or d.evidence_due_at > ${waitsAt})`
          : sql``
      }
      ${startAt ? sql`and d.dispute_id >= ${firstIdAt(startAt)}` : sql``}
      ${endAt ? sql`and d.dispute_id < ${firstIdAt(endAt)}` : sql``}
      ${after ? sql`and d.dispute_id < ${after}` : sql``}
    order by d.dispute_id desc limit ${limit}`
  return rows.map(row => present(row))
}
