import { toTimestamp } from '../../core/calendar.ts'
import { given } from '../../core/given.ts'
import type { Principal } from '../../core/principal.ts'
import type { Sql } from '../../platform/db/db.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { type CreditNote, findCreditNotes } from '../documents/credit-notes.ts'
import { type DatedDispute, findDisputesOfInvoices, findRefundsOfInvoices } from '../refunds/store.ts'
import { invoiceToJson } from './schema.ts'
import type { Invoice } from './store.ts'

/** Invoices with their attempts, refunds and disputes, as the interface shows invoices. */
export async function invoicesToJson(sql: Sql, invoices: readonly Invoice[]) {
  const ids = invoices.map(invoice => invoice.invoiceId)
  const charges = Map.groupBy(await findChargesOfInvoices(sql, ids), charge => charge.invoiceId)
  const refunds = Map.groupBy(await findRefundsOfInvoices(sql, ids), refund => refund.invoiceId)
  const notes = Map.groupBy(await findCreditNotes(sql, ids), note => note.invoiceId)
  const disputed = Map.groupBy(await findDisputesOfInvoices(sql, ids), dispute => dispute.invoiceId)
  return invoices.map(invoice => {
    const { invoiceId } = invoice
    const creditNotes = notes.get(invoiceId)?.map(creditNoteToJson)
    const shown = invoiceToJson(invoice, charges.get(invoiceId) ?? [], refunds.get(invoiceId) ?? [])
    const disputes = disputed.get(invoiceId)?.map(disputeToJson)
    return { ...shown, ...given({ creditNotes, disputes }) }
  })
}

export function disputeToJson({ disputeId, amount, status, createdAt, updatedAt }: DatedDispute) {
  return { disputeId, amount, status, createdAt: toTimestamp(createdAt), updatedAt: toTimestamp(updatedAt) }
}

function creditNoteToJson({ creditNoteId, number, refundId, amount, tax, createdAt }: CreditNote) {
  return {
    ...{ creditNoteId, number, amount, createdAt: toTimestamp(createdAt) },
    ...(refundId === null ? {} : { refundId }),
    ...(tax === 0 ? {} : { tax }),
  }
}

/** An app does not see another app's invoices of the same merchant. */
export function seenBy(principal: Principal): { appId?: string; organizationId?: string } {
  if (principal.kind === 'app') return { appId: principal.appId }
  return principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}
}
