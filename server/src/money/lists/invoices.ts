import { firstIdAt } from '../../core/id.ts'
import type { InvoiceStatus } from '../../core/invoice.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { appsOf, isOfFewMerchants, type ListFilter, type OfInvoice, ofScope } from './scope.ts'

export interface InvoicesFilter extends ListFilter {
  readonly status?: InvoiceStatus
  readonly subscriptionId?: string
  readonly number?: string
  /** Whether money was returned, in part or in full. */
  readonly isRefunded?: boolean
}

export interface ListedInvoice extends OfInvoice {
  readonly invoiceId: string
  readonly planId: string
  readonly status: InvoiceStatus
  /** To be paid by charge, in minor units, like the other amounts. */
  readonly amount: number
  readonly amountPaid: number
  readonly amountRefunded: number
  readonly amountChargedBack: number
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly createdAt: Date
}

/** Lists invoices of all apps in the scope, newest first. */
export async function pageOfInvoices(
  { db }: Pick<Ports, 'db'>,
  filter: InvoicesFilter,
  slice: Slice,
): Promise<Listed<ListedInvoice>> {
  const ids = await idsOf(db.sql, filter, { ...slice, limit: slice.limit + 1 })
  const { items, ...more } = listed(ids, slice.limit, id => id)
  return { items: await findListed(db.sql, items), ...more }
}

async function idsOf(sql: Sql, filter: InvoicesFilter, { limit, after }: Slice): Promise<string[]> {
  const { scope, status, subscriptionId, number, isRefunded, startAt, endAt } = filter
  const matches = sql`
    ${ofScope(sql, scope, ['invoice_id', 'subscription_id', 'business_id'])}
    ${status ? ofStatus(sql, status) : sql``}
    ${isRefunded === undefined ? sql`` : isRefunded ? sql`and r.amount_refunded > 0` : sql`and r.amount_refunded = 0`}
    ${subscriptionId ? sql`and r.subscription_id = ${subscriptionId}` : sql``}
    ${number ? sql`and r.number = ${number} and r.organization_id in (select organization_id from organizations)` : sql``}
    ${startAt ? sql`and r.invoice_id >= ${firstIdAt(startAt)}` : sql``}
    ${endAt ? sql`and r.invoice_id < ${firstIdAt(endAt)}` : sql``}
    ${after ? sql`and r.invoice_id < ${after}` : sql``}`
  const order = sql`order by invoice_id desc limit ${limit}`
  const rows = await (isOfFewMerchants(scope) || subscriptionId !== undefined || number !== undefined
    ? sql<{ invoiceId: string }[]>`select invoice_id as "invoiceId" from invoices as r where true ${matches} ${order}`
    : sql<{ invoiceId: string }[]>`
        select invoice_id as "invoiceId"
        from ${appsOf(sql, scope)} as a
        cross join (values ('MERCHANT'), ('TEST_MERCHANT')) as of (merchant_type)
        cross join lateral (
          select invoice_id from invoices as r
          where r.app_id = a.app_id and r.merchant_type = of.merchant_type ${matches} ${order}) as i
        ${order}`)
  return rows.map(({ invoiceId }) => invoiceId)
}

/** A literal, so that every plan can use the indexes of open and of given-up invoices. */
function ofStatus(sql: Sql, status: InvoiceStatus) {
  switch (status) {
    case 'OPEN':
      return sql`and r.status = 'OPEN'`
    case 'PAID':
      return sql`and r.status = 'PAID'`
    case 'UNCOLLECTIBLE':
      return sql`and r.status = 'UNCOLLECTIBLE'`
    case 'VOID':
      return sql`and r.status = 'VOID'`
  }
}

async function findListed(sql: Sql, invoiceIds: readonly string[]): Promise<ListedInvoice[]> {
  return await sql<ListedInvoice[]>`
    select i.invoice_id as "invoiceId", number, i.app_id as "appId", a.name as "appName", i.business_id as "businessId",
      coalesce(nullif(b.doing_business_as, ''), b.legal_name) as "businessName", i.subscription_id as "subscriptionId",
      i.plan_id as "planId", i.merchant_type as "merchantType", i.status, currency, amount, amount_paid as "amountPaid",
      amount_refunded as "amountRefunded", least(lost_in_disputes, amount_paid - amount_refunded) as "amountChargedBack",
      period_start as "periodStart", period_end as "periodEnd", i.created_at as "createdAt"
    from invoices as i join apps as a on a.app_id = i.app_id join businesses as b on b.business_id = i.business_id
    where i.invoice_id = any(${invoiceIds as string[]}::uuid[])
    order by i.invoice_id desc`
}
