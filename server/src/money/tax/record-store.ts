import { assert } from '../../core/assert.ts'
import type { Address } from '../../core/business-record.ts'
import { findFormerNames } from '../../merchants/businesses/names-store.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { TaxedSale } from './provider.ts'

/** A booking that belongs into the provider's books. */
export interface TaxRecord {
  readonly ledgerTransactionId: string
  readonly invoiceId: string
  /** Names the booking at the provider: the number of the invoice, and the booking. */
  readonly reference: string
  readonly currency: string
  /** Minor units with tax. Below 0: returned. */
  readonly amount: number
  /** Of a returned amount: the part that is reversed. */
  readonly recorded: number
  readonly calculationId?: string
  readonly bookedAt: Date
}

/** Adds bookings to the outbox, in the transaction of the bookings. Money of test merchants has no place in the provider's books. */
export async function insertTaxRecords(sql: Sql, ledgerTransactionIds: readonly string[]): Promise<void> {
  await sql`
    insert into tax_records (ledger_transaction_id, invoice_id, amount, tax, next_attempt_at)
    select ledger_transaction_id, invoice_id, gateway + business_credit, -tax, booked_at from ledger_transactions
    where ledger_transaction_id = any(${ledgerTransactionIds as string[]}::uuid[]) and live
      and gateway + business_credit <> 0`
}

/** Claims the oldest open record of each invoice: until the given instant, no other process claims them. */
export async function claimTaxRecords(
  sql: Sql,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<TaxRecord[]> {
  const rows = await sql<RowOf<TaxRecord>[]>`
    with claimed as (
      update tax_records set next_attempt_at = ${until}
      where ledger_transaction_id in (
        select ledger_transaction_id from tax_records as r
        where next_attempt_at <= ${now} and not exists (
          select 1 from tax_records as earlier
          where earlier.invoice_id = r.invoice_id and earlier.next_attempt_at is not null
            and earlier.ledger_transaction_id < r.ledger_transaction_id)
        order by next_attempt_at limit ${limit} for no key update skip locked)
      returning ledger_transaction_id, invoice_id, amount, recorded, calculation_id)
    select ledger_transaction_id as "ledgerTransactionId", c.invoice_id as "invoiceId",
      i.number || '/' || ledger_transaction_id as reference, t.currency, c.amount, c.recorded,
      c.calculation_id as "calculationId", t.booked_at as "bookedAt"
    from claimed as c join invoices as i using (invoice_id) join ledger_transactions as t using (ledger_transaction_id)
    order by ledger_transaction_id`
  return rows.map(row => present(row))
}

/** The facts of a calculation: the address that determined the tax, and the instant at which the invoice was issued. */
export async function findTaxedSale(sql: Sql, { invoiceId, amount, currency }: TaxRecord): Promise<TaxedSale> {
  const [invoice] = await sql<{ businessId: string; issuedAt: Date; isByAddress: boolean }[]>`
    select business_id as "businessId", created_at as "issuedAt", tax ->> 'rateSource' = 'ADDRESS' as "isByAddress"
    from invoices where invoice_id = ${invoiceId}`
  assert(invoice, 'a booking belongs to an invoice')
  const { businessId, issuedAt, isByAddress } = invoice
  // An address without a rate may be complete by now.
  const former = isByAddress ? await findFormerNames(sql, { businessId, invoiceId }) : null
  const buyer: { country: string; address?: Address } | null = former ?? (await findBusiness(sql, businessId))
  assert(buyer, 'an invoice belongs to a business')
  const { country, address } = buyer
  return { country, ...(address && { address }), amount, currency, issuedAt }
}

export async function saveCalculation(
  sql: Sql,
  of: { readonly ledgerTransactionId: string; readonly calculationId: string; readonly providerTax: number },
): Promise<void> {
  await sql`
    update tax_records set calculation_id = ${of.calculationId}, provider_tax = ${of.providerTax}
    where ledger_transaction_id = ${of.ledgerTransactionId}`
}

export async function saveSale(
  sql: Sql,
  { ledgerTransactionId, providerId }: { readonly ledgerTransactionId: string; readonly providerId: string },
): Promise<void> {
  await sql`
    update tax_records set provider_id = ${providerId}, recorded = amount, next_attempt_at = null, problem = null
    where ledger_transaction_id = ${ledgerTransactionId}`
}

/** The oldest recorded sale of the invoice that is not wholly reversed. */
export async function findReversible(sql: Sql, invoiceId: string) {
  const [row] = await sql<{ ledgerTransactionId: string; providerId: string; reversible: number }[]>`
    select ledger_transaction_id as "ledgerTransactionId", provider_id as "providerId", amount - reversed as reversible
    from tax_records
    where invoice_id = ${invoiceId} and provider_id is not null and reversed < amount
    order by ledger_transaction_id limit 1`
  return row ?? null
}

/** Saves a reversal of a part, with both records. A part that another process saved after the lease stays as it is. */
export async function saveReturn(
  sql: Sql,
  of: {
    readonly ledgerTransactionId: string
    readonly saleId: string
    /** The part of the returned amount that was reversed before. */
    readonly before: number
    readonly amount: number
    readonly providerTax: number
    readonly isLast: boolean
  },
): Promise<void> {
  const { count } = await sql`
    update tax_records set recorded = recorded + ${of.amount}, provider_tax = coalesce(provider_tax, 0) - ${of.providerTax}::bigint,
      next_attempt_at = case when ${of.isLast} then null else next_attempt_at end,
      problem = case when ${of.isLast} then null else problem end
    where ledger_transaction_id = ${of.ledgerTransactionId} and recorded = ${of.before}`
  if (count === 0) return
  await sql`
    update tax_records set reversed = reversed + ${of.amount} where ledger_transaction_id = ${of.saleId}`
}

export async function postponeTaxRecord(
  sql: Sql,
  of: { readonly ledgerTransactionId: string; readonly problem: string; readonly nextAttemptAt: Date },
): Promise<void> {
  await sql`
    update tax_records set problem = ${of.problem}, next_attempt_at = ${of.nextAttemptAt}
    where ledger_transaction_id = ${of.ledgerTransactionId} and next_attempt_at is not null`
}

/** The books of the provider in one currency, for the bookings of a time span. Minor units. */
export interface ProviderBooks {
  readonly currency: string
  readonly recorded: number
  readonly waiting: number
  /** Collected less returned, of the recorded bookings: by our books and by the provider's. */
  readonly tax: number
  readonly providerTax: number
}

export async function sumProviderBooks(
  sql: Sql,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<ProviderBooks[]> {
  return await sql<ProviderBooks[]>`
    select t.currency, count(*) filter (where r.next_attempt_at is null)::int as recorded,
      count(r.next_attempt_at)::int as waiting,
      coalesce(sum(r.tax) filter (where r.next_attempt_at is null), 0)::bigint as tax,
      coalesce(sum(r.provider_tax) filter (where r.next_attempt_at is null), 0)::bigint as "providerTax"
    from tax_records as r join ledger_transactions as t using (ledger_transaction_id)
    where t.booked_at >= ${from} and t.booked_at < ${to}
    group by t.currency order by t.currency`
}

export interface FailedTaxRecord {
  readonly invoiceNumber: string
  readonly problem: string
  readonly bookedAt: Date
}

/** Bookings that the provider has not recorded after an attempt, oldest first. */
export async function listFailedTaxRecords(sql: Sql, limit: number): Promise<FailedTaxRecord[]> {
  return await sql<FailedTaxRecord[]>`
    select i.number as "invoiceNumber", r.problem, t.booked_at as "bookedAt"
    from tax_records as r join ledger_transactions as t using (ledger_transaction_id) join invoices as i on i.invoice_id = r.invoice_id
    where r.problem is not null
    order by r.ledger_transaction_id limit ${limit}`
}
