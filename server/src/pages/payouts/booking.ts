import { Type } from 'typebox'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { CURRENCIES, decimalOf, minorUnits } from '../../core/money.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { listBalances } from '../../money/ledger/totals.ts'
import { book, readOwed } from '../../money/payouts/book.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line, Uuid } from '../../platform/http/wire.ts'
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
import { moneyWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { framed, opsPage } from '../ops/ops-page.ts'

/** A booking by hand, with the sign of an adjustment. */
const KINDS = {
  PAYOUT: { kind: 'PAYOUT', sign: 1, text: 'Payout: you paid the developer' },
  FEE: { kind: 'FEE', sign: 1, text: 'Fee: the developer bears it' },
  CREDIT: { kind: 'ADJUSTMENT', sign: 1, text: 'Adjustment: add to the balance' },
  DEBIT: { kind: 'ADJUSTMENT', sign: -1, text: 'Adjustment: take from the balance' },
} as const

const path = `${OPERATOR_PATHS.organizations}/:organizationId/payouts/book`
const params = Type.Object({ organizationId: Uuid })
const pathOf = (organizationId: string) => `${OPERATOR_PATHS.organizations}/${organizationId}/payouts`

const FORM = Type.Object({
  kind: Type.Enum(Object.keys(KINDS) as (keyof typeof KINDS)[]),
  currency: Line(3, 0),
  amount: Line(20, 0),
  reference: Line(140, 0),
})

interface Entered {
  readonly kind: keyof typeof KINDS
  readonly currency: string
  readonly amount: string
  readonly reference: string
}

/** Books by hand what the operator paid to an organization, a fee that the organization bears, or an adjustment. */
export function bookingPages(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>): AnyPage[] {
  return [
    opsPage({
      ...{ method: 'GET', path, params, name: 'showBooking', operation: 'payouts.manage' },
      query: Type.Object({ currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })) }),
      handle: async call => await show(call, await payoutOf(call)),
    }),
    opsPage({
      ...{ method: 'POST', path, params, name: 'sendBooking', operation: 'payouts.manage', form: FORM },
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
