import { toTimestamp } from '../../core/calendar.ts'
import { csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { endOfMonth, startOfMonth } from '../../core/statement.ts'
import type { Ports } from '../../ports.ts'
import { listJournal } from './store.ts'

const BOOKINGS_A_PART = 10_000

const COLUMNS = [
  ...['date', 'booking', 'kind', 'currency', 'invoice', 'reference'],
  ...['gateway', 'organization', 'operator', 'businessCredit', 'tax'],
]

/**
 * Every booking of a month as CSV. Debits are positive, credits are negative, and the accounts of a booking add up to
 * 0. A month with more bookings has several parts, numbered from 1.
 */
export async function readJournal(
  { db }: Pick<Ports, 'db'>,
  of: { organizationId: string; month: string; live: boolean; part: number },
): Promise<string> {
  const { organizationId, month, live, part } = of
  const span = { from: startOfMonth(month), to: endOfMonth(month) }
  const limit = BOOKINGS_A_PART
  const rows = await listJournal(db.sql, { organizationId, live, ...span, offset: (part - 1) * limit, limit })
  return csvOf([
    COLUMNS,
    ...rows.map(row => {
      const money = (amount: number) => ({ number: decimalOf(amount, row.currency) })
      const { ledgerTransactionId, kind, currency, invoiceNumber, reference } = row
      return [
        ...[toTimestamp(row.bookedAt), ledgerTransactionId, kind, currency],
        ...[invoiceNumber ?? undefined, reference ?? undefined],
        ...[row.gateway, row.organization, row.operator, row.businessCredit, row.tax].map(money),
      ]
    }),
  ])
}
