import type { Sql } from '../../platform/db/db.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findRefundsOfInvoices } from '../refunds/store.ts'
import { invoiceToJson } from './schema.ts'
import type { Invoice } from './store.ts'

/** Invoices with their attempts and refunds, as the interface shows invoices. */
export async function invoicesToJson(sql: Sql, invoices: readonly Invoice[]) {
  const ids = invoices.map(invoice => invoice.invoiceId)
  const charges = Map.groupBy(await findChargesOfInvoices(sql, ids), charge => charge.invoiceId)
  const refunds = Map.groupBy(await findRefundsOfInvoices(sql, ids), refund => refund.invoiceId)
  return invoices.map(invoice =>
    invoiceToJson(invoice, charges.get(invoice.invoiceId) ?? [], refunds.get(invoice.invoiceId) ?? []),
  )
}
