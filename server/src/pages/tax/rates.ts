import type { Static } from 'typebox'
import { Type } from 'typebox'
import { COUNTRIES } from '../../core/countries.ts'
import { rateOfPercent, rejectValidFrom, TAX_BEHAVIORS, type TaxBehavior, type TaxRate } from '../../core/tax.ts'
import { Line } from '../../platform/http/wire.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import {
  button,
  checkbox,
  choices,
  form,
  type Problems,
  selectField,
  textField,
} from '../../platform/web/components/form.ts'
import { table } from '../../platform/web/components/table.ts'
import { dayWords, percentWords, rateWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { COUNTRY_OPTIONS, countryName } from '../countries.ts'

export const RATE_FORM = Type.Object({
  country: Line(2, 0),
  validFrom: Line(10, 0),
  behavior: Type.Enum([...TAX_BEHAVIORS]),
  name: Line(40, 0),
  rate: Line(10, 0),
})

/** Only the rates of the platform can come by address. */
export const PLATFORM_RATE_FORM = Type.Object({
  ...RATE_FORM.properties,
  byAddress: Type.Optional(Type.Enum(['on'])),
})

export const RATE_KEY_FORM = Type.Object({ country: Line(2), validFrom: Line(10) })

export type EnteredRate = Static<typeof PLATFORM_RATE_FORM>

/** Reads the form. A rate that cannot be saved has problems by field. */
export function rateOf(entered: EnteredRate): { readonly rate: TaxRate } | { readonly problems: Problems } {
  const { country, validFrom, behavior } = entered
  const name = entered.name.trim()
  const rate = behavior === 'NONE' ? 0 : rateOfPercent(entered.rate)
  const problems: Problems = {
    ...(!COUNTRIES.has(country) && { country: 'Choose a country.' }),
    ...(rejectValidFrom(validFrom) !== null && { validFrom: 'Enter the first day, such as 2027-01-01.' }),
    ...(name === '' && { name: 'Enter the name of the tax, such as VAT.' }),
    ...(rate === null && { rate: 'Enter a rate from 0 to 100 with at most four decimals, such as 19 or 8.875.' }),
  }
  if (rate === null || Object.keys(problems).length > 0) return { problems }
  const byAddress = entered.byAddress === 'on' && behavior !== 'NONE'
  return { rate: { country, validFrom, behavior, name, rate, ...(byAddress && { byAddress }) } }
}

const BEHAVIORS: Readonly<Record<TaxBehavior, string>> = {
  EXCLUSIVE: 'Added to the price',
  INCLUSIVE: 'Included in the price',
  NONE: 'No tax',
}

interface RateTable {
  readonly rates: readonly TaxRate[]
  /** Absent: the rates are shown only. */
  readonly removing?: { readonly action: string; readonly csrf: string }
  readonly now: Date
}

/** Rates by country, latest first. The rate of today has a badge. */
export function rateTable({ rates, removing, now }: RateTable): Html {
  if (rates.length === 0)
    return emptyState('No tax rates', 'Without a rate for the country of the merchant, invoices have no tax.')
  const today = now.toISOString().slice(0, 10)
  const current = new Map<string, TaxRate>()
  for (const rate of rates) {
    const known = current.get(rate.country)
    if (rate.validFrom <= today && (known === undefined || known.validFrom < rate.validFrom))
      current.set(rate.country, rate)
  }
  const state = (rate: TaxRate) => {
    if (rate.validFrom > today) return badge('Planned')
    return current.get(rate.country) === rate ? badge('Current', 'good') : badge('Past')
  }
  return table<TaxRate>({
    caption: 'Tax rates by the country of the merchant',
    rows: rates,
    sortable: 'rates',
    columns: [
      { name: 'Country', cell: ({ country }) => countryName(country), sort: ({ country }) => countryName(country) },
      {
        name: 'From',
        cell: ({ validFrom }) => dayWords(new Date(`${validFrom}T00:00:00Z`)),
        sort: ({ validFrom }) => validFrom,
      },
      { name: 'Tax', cell: ({ name }) => name },
      {
        name: 'Rate',
        isNumber: true,
        cell: ({ rate, behavior, byAddress }) =>
          behavior === 'NONE' ? '–' : byAddress ? `By address, else ${rateWords(rate)}` : rateWords(rate),
      },
      { name: 'Price', cell: ({ behavior }) => BEHAVIORS[behavior] },
      { name: 'State', cell: state },
      ...(removing
        ? [
            {
              name: 'Remove',
              cell: (rate: TaxRate) =>
                html`<form ${{ method: 'post', action: removing.action }}>${Object.entries({
                  csrf: removing.csrf,
                  country: rate.country,
                  validFrom: rate.validFrom,
                }).map(([name, value]) => html`<input ${{ type: 'hidden', name, value }}>`)}${button('Remove', {
                  size: 'small',
                  about: `the rate of ${countryName(rate.country)} from ${rate.validFrom}`,
                })}</form>`,
            },
          ]
        : []),
    ],
  })
}

interface RateForm {
  readonly action: string
  readonly csrf: string
  readonly entered?: EnteredRate
  readonly problems?: Problems
  /** Knows the rates of addresses. Absent: the form has rates by country alone. */
  readonly providerName?: string
  readonly now: Date
}

/** A new rate. The rate of the same country and day is replaced. */
export function rateForm({ action, csrf, entered, problems = {}, providerName, now }: RateForm): Html {
  const today = now.toISOString().slice(0, 10)
  const { country = '', validFrom = today, behavior = 'EXCLUSIVE', name = 'VAT', rate = '' } = entered ?? {}
  return html`<section class="section"><h2>Set a rate</h2>
${form({
  ...{ csrf, action, problems },
  body: html`${selectField({
    ...{ name: 'country', label: 'Country of the merchant', value: country, problem: problems.country },
    options: [{ value: '', text: 'Choose a country' }, ...COUNTRY_OPTIONS],
  })}
${textField({ name: 'validFrom', label: 'From', type: 'date', value: validFrom, problem: problems.validFrom, hint: 'The rate applies to invoices issued at or after 00:00 UTC on this day. It replaces a rate of the same day.' })}
${textField({ name: 'name', label: 'Name of the tax', value: name, maxlength: 40, problem: problems.name, hint: 'As invoices name the tax: VAT, GST, Sales tax.' })}
${textField({ name: 'rate', label: 'Rate in percent', value: rate, inputmode: 'decimal', autocomplete: 'off', problem: problems.rate })}
${choices({
  ...{ name: 'behavior', legend: 'Prices of plans', value: behavior },
  options: [
    { value: 'EXCLUSIVE', text: 'Tax is added', detail: `A plan of 10.00 with ${percentWords(0.19)} costs 11.90.` },
    {
      value: 'INCLUSIVE',
      text: 'Tax is included',
      detail: `A plan of 11.90 with ${percentWords(0.19)} costs 11.90, with 1.90 of tax.`,
    },
    { value: 'NONE', text: 'No tax from that day on', detail: 'Invoices to this country have no tax.' },
  ],
})}
${
  providerName !== undefined &&
  checkbox({
    ...{
      name: 'byAddress',
      text: 'The address of the merchant decides the rate',
      isChecked: entered?.byAddress === 'on',
    },
    detail: `${providerName} knows the rate of each address. The rate above applies to addresses without one.`,
  })
}
${button('Set the rate', { kind: 'primary' })}`,
})}</section>`
}
