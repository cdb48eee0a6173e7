import { toTimestamp } from '../../core/calendar.ts'
import type { Sql } from '../../platform/db/db.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { type CreditNote, findCreditNotes } from '../documents/credit-notes.ts'
import { findRefundsOfInvoices } from '../refunds/store.ts'
import { invoiceToJson } from './schema.ts'
import type { Invoice } from './store.ts'

/** Invoices with their attempts and refunds, as the interface shows invoices. */
export async function invoicesToJson(sql: Sql, invoices: readonly Invoice[]) {
  const ids = invoices.map(invoice => invoice.invoiceId)
  const charges = Map.groupBy(await findChargesOfInvoices(sql, ids), charge => charge.invoiceId)
  const refunds = Map.groupBy(await findRefundsOfInvoices(sql, ids), refund => refund.invoiceId)
  const notes = Map.groupBy(await findCreditNotes(sql, ids), note => note.invoiceId)
  return invoices.map(invoice => {
    const { invoiceId } = invoice
    const creditNotes = notes.get(invoiceId)?.map(creditNoteToJson)
    const shown = invoiceToJson(invoice, charges.get(invoiceId) ?? [], refunds.get(invoiceId) ?? [])
    return creditNotes === undefined ? shown : { ...shown, creditNotes }
  })
}

function creditNoteToJson({ creditNoteId, number, refundId, amount, createdAt }: CreditNote) {
  return { creditNoteId, number, refundId, amount, createdAt: toTimestamp(createdAt) }
}
