import type { Params } from './form.ts'
import { get, invalid, put, type State, type Thing } from './state.ts'

/** The rates of a postal code from a day on. */
export interface TaxLocation {
  readonly postalCode: string
  /** `YYYY-MM-DD`. */
  readonly from: string
  /** Jurisdiction and percentage. */
  readonly parts: readonly (readonly [name: string, percent: string])[]
  /** The part of an amount that is taxable. Default: all. */
  readonly taxable?: number
}

/** The account collects in these places, and nowhere else. */
export const TAX_LOCATIONS: readonly TaxLocation[] = [
  {
    ...{ postalCode: '10001', from: '2020-01-01' },
    parts: [
      ['New York', '4.0'],
      ['New York City', '4.5'],
      ['Metropolitan Commuter Transportation District', '0.375'],
    ],
  },
  {
    ...{ postalCode: 'H2Y 1C6', from: '2020-01-01' },
    parts: [
      ['Canada', '5.0'],
      ['Quebec', '9.975'],
    ],
  },
  {
    ...{ postalCode: '78701', from: '2020-01-01', taxable: 0.8 },
    parts: [
      ['Texas', '6.25'],
      ['Austin', '2.0'],
    ],
  },
]

export function createCalculation(state: State, params: Params): Thing {
  const { address = {} } = (params.customer_details ?? {}) as { address?: Record<string, string> }
  if (!address.postal_code) {
    throw invalid('customer_tax_location_invalid', 'We could not determine the customer’s tax location.')
  }
  const [line = {}] = Object.values((params.line_items ?? {}) as Record<string, Record<string, string>>)
  const amount = Number(line.amount)
  const date = Number(params.tax_date ?? state.now().getTime() / 1_000)
  const { parts, taxable = 1 } = locationOn(state, address.postal_code, date)
  const isInclusive = line.tax_behavior === 'inclusive'
  const sum = parts.reduce((all, [, percent]) => all + (Number(percent) * taxable) / 100, 0)
  const net = isInclusive ? amount / (1 + sum) : amount
  const breakdown = parts.map(([name, percent]) => ({
    // Stripe rounds each jurisdiction.
    amount: Math.round((net * taxable * Number(percent)) / 100),
    taxable_amount: Math.round(net * taxable),
    jurisdiction: { country: address.country, display_name: name, level: 'state', state: null },
    sourcing: 'destination',
    tax_rate_details: { display_name: 'Sales Tax', percentage_decimal: percent, tax_type: 'sales_tax' },
    taxability_reason: 'standard_rated',
  }))
  const tax = breakdown.reduce((all, part) => all + part.amount, 0)
  const { reference, tax_code: taxCode = 'txcd_10000000' } = line
  return put(state, 'taxcalc', 'tax.calculation', {
    ...{ amount_total: isInclusive ? amount : amount + tax, currency: params.currency, tax_date: date },
    tax_amount_exclusive: isInclusive ? 0 : tax,
    tax_amount_inclusive: isInclusive ? tax : 0,
    line_items: {
      object: 'list',
      data: [
        { id: `${reference}_line`, amount, amount_tax: tax, reference, tax_code: taxCode, tax_breakdown: breakdown },
      ],
    },
  })
}

function locationOn({ taxLocations }: State, postalCode: string, date: number): Pick<TaxLocation, 'parts' | 'taxable'> {
  const day = new Date(date * 1_000).toISOString().slice(0, 10)
  const found = taxLocations.findLast(one => one.postalCode === postalCode && one.from <= day)
  return found ?? { parts: [] }
}

/** A reference names one transaction of the account. A calculation is recorded for the amounts that it has. */
export function createTransaction(state: State, params: Params): Thing {
  const { calculation, reference, posted_at: postedAt } = params
  const { line_items: lines, currency, tax_date: date } = get(state, calculation, 'calculation')
  if (Number(postedAt) < date) throw invalid('parameter_invalid_integer', 'posted_at precedes the tax date.')
  return record(state, { reference, currency, type: 'transaction', reversal: null, line_items: lines })
}

/** `flat_amount` with tax; the tax in it is a share of what is left of the transaction. */
export function createReversal(state: State, params: Params): Thing {
  const original = get(state, params.original_transaction, 'original_transaction')
  const flat = Number(params.flat_amount)
  const [line] = original.line_items.data
  const reversed = reversalsOf(state, original.id).reduce(
    (sum, { line_items: lines }) => ({
      amount: sum.amount + lines.data[0].amount,
      tax: sum.tax + lines.data[0].amount_tax,
    }),
    { amount: 0, tax: 0 },
  )
  const left = line.amount + reversed.amount + flat
  if (left < 0) throw invalid('tax_amount_too_large', 'More than the transaction has left.')
  const taxLeft = left === 0 ? 0 : Math.round((line.amount_tax * left) / line.amount)
  return record(state, {
    ...{ reference: params.reference, currency: original.currency, type: 'reversal' },
    reversal: { original_transaction: original.id },
    line_items: {
      object: 'list',
      data: [{ ...line, amount: flat, amount_tax: taxLeft - (line.amount_tax + reversed.tax) }],
    },
  })
}

function reversalsOf(state: State, original: string): Thing[] {
  return transactionsAt(state).filter(({ reversal }) => reversal?.original_transaction === original)
}

export function transactionsAt({ things }: State): Thing[] {
  return [...things.values()].filter(({ object }) => object === 'tax.transaction')
}

function record(state: State, fields: Thing): Thing {
  if (transactionsAt(state).some(({ reference }) => reference === fields.reference)) {
    throw invalid('resource_already_exists', `A transaction with the reference ${fields.reference} exists.`)
  }
  return put(state, 'tax', 'tax.transaction', fields)
}
