import { Type } from 'typebox'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { monthStatus } from '../../core/statement.ts'
import { listBalances, listMonths, type MonthOfBalance } from '../../money/ledger/totals.ts'
import { readPayoutAccount } from '../../money/payouts/account.ts'
import { orderTransfer } from '../../money/payouts/transfer.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { notice, toast } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { stats } from '../../platform/web/components/stat.ts'
import { addressOf, amountColumn, table } from '../../platform/web/components/table.ts'
import { moneyWords, monthWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { framed, opsPage } from '../ops/ops-page.ts'
import { bookingPages } from './booking.ts'
import { accountBadge } from './dev.ts'
import { payoutLists } from './lists.ts'
import {
  JOURNAL_QUERY,
  journalFile,
  MONTH,
  monthBadge,
  statementDocument,
  statementFile,
  statementLinks,
} from './statement-files.ts'

const path = `${OPERATOR_PATHS.organizations}/:organizationId/payouts`
const params = Type.Object({ organizationId: Uuid })
const monthParams = Type.Object({ organizationId: Uuid, month: MONTH })
const pathOf = (organizationId: string) => `${OPERATOR_PATHS.organizations}/${organizationId}/payouts`

const NO_STATEMENT = 'There is no statement of this month.'

/** The balances of an organization, its statements and payouts, and a transfer of the last closed month. */
export function operatorPayoutPages(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'transfers' | 'vault' | 'settings'>,
): AnyPage[] {
  return [
    ...bookingPages(ports),
    opsPage({
      ...{ method: 'GET', path, params, name: 'showOrganizationPayouts', operation: 'ledger.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(['ordered', 'booked'])) }),
      async handle(call, desk) {
        const { sql } = call.db
        const organizationId = call.params.organizationId
        const organization = await findOrganization(sql, organizationId)
        if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
        const of = { organizationId, live: true }
        const balances = await listBalances(sql, of)
        const account = await readPayoutAccount({ ...ports, db: call.db }, organizationId)
        const now = ports.clock.now()
        const months = await listMonths(sql, of)
        const closed = months.filter(({ month }) => monthStatus(month, { live: true, now }) === 'CLOSED')
        const due = balances.flatMap(({ currency, net }) => {
          const last = closed.find(one => one.currency === currency)
          return last && Math.min(last.closing, net) > 0 ? [last] : []
        })
        const above = [
          { href: OPERATOR_PATHS.organizations, text: 'Organizations' },
          { href: `${OPERATOR_PATHS.organizations}/${organizationId}`, text: organization.name },
        ]
        const actions = desk.may('payouts.manage') && linkButton('Book by hand', `${pathOf(organizationId)}/book`)
        const main = html`${pageHead({ title: 'Payouts', above, ...(actions && { actions }) })}
${call.query.done === 'ordered' && toast('The transfer is ordered', 'The state below changes when Stripe answers.')}
${call.query.done === 'booked' && toast('The booking is made')}
${balances.filter(({ net }) => net < 0).map(({ net, currency }) => notice('warn', `The developer owes you ${moneyWords({ amount: -net, currency })}`, 'Refunds, disputes or fees came after the last payout. Later sales reduce the debt; until then, nothing can be paid out.'))}
${balances.length > 0 && stats(balances.map(({ currency, net: amount }) => ({ label: `Owed, ${currency}`, value: moneyWords({ amount, currency }) })))}
${
  ports.transfers === undefined
    ? html`<p>Pay the developer by bank transfer, then book the payout. With <code>TILLHOOK_PAYOUTS=stripe</code>, Stripe Connect transfers payouts.</p>
${actions && payoutButtons(organizationId, balances)}`
    : html`<section class="section"><h2>Payout account ${accountBadge(account)}</h2>
${account?.isReady ? desk.may('payouts.manage') && due.map(one => transferForm(call.csrf, organizationId, one)) : html`<p>The developer completes the account under <em>Statements</em>, <em>Payouts</em>.</p>`}</section>`
}
${months.length > 0 && monthTable(`${pathOf(organizationId)}/months`, months, now)}
${await payoutLists(sql, organizationId)}`
        return framed(call, { title: 'Payouts', part: 'organizations', main })
      },
    }),
    opsPage({
      ...{ method: 'GET', path: `${path}/months/:month/lines.csv`, params: monthParams, operation: 'ledger.read' },
      name: 'downloadOrganizationStatement',
      async handle({ db, params: { organizationId: id, month } }) {
        const of = { organizationId: id, live: true, month }
        const file = await statementFile({ db, clock: ports.clock }, of)
        return file ?? reject('RESOURCE_NOT_FOUND', NO_STATEMENT)
      },
    }),
    opsPage({
      ...{ method: 'GET', path: `${path}/months/:month/statement.pdf`, params: monthParams, operation: 'ledger.read' },
      name: 'downloadOrganizationStatementPdf',
      async handle({ db, brand, params: { organizationId: id, month } }) {
        const of = { organizationId: id, live: true, month }
        const file = await statementDocument({ db, clock: ports.clock }, of, brand)
        return file ?? reject('RESOURCE_NOT_FOUND', NO_STATEMENT)
      },
    }),
    opsPage({
      ...{ method: 'GET', path: `${path}/months/:month/journal.csv`, params: monthParams, operation: 'ledger.read' },
      name: 'downloadOrganizationJournal',
      query: JOURNAL_QUERY,
      async handle({ db, params: { organizationId: id, month }, query: { part } }) {
        const file = await journalFile({ db }, { organizationId: id, live: true, month, part })
        return file ?? reject('RESOURCE_NOT_FOUND', NO_STATEMENT)
      },
    }),
    opsPage({
      ...{ method: 'POST', path, params, name: 'sendTransfer', operation: 'payouts.manage' },
      form: Type.Object({
        month: MONTH,
        currency: Type.String({ pattern: '^[A-Z]{3}$' }),
      }),
      async handle(call) {
        const organizationId = call.params.organizationId
        const ordered = await orderTransfer({ ...ports, db: call.db }, { organizationId, ...call.form })
        // Pressed twice: the first press ordered the transfer.
        if (isRejection(ordered) && ordered.rejected !== 'REFERENCE_BOOKED') return ordered
        return redirect(`${pathOf(organizationId)}?done=ordered`)
      },
    }),
  ]
}

/** A link for each currency with a debt to the developer. The form behind the link has the amount. */
function payoutButtons(
  organizationId: string,
  balances: readonly { readonly currency: string; readonly net: number }[],
): Html | false {
  const owed = balances.filter(({ net }) => net > 0)
  if (owed.length === 0) return false
  const links = owed.map(({ currency, net: amount }) =>
    linkButton(
      `Book a payout of ${moneyWords({ amount, currency })}`,
      addressOf(`${pathOf(organizationId)}/book`, { currency }),
    ),
  )
  return buttons(html`${links}`)
}

/** The months with bookings, newest first, with their files for the bookkeeper. */
function monthTable(filesPath: string, months: readonly MonthOfBalance[], now: Date): Html {
  const column = (name: string, of: (row: MonthOfBalance) => number) =>
    amountColumn<MonthOfBalance>(name, row => ({ amount: of(row), currency: row.currency }))
  return table<MonthOfBalance>({
    caption: 'Statements',
    rows: months,
    sortable: 'months',
    columns: [
      { name: 'Month', cell: ({ month }) => monthWords(month), sort: ({ month }) => month },
      { name: 'Currency', cell: ({ currency }) => currency, sort: ({ currency }) => currency },
      column('Opening balance', ({ opening }) => opening),
      column('Closing balance', ({ closing }) => closing),
      {
        name: 'State',
        cell: ({ month }) => monthBadge(month, { live: true, now }),
      },
      { name: 'Files', cell: ({ month }) => statementLinks(filesPath, months, month) },
    ],
  })
}

function transferForm(csrf: string, organizationId: string, { month, currency, closing }: MonthOfBalance): Html {
  return form({
    ...{ csrf, action: pathOf(organizationId), hidden: { month, currency } },
    body: html`<p>The balance at the end of ${monthWords(month)} was ${moneyWords({ amount: closing, currency })}. The transfer is at most what is owed now.</p>
${button(`Pay out ${monthWords(month)} in ${currency}`, { kind: 'primary' })}`,
  })
}
