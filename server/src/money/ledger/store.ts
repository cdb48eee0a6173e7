import {
  entriesOfBooking,
  type LedgerAccount,
  type LedgerTransaction,
  type OrganizationBooking,
  type OrganizationBookingKind,
  type TaxBasis,
} from '../../core/ledger.ts'
import type { Sql } from '../../platform/db/db.ts'
import { insertTaxRecords } from '../tax/record-store.ts'

/**
 * Appends bookings. A second booking of the same source violates a unique key, and entries that do not sum to zero violate a check. `live` is
 * read from the business here, so that no caller can forget it. Bookings with tax by address also enter the outbox of the tax provider.
 */
export async function insertLedgerTransactions(sql: Sql, transactions: readonly LedgerTransaction[]): Promise<void> {
  if (transactions.length === 0) return
  await sql`
    insert into ledger_transactions (
      ledger_transaction_id, kind, source_id, invoice_id, business_id, organization_id, currency, booked_at,
      share_basis_points, gateway, organization, operator, business_credit, tax, live)
    select "ledgerTransactionId", "kind", "sourceId", "invoiceId", "businessId", "organizationId", "currency", "bookedAt",
      "shareBasisPoints", "GATEWAY", "ORGANIZATION", "OPERATOR", "BUSINESS_CREDIT",
      "TAX",
      (select b.type = 'MERCHANT' from businesses as b where b.business_id = "businessId")
    from jsonb_to_recordset(${sql.json(transactions.map(byAccount) as never)}) as x (
      "ledgerTransactionId" uuid, "kind" text, "sourceId" uuid, "invoiceId" uuid, "businessId" uuid, "organizationId" uuid,
      "currency" text, "bookedAt" timestamptz, "shareBasisPoints" integer, "GATEWAY" bigint, "ORGANIZATION" bigint,
      "OPERATOR" bigint, "BUSINESS_CREDIT" bigint, "TAX" bigint)`
  const byAddress = transactions.filter(({ isByAddress }) => isByAddress)
  if (byAddress.length === 0) return
  await insertTaxRecords(
    sql,
    byAddress.map(({ ledgerTransactionId }) => ledgerTransactionId),
  )
}

/** Appends the booking of an organization. A second booking of the same source violates a unique key. */
export async function insertOrganizationBooking(
  sql: Sql,
  { ledgerTransactionId, booking }: { ledgerTransactionId: string; booking: OrganizationBooking },
): Promise<void> {
  const moved = amountsOf(entriesOfBooking(booking))
  await sql`
    insert into ledger_transactions (
      ledger_transaction_id, kind, source_id, organization_id, currency, booked_at, gateway, organization, operator,
      business_credit, tax, live)
    values (${ledgerTransactionId}, ${booking.kind}, ${booking.bookingId}, ${booking.organizationId}, ${booking.currency},
      ${booking.createdAt}, ${moved.GATEWAY}, ${moved.ORGANIZATION}, ${moved.OPERATOR}, ${moved.BUSINESS_CREDIT},
      ${moved.TAX}, true)`
}

/** The charge of an invoice without a booked fee. Null: no charge yet, test money, or the fee is booked. */
export async function findChargeWithoutFee(sql: Sql, invoiceId: string) {
  const [row] = await sql<{ chargeId: string; organizationId: string }[]>`
    select t.source_id as "chargeId", t.organization_id as "organizationId"
    from ledger_transactions as t
    where t.invoice_id = ${invoiceId} and t.kind = 'CHARGE' and t.live
      and not exists (select 1 from ledger_transactions as f where f.kind = 'FEE' and f.source_id = t.source_id)`
  return row ?? null
}

/** Books the gateway's fee of a charge. A fee that is booked already stays as it is: of two calls at once, one books. */
export async function insertChargeFee(
  sql: Sql,
  fee: {
    readonly ledgerTransactionId: string
    readonly chargeId: string
    readonly organizationId: string
    readonly currency: string
    readonly entries: LedgerTransaction['entries']
    readonly bookedAt: Date
  },
): Promise<void> {
  const moved = amountsOf(fee.entries)
  await sql`
    insert into ledger_transactions (
      ledger_transaction_id, kind, source_id, organization_id, currency, booked_at, gateway, organization, operator,
      business_credit, tax, live)
    values (${fee.ledgerTransactionId}, 'FEE', ${fee.chargeId}, ${fee.organizationId}, ${fee.currency}, ${fee.bookedAt},
      ${moved.GATEWAY}, ${moved.ORGANIZATION}, ${moved.OPERATOR}, ${moved.BUSINESS_CREDIT}, ${moved.TAX}, true)
    on conflict on constraint ledger_transactions_source_once do nothing`
}

/** A row of the journal: one booking with an amount per account. */
export interface JournalRow {
  readonly ledgerTransactionId: string
  readonly bookedAt: Date
  readonly kind: LedgerTransaction['kind'] | OrganizationBookingKind
  readonly currency: string
  readonly invoiceNumber: string | null
  readonly reference: string | null
  readonly gateway: number
  readonly organization: number
  readonly operator: number
  readonly businessCredit: number
  readonly tax: number
}

/** The bookings of an organization in a time span, oldest first. The fee of a charge has the invoice of the charge. */
export async function listJournal(
  sql: Sql,
  of: { organizationId: string; live: boolean; from: Date; to: Date; offset: number; limit: number },
): Promise<JournalRow[]> {
  return await sql<JournalRow[]>`
    select t.ledger_transaction_id as "ledgerTransactionId", t.booked_at as "bookedAt", t.kind, t.currency,
      i.number as "invoiceNumber", b.reference, t.gateway, t.organization, t.operator, t.business_credit as "businessCredit",
      t.tax
    from ledger_transactions as t
    left join ledger_transactions as c on t.kind = 'FEE' and c.kind = 'CHARGE' and c.source_id = t.source_id
    left join invoices as i on i.invoice_id = coalesce(t.invoice_id, c.invoice_id)
    left join organization_bookings as b on b.booking_id = t.source_id and t.invoice_id is null
    where t.organization_id = ${of.organizationId} and t.live = ${of.live}
      and t.booked_at >= ${of.from} and t.booked_at < ${of.to}
    order by t.booked_at, t.ledger_transaction_id offset ${of.offset} limit ${of.limit}`
}

/** The amount of each account, as the table has them. */
function byAccount({ entries, ...transaction }: LedgerTransaction) {
  return { ...transaction, ...amountsOf(entries) }
}

function amountsOf(entries: LedgerTransaction['entries']): Record<LedgerAccount, number> {
  const moved: Record<LedgerAccount, number> = { GATEWAY: 0, ORGANIZATION: 0, OPERATOR: 0, BUSINESS_CREDIT: 0, TAX: 0 }
  for (const { account, amount } of entries) moved[account] += amount
  return moved
}

/** The charge of an invoice, its share, and the amounts returned, in all and by disputes. Null before the charge. */
export async function findBookedCharge(sql: Sql, invoiceId: string) {
  const [row] = await sql<
    { shareBasisPoints: number | null; goneBefore: number; chargedBack: number; gross: number; tax: number }[]
  >`
    select max(share_basis_points) as "shareBasisPoints",
      coalesce(-sum(gateway) filter (where kind <> 'CHARGE'), 0)::bigint as "goneBefore",
      coalesce(-sum(gateway) filter (where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN')), 0)::bigint as "chargedBack",
      coalesce(sum(gateway) filter (where kind = 'CHARGE'), 0)::bigint as gross,
      coalesce(-sum(tax) filter (where kind = 'CHARGE'), 0)::bigint as tax
    from ledger_transactions
    where invoice_id = ${invoiceId} and share_basis_points is not null`
  const shareBasisPoints = row?.shareBasisPoints ?? null
  if (row === undefined || shareBasisPoints === null) return null
  const { goneBefore, chargedBack, gross, tax } = row
  return { shareBasisPoints, goneBefore, chargedBack, charged: { gross, tax } }
}

/** The tax bases of invoices. Invoices without tax are missing. The invoices or their subscriptions must be locked. */
export async function findTaxBases(sql: Sql, invoiceIds: readonly string[]): Promise<Map<string, TaxBasis>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await sql<(TaxBasis & { invoiceId: string })[]>`
    select i.invoice_id as "invoiceId", (i.tax ->> 'tax')::bigint as tax, (i.tax ->> 'gross')::bigint as gross,
      i.tax ->> 'rateSource' is not null as "isByAddress",
      coalesce(
        (select sum(t.gateway + t.business_credit) from ledger_transactions as t where t.invoice_id = i.invoice_id),
        0)::bigint as held
    from invoices as i
    where i.invoice_id = any(${invoiceIds as string[]}::uuid[]) and i.tax is not null`
  return new Map(rows.map(({ invoiceId, ...basis }) => [invoiceId, basis]))
}
