import { invoiceNumber, seriesOf } from '../../core/invoice.ts'
import type { Sql } from '../../platform/db/db.ts'

/** The record of a refund, or of credit for the unused part of a period. Never changed after issue. */
export interface CreditNote {
  readonly creditNoteId: string
  readonly number: string
  readonly organizationId: string
  readonly businessId: string
  readonly invoiceId: string
  /** Null: credit of a plan change. */
  readonly refundId: string | null
  /** Minor units, with tax. */
  readonly amount: number
  readonly tax: number
  readonly currency: string
  /** Business time. */
  readonly createdAt: Date
}

/**
 * Issues a credit note with a gap-free number. The counter stays locked until the transaction ends: call
 * late in the transaction. Source: decisions 6, Tax: "makes a credit note with its own gap-free number".
 */
export async function issueCreditNote(
  sql: Sql,
  note: Omit<CreditNote, 'number'> & { readonly merchantType: 'MERCHANT' | 'TEST_MERCHANT' },
): Promise<void> {
  const year = seriesOf('MERCHANT', note.createdAt)
  const series = note.merchantType === 'TEST_MERCHANT' ? `T-C-${year}` : `C-${year}`
  const [taken] = await sql<{ lastNumber: number }[]>`
    insert into credit_note_counters as c (organization_id, series, last_number) values (${note.organizationId}, ${series}, 1)
    on conflict (organization_id, series) do update set last_number = c.last_number + 1
    returning last_number as "lastNumber"`
  await sql`
    insert into credit_notes (
      credit_note_id, number, organization_id, business_id, invoice_id, refund_id, amount, tax, currency, created_at)
    values (${note.creditNoteId}, ${invoiceNumber(series, taken?.lastNumber ?? 0)}, ${note.organizationId},
      ${note.businessId}, ${note.invoiceId}, ${note.refundId}, ${note.amount}, ${note.tax},
      ${note.currency}, ${note.createdAt})`
}

/** The credit notes of invoices, oldest first. */
export async function findCreditNotes(sql: Sql, invoiceIds: readonly string[]): Promise<CreditNote[]> {
  return await sql<CreditNote[]>`
    select ${columns(sql)} from credit_notes where invoice_id = any(${invoiceIds as string[]}::uuid[])
    order by created_at, credit_note_id`
}

export async function findCreditNote(sql: Sql, creditNoteId: string): Promise<CreditNote | null> {
  const [row] = await sql<CreditNote[]>`select ${columns(sql)} from credit_notes where credit_note_id = ${creditNoteId}`
  return row ?? null
}

const columns = (sql: Sql) => sql`
  credit_note_id as "creditNoteId", number, organization_id as "organizationId", business_id as "businessId",
  invoice_id as "invoiceId", refund_id as "refundId", amount, tax, currency, created_at as "createdAt"`
