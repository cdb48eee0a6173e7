import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { endOfMonth, startOfMonth } from '../../core/statement.ts'
import type { Ports } from '../../ports.ts'
import { type JournalRow, listJournal } from './store.ts'

const BOOKINGS_A_PART = 10_000

const COLUMNS = ['date', 'entry', 'account', 'debit', 'credit', 'currency', 'text', 'reference']

/** The account of each column of a booking. */
const ACCOUNTS = {
  gateway: 'Gateway',
  organization: 'Organization',
  operator: 'Operator share',
  businessCredit: 'Merchant credit',
  tax: 'Tax',
} as const satisfies Partial<Record<keyof JournalRow, string>>

const TEXTS: Readonly<Record<JournalRow['kind'], string>> = {
  CHARGE: 'Payment',
  REFUND: 'Refund',
  REFUND_RETURN: 'Returned refund',
  CHARGEBACK: 'Chargeback',
  CHARGEBACK_RETURN: 'Reversed chargeback',
  CREDIT: 'Credit granted',
  CREDIT_USE: 'Credit used',
  FEE: 'Fee',
  PAYOUT: 'Payout',
  ADJUSTMENT: 'Adjustment',
}

/** The number of parts of a month's journal. At least 1. */
export function partsOfJournal(bookings: number): number {
  return Math.max(1, Math.ceil(bookings / BOOKINGS_A_PART))
}

/**
 * The general journal of a month as CSV: one row per account of each booking, and the debits of an entry equal its
 * credits. A month with more bookings has several parts, numbered from 1.
 */
export async function readJournal(
  { db }: Pick<Ports, 'db'>,
  of: { organizationId: string; month: string; live: boolean; part: number },
): Promise<string> {
  const { organizationId, month, live, part } = of
  const span = { from: startOfMonth(month), to: endOfMonth(month) }
  const limit = BOOKINGS_A_PART
  const rows = await listJournal(db.sql, { organizationId, live, ...span, offset: (part - 1) * limit, limit })
  return csvOf([COLUMNS, ...rows.flatMap(linesOf)])
}

/** Debits first, as accountants write an entry. */
function linesOf(row: JournalRow): CsvValue[][] {
  const { ledgerTransactionId, bookedAt, kind, currency, invoiceNumber, reference } = row
  const moved = (Object.keys(ACCOUNTS) as (keyof typeof ACCOUNTS)[])
    .map(account => ({ account, amount: row[account] }))
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => b.amount - a.amount)
  return moved.map(({ account, amount }) => {
    const money = { number: decimalOf(Math.abs(amount), currency) }
    return [
      ...[bookedAt.toISOString().slice(0, 10), ledgerTransactionId, ACCOUNTS[account]],
      ...(amount > 0 ? [money, undefined] : [undefined, money]),
      ...[currency, TEXTS[kind], invoiceNumber ?? reference ?? undefined],
    ]
  })
}
