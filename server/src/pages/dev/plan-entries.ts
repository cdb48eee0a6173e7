import { type Static, Type } from 'typebox'
import type { Interval } from '../../core/calendar.ts'
import { COUNTRIES } from '../../core/countries.ts'
import { decimalOf, minorUnits } from '../../core/money.ts'
import {
  type Amount,
  CANCEL_POLICIES,
  DEFAULT_GRACE_DAYS,
  INTERVALS,
  SCOPES,
  TRIAL_ELIGIBILITIES,
} from '../../core/plan.ts'
import { checkPlanDefinition, type PlanDefinition } from '../../core/plan-definition.ts'
import { isRejection } from '../../core/rejection.ts'
import { isLine, Text } from '../../platform/http/wire.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { problemWords } from '../problem-words.ts'

/** A field as typed. */
const Typed = Text(255, 0)
const Rows = Type.Array(Typed, { maxItems: 250 })

/** The fields of the plan editor. A price is a row: the fields of one position belong together. */
export const PLAN_FIELDS = {
  ...{ name: Typed, description: Text(4_000, 0), intervalCount: Typed, trial: Typed, grace: Typed },
  interval: Type.Enum([...INTERVALS]),
  scope: Type.Enum([...SCOPES]),
  cancelPolicy: Type.Enum([...CANCEL_POLICIES]),
  trialEligibility: Type.Enum([...TRIAL_ELIGIBILITIES]),
  ...{ country: Rows, currency: Rows, price: Rows },
}
const PlanEntries = Type.Object(PLAN_FIELDS)
export type PlanEntries = Static<typeof PlanEntries>

export const NEW_PLAN: PlanEntries = {
  ...{ name: '', description: '', intervalCount: '1', trial: '0', grace: '' },
  ...{ interval: 'MONTH', scope: 'BUSINESS', cancelPolicy: 'BILLING', trialEligibility: 'ONCE_PER_BUSINESS' },
  ...{ country: ['US'], currency: ['USD'], price: [''] },
}

/** A plan as the editor shows it. */
export function entriesOf(plan: PlanDefinition): PlanEntries {
  const { name, description, interval, scope, cancelPolicy, trialEligibility, amounts } = plan
  return {
    ...{ name, description, interval, scope, cancelPolicy, trialEligibility },
    intervalCount: String(plan.intervalCount),
    trial: String(plan.trialPeriodDays),
    grace: plan.gracePeriodDays === DEFAULT_GRACE_DAYS[interval] ? '' : String(plan.gracePeriodDays),
    country: amounts.map(({ country }) => country),
    currency: amounts.map(({ currency }) => currency),
    price: amounts.map(({ value, currency }) => decimalOf(value, currency)),
  }
}

export interface PriceEntry {
  readonly country: string
  readonly currency: string
  readonly price: string
}

/** One row for each price; at least one. */
export function priceEntries({ country, currency, price }: PlanEntries): PriceEntry[] {
  return Array.from({ length: Math.max(1, country.length, currency.length, price.length) }, (_, i) => ({
    country: country[i] ?? '',
    currency: currency[i] ?? '',
    price: price[i] ?? '',
  }))
}

/** The entries without one price, or with one more in the currency of the last. */
export function withPrices(entries: PlanEntries, change: 'add' | { readonly remove: number }): PlanEntries {
  const rows = priceEntries(entries)
  const next =
    change === 'add'
      ? [...rows, { country: '', currency: rows.at(-1)?.currency ?? '', price: '' }]
      : rows.filter((_, i) => i !== change.remove)
  return {
    ...entries,
    country: next.map(row => row.country),
    currency: next.map(row => row.currency),
    price: next.map(row => row.price),
  }
}

/** The definition that was entered, or the problems by the id of the field. Rows without a price and a country are left out. */
export function definitionOf(entries: PlanEntries): PlanDefinition | { readonly problems: Problems } {
  const rows = priceEntries(entries)
    .map((row, i) => ({ ...row, at: i }))
    .filter(({ country, price }) => `${country}${price}`.trim() !== '')
  const amounts = rows.map(({ country, currency, price, at }): Amount & { at: number } => {
    const code = currency.trim().toUpperCase()
    return { country: country.trim().toUpperCase(), currency: code, value: minorUnits(price.trim(), code) ?? -1, at }
  })
  const typed: Problems = {
    ...(entries.name.trim() === '' && { name: 'Enter the name of the plan.' }),
    ...(!isLine(entries.name.trim()) && { name: 'Enter a name without control characters.' }),
    ...(rows.length === 0 && { 'price-0': 'Enter a price. 0 is a free plan.' }),
    ...wrongNumber('intervalCount', entries.intervalCount),
    ...wrongNumber('trial', entries.trial),
    ...(entries.grace.trim() !== '' && wrongNumber('grace', entries.grace)),
    ...Object.fromEntries(
      amounts
        .filter(({ country }) => !COUNTRIES.has(country))
        .map(({ at }) => [`country-${at}`, 'Enter the two letters of a country, such as US.']),
    ),
    ...Object.fromEntries(
      amounts
        .filter(({ value }) => value < 0)
        .map(({ at }) => [`price-${at}`, 'Enter an amount such as 5.00, in a known currency.']),
    ),
  }
  if (Object.keys(typed).length > 0) return { problems: typed }
  const grace = entries.grace.trim()
  const definition = checkPlanDefinition(
    {
      name: entries.name.trim(),
      description: entries.description.replaceAll('\r\n', '\n').trim(),
      amounts: amounts.map(({ country, currency, value }) => ({ country, currency, value })),
      interval: entries.interval as Interval,
      intervalCount: Number(entries.intervalCount),
      scope: entries.scope,
      trialPeriodDays: Number(entries.trial),
      trialEligibility: entries.trialEligibility,
      cancelPolicy: entries.cancelPolicy,
      ...(grace !== '' && { gracePeriodDays: Number(grace) }),
    },
    'plan',
  )
  if (!isRejection(definition)) return definition
  const [field] = definition.fields ?? []
  return {
    problems: {
      [fieldOf(
        field?.path ?? '',
        amounts.map(({ at }) => at),
      )]: problemWords(definition, 'This'),
    },
  }
}

function wrongNumber(name: string, text: string): Problems {
  return /^\d{1,3}$/.test(text.trim()) ? {} : { [name]: 'Enter a whole number.' }
}

const FIELDS: Readonly<Record<string, string>> = {
  trialPeriodDays: 'trial',
  gracePeriodDays: 'grace',
  amounts: 'price-0',
}

/** The id of the field to which a rejection of the definition belongs. */
function fieldOf(path: string, at: readonly number[]): string {
  const [, row, of] = /^plan\.amounts\[(\d+)\]\.(\w+)$/.exec(path) ?? []
  if (row !== undefined) return `${of === 'value' ? 'price' : of}-${at[Number(row)]}`
  const name = path.replace(/^plan\./, '')
  return FIELDS[name] ?? name
}
