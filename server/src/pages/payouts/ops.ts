import type { Static } from 'typebox'
import { Type } from 'typebox'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { CURRENCIES, decimalOf, minorUnits } from '../../core/money.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { monthStatus } from '../../core/statement.ts'
import { listBalances, listMonths, type MonthOfBalance } from '../../money/ledger/totals.ts'
import { readPayoutAccount } from '../../money/payouts/account.ts'
import { book, readOwed } from '../../money/payouts/book.ts'
import { orderTransfer } from '../../money/payouts/transfer.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line, Uuid } from '../../platform/http/wire.ts'
import { notice, toast } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  form,
  linkButton,
  type Problems,
  selectField,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { stats } from '../../platform/web/components/stat.ts'
import { addressOf, sumColumn, table } from '../../platform/web/components/table.ts'
import { moneyWords, monthWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { framed, opsPage } from '../ops/ops-page.ts'
import { accountBadge, payoutLists } from './dev.ts'
import { JOURNAL_QUERY, MONTH, monthBadge, STATEMENT_FILES, statementLinks } from './statement-files.ts'

const path = `${OPERATOR_PATHS.organizations}/:organizationId/payouts`
const params = Type.Object({ organizationId: Uuid })
const monthParams = Type.Object({ organizationId: Uuid, month: MONTH })
const pathOf = (organizationId: string) => `${OPERATOR_PATHS.organizations}/${organizationId}/payouts`

const FILE_PAGES = {
  'lines.csv': 'downloadOrganizationStatement',
  'statement.pdf': 'downloadOrganizationStatementPdf',
  'journal.csv': 'downloadOrganizationJournal',
} as const

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
        const main = html`${pageHead({ title: 'Payouts', above, actions })}
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
    ...(Object.keys(FILE_PAGES) as (keyof typeof FILE_PAGES)[]).map(file =>
      opsPage({
        ...{ method: 'GET', path: `${path}/months/:month/${file}`, params: monthParams, query: JOURNAL_QUERY },
        ...{ name: FILE_PAGES[file], operation: 'ledger.read' },
        handle: call =>
          STATEMENT_FILES[file]({ db: call.db, clock: ports.clock }, { ...call.params, live: true }, call),
      }),
    ),
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
  return table<MonthOfBalance>({
    caption: 'Statements',
    rows: months,
    sortable: 'months',
    columns: [
      { name: 'Month', cell: ({ month }) => monthWords(month), sort: ({ month }) => month },
      { name: 'Currency', cell: ({ currency }) => currency, sort: ({ currency }) => currency },
      sumColumn('Opening balance', ({ opening }) => opening),
      sumColumn('Closing balance', ({ closing }) => closing),
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

/** A booking by hand, with the sign of an adjustment. */
const KINDS = {
  PAYOUT: { kind: 'PAYOUT', sign: 1, text: 'Payout: you paid the developer' },
  FEE: { kind: 'FEE', sign: 1, text: 'Fee: the developer bears it' },
  CREDIT: { kind: 'ADJUSTMENT', sign: 1, text: 'Adjustment: add to the balance' },
  DEBIT: { kind: 'ADJUSTMENT', sign: -1, text: 'Adjustment: take from the balance' },
} as const

const bookingPath = `${OPERATOR_PATHS.organizations}/:organizationId/payouts/book`

const FORM = Type.Object({
  kind: Type.Enum(Object.keys(KINDS) as (keyof typeof KINDS)[]),
  currency: Line(3, 0),
  amount: Line(20, 0),
  reference: Line(140, 0),
})

type Entered = Static<typeof FORM>

/** Books by hand what the operator paid to an organization, a fee that the organization bears, or an adjustment. */
function bookingPages(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>): AnyPage[] {
  return [
    opsPage({
      ...{ method: 'GET', path: bookingPath, params, name: 'showBooking', operation: 'payouts.manage' },
      query: Type.Object({ currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })) }),
      handle: async call => await show(call, await payoutOf(call)),
    }),
    opsPage({
      ...{ method: 'POST', path: bookingPath, params, name: 'sendBooking', operation: 'payouts.manage', form: FORM },
      async handle(call) {
        const organizationId = call.params.organizationId
        const { currency, reference } = call.form
        const { kind, sign } = KINDS[call.form.kind]
        const amount = minorUnits(call.form.amount.trim(), currency)
        const problems: Problems = {
          ...(!CURRENCIES.has(currency) && { currency: 'Choose a currency.' }),
          ...(!amount && { amount: 'Enter an amount above 0, such as 120.00.' }),
          ...(reference.trim() === '' && { reference: 'Enter a reference, such as the number of the bank transfer.' }),
        }
        if (!amount || Object.keys(problems).length > 0) return await show(call, call.form, problems)
        const input = { kind, organizationId, currency, amount: sign * amount, reference: reference.trim() }
        const booked = await book({ ...ports, db: call.db }, input)
        if (!isRejection(booked)) return redirect(`${pathOf(organizationId)}?done=booked`)
        const problem = await problemOf(call, booked, { organizationId, currency })
        return problem === null ? booked : await show(call, call.form, problem)
      },
    }),
  ]
}

/** Null: no field is to blame. */
async function problemOf(
  { db }: Pick<PageCall, 'db'>,
  { rejected }: Rejection,
  of: { organizationId: string; currency: string },
): Promise<Problems | null> {
  if (rejected === 'REFERENCE_BOOKED')
    return { reference: 'A booking of this kind with this reference exists already.' }
  if (rejected !== 'PAYOUT_EXCEEDS_OWED') return null
  const { free } = await readOwed(db.sql, of)
  const most = moneyWords({ amount: Math.max(0, free), currency: of.currency })
  return { amount: `A payout is at most what is owed: ${most}.` }
}

/** A payout of everything that is owed in the currency of the link. */
async function payoutOf({
  db,
  params: { organizationId },
  query: { currency },
}: PageCall<{ organizationId: string }, { currency?: string | undefined }, unknown>): Promise<Entered | undefined> {
  if (currency === undefined) return undefined
  const { free } = await readOwed(db.sql, { organizationId, currency })
  return { kind: 'PAYOUT', currency, amount: free > 0 ? decimalOf(free, currency) : '', reference: '' }
}

async function show(
  call: PageCall<{ organizationId: string }>,
  entered?: Entered,
  problems: Problems = {},
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const organizationId = call.params.organizationId
  const organization = await findOrganization(sql, organizationId)
  if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
  const balances = await listBalances(sql, { organizationId, live: true })
  const currencies = balances.length > 0 ? balances.map(({ currency }) => currency) : [...CURRENCIES.keys()].toSorted()
  const { kind, currency, amount, reference } = entered ?? { kind: 'PAYOUT', currency: '', amount: '', reference: '' }
  const main = html`${pageHead({
    title: 'Book by hand',
    above: [
      { href: OPERATOR_PATHS.organizations, text: 'Organizations' },
      { href: `${OPERATOR_PATHS.organizations}/${organizationId}`, text: organization.name },
      { href: pathOf(organizationId), text: 'Payouts' },
    ],
    lead: 'A booking moves no money. It cannot be changed; an adjustment corrects it. The developer gets a mail about a payout.',
  })}
${form({
  ...{ csrf: call.csrf, action: `${pathOf(organizationId)}/book`, problems },
  body: html`${selectField({
    ...{ name: 'kind', label: 'Kind', value: kind, problem: problems.kind },
    options: Object.entries(KINDS).map(([value, { text }]) => ({ value, text })),
  })}
${selectField({
  ...{ name: 'currency', label: 'Currency', value: currency, problem: problems.currency },
  options: currencies.map(value => {
    const owed = balances.find(balance => balance.currency === value)?.net
    return {
      value,
      text: owed === undefined ? value : `${value}, ${moneyWords({ amount: owed, currency: value })} owed`,
    }
  }),
})}
${textField({ name: 'amount', label: 'Amount', inputmode: 'decimal', autocomplete: 'off', maxlength: 20, value: amount, problem: problems.amount })}
${textField({ name: 'reference', label: 'Reference', hint: 'The reference of the bank transfer, or the reason. The developer sees it.', autocomplete: 'off', maxlength: 140, value: reference, problem: problems.reference })}
${buttons(button('Book', { kind: 'primary' }), linkButton('Go back', pathOf(organizationId)))}`,
})}`
  return framed(call, { title: 'Book by hand', part: 'organizations', main, width: 'narrow', problems })
}
