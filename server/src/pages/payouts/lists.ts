import type { OrganizationBooking } from '../../core/ledger.ts'
import { listBookings } from '../../money/payouts/store.ts'
import { listTransfers } from '../../money/payouts/transfer-store.ts'
import type { PayoutTransfer } from '../../money/payouts/transfers.ts'
import type { Sql } from '../../platform/db/db.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import { table } from '../../platform/web/components/table.ts'
import { day, moneyWords, monthWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'

const LATEST = 50

/** Transfers and bookings of an organization, the latest of each. */
export async function payoutLists(sql: Sql, organizationId: string): Promise<Html> {
  const of = { organizationId, offset: 0, limit: LATEST }
  const { transfers } = await listTransfers(sql, of)
  const { bookings } = await listBookings(sql, of)
  return html`${transfers.length > 0 && transferTable(transfers)}
${
  bookings.length === 0
    ? emptyState('No payouts yet', 'Payouts, fees and adjustments appear here when they are booked.')
    : table<OrganizationBooking>({
        caption: 'Bookings, newest first',
        rows: bookings,
        columns: [
          { name: 'Kind', cell: ({ kind }) => KINDS[kind] },
          { name: 'Amount', isNumber: true, cell: moneyWords },
          { name: 'Reference', cell: ({ reference }) => reference },
          { name: 'Booked', cell: ({ createdAt }) => day(createdAt) },
        ],
      })
}`
}

const KINDS = { PAYOUT: 'Payout', FEE: 'Fee', ADJUSTMENT: 'Adjustment' } as const

function transferTable(transfers: readonly PayoutTransfer[]): Html {
  return table<PayoutTransfer>({
    caption: 'Transfers, newest first',
    rows: transfers,
    columns: [
      { name: 'Statement', cell: ({ month }) => monthWords(month) },
      { name: 'Amount', isNumber: true, cell: moneyWords },
      { name: 'State', cell: stateOf },
      { name: 'Ordered', cell: ({ createdAt }) => day(createdAt) },
      {
        name: 'At Stripe',
        cell: ({ providerTransferId }) => providerTransferId && html`<code>${providerTransferId}</code>`,
      },
    ],
  })
}

function stateOf({ status, failure, amountReversed: amount, currency }: PayoutTransfer): Html {
  if (status === 'PENDING') return badge('On its way', 'warn')
  if (status === 'FAILED') return html`${badge('Failed', 'bad')} ${failure?.replaceAll('_', ' ')}`
  if (amount === 0) return badge('Paid', 'good')
  return html`${badge('Reversed', 'bad')} ${moneyWords({ amount, currency })}`
}
