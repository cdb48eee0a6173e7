import type { OrganizationBooking } from '../../core/ledger.ts'
import { isRejection } from '../../core/rejection.ts'
import { openPayoutAccount, readPayoutAccount } from '../../money/payouts/account.ts'
import { listBookings } from '../../money/payouts/store.ts'
import type { PayoutAccount } from '../../money/payouts/transfer-store.ts'
import { listTransfers } from '../../money/payouts/transfer-store.ts'
import type { PayoutTransfer } from '../../money/payouts/transfers.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { day, moneyWords, monthWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { devPage, framed } from '../dev/dev-page.ts'

const PAYOUTS_PATH = '/dev/payouts'
const above = [{ href: DEVELOPER_PATHS.statements, text: 'Statements' }]

/** The payout account of the organization, and the payouts. */
export function developerPayoutPages(ports: Pick<Ports, 'db' | 'clock' | 'transfers' | 'settings'>): AnyPage[] {
  return [
    devPage({
      ...{ method: 'GET', path: PAYOUTS_PATH, name: 'showPayouts', operation: 'ledger.read' },
      async handle(call, { organizationId, may }) {
        const account = await readPayoutAccount({ ...ports, db: call.db }, organizationId)
        const setUp = may('organizations.manage') && account?.isReady !== true && setUpForm(call.csrf, account)
        const main = html`${pageHead({ title: 'Payouts', above, lead: 'What the operator paid to you.' })}
${
  ports.transfers !== undefined &&
  html`<section class="section"><h2>Payout account ${accountBadge(account)}</h2>
<p>${account?.isReady ? 'Payouts go to the bank account that you gave to Stripe.' : 'Stripe identifies your company and asks for the bank account that receives payouts.'}</p>
${setUp}</section>`
}
${await payoutLists(call.db.sql, organizationId)}`
        return framed(call, { title: 'Payouts', part: 'statements', main })
      },
    }),
    devPage({
      ...{ method: 'POST', path: `${PAYOUTS_PATH}/account`, name: 'sendPayoutAccount' },
      operation: 'organizations.manage',
      async handle(call, { organizationId }) {
        const returnUrl = `${ports.settings.baseUrl}${PAYOUTS_PATH}`
        const opened = await openPayoutAccount({ ...ports, db: call.db }, { organizationId, returnUrl })
        if (isRejection(opened)) return opened
        // A link, because the content security policy lets forms lead to this service alone.
        const main = html`${pageHead({ title: 'Payout account', above: [...above, { href: PAYOUTS_PATH, text: 'Payouts' }] })}
<p>Continue at Stripe. The link works once, for a few minutes. Afterwards Stripe leads back here.</p>
${buttons(linkButton('Continue to Stripe', opened.onboardingUrl, { kind: 'primary' }), linkButton('Go back', PAYOUTS_PATH))}`
        return framed(call, { title: 'Payout account', part: 'statements', main, width: 'narrow' })
      },
    }),
  ]
}

export function accountBadge(account: PayoutAccount | null): Html {
  if (account === null) return badge('Not set up')
  return account.isReady ? badge('Ready', 'good') : badge('Incomplete', 'warn')
}

function setUpForm(csrf: string, account: PayoutAccount | null): Html {
  const text = account === null ? 'Set up payouts' : 'Complete the account'
  return form({ csrf, action: `${PAYOUTS_PATH}/account`, body: button(text, { kind: 'primary' }) })
}

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
