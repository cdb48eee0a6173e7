import type { LedgerTransaction } from '../core/ledger.ts'
import type { Sql } from '../db/db.ts'

/** Appends bookings. A second booking of the same charge or refund violates a unique key: it is never booked twice. */
export async function insertLedgerTransactions(sql: Sql, transactions: readonly LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  await sql`
    insert into ledger_transactions
      (ledger_transaction_id, kind, source_id, invoice_id, business_id, currency, booked_at)
    select "ledgerTransactionId", "kind", "sourceId", "invoiceId", "businessId", "currency", "bookedAt"
    from jsonb_to_recordset(${sql.json(transactions as never)}) as x (
      "ledgerTransactionId" uuid, "kind" text, "sourceId" uuid, "invoiceId" uuid, "businessId" uuid, "currency" text,
      "bookedAt" timestamptz)`
  const entries = transactions.flatMap(({ ledgerTransactionId, entries }) =>
    entries.map((entry, position) => ({ ...entry, ledgerTransactionId, position })),
  )
  await sql`
    insert into ledger_entries (ledger_transaction_id, position, account, owner_id, amount)
    select "ledgerTransactionId", "position", "account", "ownerId", "amount"
    from jsonb_to_recordset(${sql.json(entries as never)}) as x (
      "ledgerTransactionId" uuid, "position" integer, "account" text, "ownerId" uuid, "amount" bigint)`
}
