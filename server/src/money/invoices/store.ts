import type { MerchantType } from '../../core/business.ts'
import {
  type InvoiceLine,
  type InvoiceStatus,
  type IssuedInvoice,
  invoiceNumber,
  type OpenInvoice,
} from '../../core/invoice.ts'
import type { Location } from '../../core/subscription.ts'
import type { InvoiceTax } from '../../core/tax.ts'
import type { Sql } from '../../platform/db/db.ts'
import { visibleFrom } from '../lists/scope.ts'

export interface Invoice extends Omit<IssuedInvoice, 'series' | 'lines' | 'tax'> {
  readonly number: string
  readonly status: InvoiceStatus
  readonly amountPaid: number
  readonly amountRefunded: number
  /** Charged back by the payer's bank, out of the paid and not refunded amount. */
  readonly amountChargedBack: number
  readonly lines: readonly StoredLine[]
  /** Null: no tax settings applied at issue. */
  readonly tax: InvoiceTax | null
  readonly updatedAt: Date
}

/** OPEN, unless the same change closed the invoice again. */
export type NewInvoice = IssuedInvoice & { readonly status: InvoiceStatus; readonly merchantType: MerchantType }

/** A line as stored in jsonb: times are ISO 8601 text. */
export type StoredLine = Omit<InvoiceLine, 'periodStart' | 'periodEnd'> & Record<'periodStart' | 'periodEnd', string>

export async function findInvoice(sql: Sql, invoiceId: string): Promise<Invoice | null> {
  const [row] = await sql<Invoice[]>`select ${columns(sql)} from invoices where invoice_id = ${invoiceId}`
  return row ?? null
}

export async function lockInvoice(sql: Sql, invoiceId: string): Promise<Invoice | null> {
  const [row] = await sql<Invoice[]>`
    select ${columns(sql)} from invoices where invoice_id = ${invoiceId} for no key update`
  return row ?? null
}

export interface InvoiceFilter {
  readonly businessId: string
  /** Filter. */
  readonly appId?: string
  readonly organizationId?: string
  readonly subscriptionId?: string
  /** Only invoices visible from this location. */
  readonly seenFrom?: Location
  /** Issued in this UTC year. */
  readonly year?: number
  /** Default: oldest first. */
  readonly first?: 'oldest' | 'newest'
  readonly offset: number
  readonly limit: number
}

export async function listInvoices(sql: Sql, filter: InvoiceFilter): Promise<{ invoices: Invoice[]; total: number }> {
  const where = sql`business_id = ${filter.businessId}
    ${filter.appId ? sql`and app_id = ${filter.appId}` : sql``}
    ${filter.organizationId ? sql`and organization_id = ${filter.organizationId}` : sql``}
    ${filter.subscriptionId ? sql`and subscription_id = ${filter.subscriptionId}` : sql``}
    ${filter.year === undefined ? sql`` : sql`and created_at >= ${startOfYear(filter.year)} and created_at < ${startOfYear(filter.year + 1)}`}
    ${visibleFrom(sql, filter.seenFrom ?? {})}`
  const order = filter.first === 'newest' ? sql`created_at desc, invoice_id desc` : sql`created_at, invoice_id`
  const [counted] = await sql<{ total: number }[]>`select count(*) as total from invoices as r where ${where}`
  const rows = await sql<Invoice[]>`
    select ${columns(sql)} from invoices as r where ${where}
    order by ${order} offset ${filter.offset} limit ${filter.limit}`
  return { invoices: [...rows], total: counted?.total ?? 0 }
}

/** The UTC years in which invoices of the business were issued, newest first. */
export async function findInvoiceYears(sql: Sql, businessId: string): Promise<number[]> {
  const rows = await sql<{ year: number }[]>`
    select distinct extract(year from created_at at time zone 'UTC')::integer as year from invoices
    where business_id = ${businessId} order by year desc`
  return rows.map(({ year }) => year)
}

function startOfYear(year: number): Date {
  return new Date(Date.UTC(year, 0, 1))
}

/** Invoices by id, without unknown ids. */
export async function findInvoices(sql: Sql, invoiceIds: readonly string[]): Promise<Invoice[]> {
  return await sql<Invoice[]>`
    select ${columns(sql)} from invoices where invoice_id = any(${invoiceIds as string[]}::uuid[])
    order by created_at, invoice_id`
}

/** Open invoices by subscription, oldest period first. */
export async function findOpenInvoices(
  sql: Sql,
  subscriptionIds: readonly string[],
): Promise<Map<string, readonly OpenInvoice[]>> {
  const rows = await sql<(OpenInvoice & { subscriptionId: string })[]>`
    select subscription_id as "subscriptionId", invoice_id as "invoiceId", amount, credit_applied as "creditApplied"
    from invoices
    where subscription_id = any(${subscriptionIds as string[]}::uuid[]) and status = 'OPEN'
    order by subscription_id, term, period_index`
  return Map.groupBy(rows, ({ subscriptionId }) => subscriptionId)
}

/**
 * Issues invoices with gap-free numbers. The counters stay locked until the transaction ends: call late in the transaction. Series are locked in
 * one order, so that two batches cannot deadlock.
 */
export async function insertInvoices(sql: Sql, invoices: readonly NewInvoice[]): Promise<void> {
  if (invoices.length === 0) return
  const bySeries = Map.groupBy(invoices, ({ organizationId, series }) => `${organizationId} ${series}`)
  const numbered: (NewInvoice & { number: string })[] = []
  for (const [key, list] of [...bySeries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [organizationId = '', series = ''] = key.split(' ')
    let n = (await takeNumbers(sql, { organizationId, series, count: list.length })) - list.length
    for (const invoice of list) numbered.push({ ...invoice, number: invoiceNumber(series, ++n) })
  }
  await sql`
    insert into invoices (
      invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term, period_index,
      status, country, currency, amount, credit_applied, amount_paid, amount_refunded, lines, tax, period_start, period_end, created_at,
      updated_at)
    select "invoiceId", "number", "organizationId", "appId", "businessId", "subscriptionId", "planId", "merchantType", "term",
      "periodIndex", "status", "country", "currency", "amount", "creditApplied", 0, 0, "lines", "tax", "periodStart", "periodEnd",
      "createdAt", "createdAt"
    from jsonb_to_recordset(${sql.json(numbered as never)}) as x (
      "invoiceId" uuid, "number" text, "organizationId" uuid, "appId" uuid, "businessId" uuid, "subscriptionId" uuid,
      "planId" uuid, "merchantType" text, "term" integer, "periodIndex" integer, "status" text, "country" text, "currency" text, "amount" bigint,
      "creditApplied" bigint, "lines" jsonb, "tax" jsonb, "periodStart" timestamptz, "periodEnd" timestamptz, "createdAt" timestamptz)`
}

/** Returns the last number. */
async function takeNumbers(sql: Sql, take: { organizationId: string; series: string; count: number }): Promise<number> {
  const [row] = await sql<{ lastNumber: number }[]>`
    insert into invoice_counters as c (organization_id, series, last_number)
    values (${take.organizationId}, ${take.series}, ${take.count})
    on conflict (organization_id, series) do update set last_number = c.last_number + excluded.last_number
    returning last_number as "lastNumber"`
  return row?.lastNumber ?? 0
}

/** The invoice of a period, locked. Null: a free period has no invoice. */
export async function lockInvoiceOfPeriod(
  sql: Sql,
  of: { subscriptionId: string; term: number; periodIndex: number },
): Promise<Invoice | null> {
  const [row] = await sql<Invoice[]>`
    select ${columns(sql)} from invoices
    where subscription_id = ${of.subscriptionId} and term = ${of.term} and period_index = ${of.periodIndex}
    for no key update`
  return row ?? null
}

/** Sets invoices to PAID (also after the end), VOID or UNCOLLECTIBLE. */
export async function closeInvoices(
  sql: Sql,
  closed: readonly { invoiceId: string; status: 'PAID' | 'VOID' | 'UNCOLLECTIBLE'; at: Date }[],
): Promise<void> {
  if (closed.length === 0) return
  await sql`
    update invoices as i set
      status = x."status", updated_at = x."at", amount_paid = case when x."status" = 'PAID' then i.amount else 0 end
    from jsonb_to_recordset(${sql.json(closed as never)}) as x ("invoiceId" uuid, "status" text, "at" timestamptz)
    where i.invoice_id = x."invoiceId"`
}

export async function addRefunded(sql: Sql, refund: { invoiceId: string; amount: number; at: Date }): Promise<void> {
  await sql`
    update invoices set amount_refunded = amount_refunded + ${refund.amount}, updated_at = ${refund.at}
    where invoice_id = ${refund.invoiceId}`
}

/** Adds a lost dispute, or subtracts (below 0) a reversed one. The part that is not refunded is charged back. */
export async function addLost(sql: Sql, dispute: { invoiceId: string; amount: number; at: Date }): Promise<void> {
  await sql`
    update invoices set lost_in_disputes = lost_in_disputes + ${dispute.amount}, updated_at = ${dispute.at}
    where invoice_id = ${dispute.invoiceId}`
}

const columns = (sql: Sql) => sql`
  invoice_id as "invoiceId", number, organization_id as "organizationId", app_id as "appId",
  business_id as "businessId", subscription_id as "subscriptionId", plan_id as "planId", term,
  period_index as "periodIndex", status, country, currency, amount, credit_applied as "creditApplied",
  amount_paid as "amountPaid",
  amount_refunded as "amountRefunded",
  least(lost_in_disputes, amount_paid - amount_refunded) as "amountChargedBack", lines, tax, period_start as "periodStart", period_end as "periodEnd",
  created_at as "createdAt", updated_at as "updatedAt"`
