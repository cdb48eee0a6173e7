import type { LedgerTransaction } from '../core/ledger.ts'
import type { Sql } from '../db/db.ts'

/**
 * Appends bookings. A second booking of the same charge or refund violates a unique key: it is never booked twice. Entries that
 * do not sum to zero are refused by the table. Whether money is a test merchant's is read here, so that no caller can forget it.
 */
export async function insertLedgerTransactions(sql: Sql, transactions: readonly LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  const entries = transactions.flatMap(({ ledgerTransactionId, entries }) =>
    entries.map((entry, position) => ({ ...entry, ledgerTransactionId, position })),
  )
  // One statement, so that there is no transaction without its entries.
  await sql`
    with booked as (
      insert into ledger_transactions
        (ledger_transaction_id, kind, source_id, invoice_id, business_id, currency, booked_at, share_basis_points, live)
      select "ledgerTransactionId", "kind", "sourceId", "invoiceId", "businessId", "currency", "bookedAt",
        "shareBasisPoints", (select b.type = 'MERCHANT' from businesses as b where b.business_id = "businessId")
      from jsonb_to_recordset(${sql.json(transactions as never)}) as x (
        "ledgerTransactionId" uuid, "kind" text, "sourceId" uuid, "invoiceId" uuid, "businessId" uuid, "currency" text,
        "bookedAt" timestamptz, "shareBasisPoints" integer))
    insert into ledger_entries (ledger_transaction_id, position, account, owner_id, amount)
    select "ledgerTransactionId", "position", "account", "ownerId", "amount"
    from jsonb_to_recordset(${sql.json(entries as never)}) as x (
      "ledgerTransactionId" uuid, "position" integer, "account" text, "ownerId" uuid, "amount" bigint)`
}

/** With which share the charge of an invoice was booked, and how much of it has gone back; null before the charge. */
export async function findBookedCharge(
  sql: Sql,
  invoiceId: string,
): Promise<{ shareBasisPoints: number; refundedBefore: number } | null> {
  const [row] = await sql<{ shareBasisPoints: number | null; refundedBefore: number }[]>`
    select max(t.share_basis_points) as "shareBasisPoints",
      coalesce(-sum(e.amount) filter (where t.kind in ('REFUND', 'REFUND_RETURN')), 0)::bigint as "refundedBefore"
    from ledger_transactions as t join ledger_entries as e using (ledger_transaction_id)
    where t.invoice_id = ${invoiceId} and t.kind in ('CHARGE', 'REFUND', 'REFUND_RETURN') and e.account = 'GATEWAY'`
  const shareBasisPoints = row?.shareBasisPoints ?? null
  return row && shareBasisPoints !== null ? { shareBasisPoints, refundedBefore: row.refundedBefore } : null
}
