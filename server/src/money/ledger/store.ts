import type { LedgerAccount, LedgerTransaction } from '../../core/ledger.ts'
import type { Sql } from '../../platform/db/db.ts'

/**
 * Appends bookings. A second booking of the same source violates a unique key, and entries that do not sum to zero violate a check. `live` is
 * read from the business here, so that no caller can forget it.
 */
export async function insertLedgerTransactions(sql: Sql, transactions: readonly LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  await sql`
    insert into ledger_transactions (
      ledger_transaction_id, kind, source_id, invoice_id, business_id, organization_id, currency, booked_at,
      share_basis_points, gateway, organization, operator, business_credit, live)
    select "ledgerTransactionId", "kind", "sourceId", "invoiceId", "businessId", "organizationId", "currency", "bookedAt",
      "shareBasisPoints", "GATEWAY", "ORGANIZATION", "OPERATOR", "BUSINESS_CREDIT",
      (select b.type = 'MERCHANT' from businesses as b where b.business_id = "businessId")
    from jsonb_to_recordset(${sql.json(transactions.map(byAccount) as never)}) as x (
      "ledgerTransactionId" uuid, "kind" text, "sourceId" uuid, "invoiceId" uuid, "businessId" uuid, "organizationId" uuid,
      "currency" text, "bookedAt" timestamptz, "shareBasisPoints" integer, "GATEWAY" bigint, "ORGANIZATION" bigint,
      "OPERATOR" bigint, "BUSINESS_CREDIT" bigint)`
}

/** The amount of each account, as the table has them. */
function byAccount({ entries, ...transaction }: LedgerTransaction) {
  const moved: Record<LedgerAccount, number> = { GATEWAY: 0, ORGANIZATION: 0, OPERATOR: 0, BUSINESS_CREDIT: 0 }
  for (const { account, amount } of entries) moved[account] += amount
  return { ...transaction, ...moved }
}

/** The share of an invoice's charge and the amounts returned, in all and by disputes. Null before the charge. */
export async function findBookedCharge(
  sql: Sql,
  invoiceId: string,
): Promise<{ shareBasisPoints: number; goneBefore: number; chargedBack: number } | null> {
  const [row] = await sql<{ shareBasisPoints: number | null; goneBefore: number; chargedBack: number }[]>`
    select max(share_basis_points) as "shareBasisPoints",
      coalesce(-sum(gateway) filter (where kind <> 'CHARGE'), 0)::bigint as "goneBefore",
      coalesce(-sum(gateway) filter (where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN')), 0)::bigint as "chargedBack"
    from ledger_transactions
    where invoice_id = ${invoiceId} and share_basis_points is not null`
  const shareBasisPoints = row?.shareBasisPoints ?? null
  return row && shareBasisPoints !== null ? { ...row, shareBasisPoints } : null
}
