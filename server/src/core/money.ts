import { assert } from './assert.ts'

/**
 * An amount in the currency's minor unit: 500 USD is five dollars, 500 JPY five hundred yen. Source: interface, Plan.
 */
interface Money {
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
}

/** The largest price of any plan, in minor units. `core/credit.ts` has the limit of each currency. Source: decisions 4. */
export const MAX_AMOUNT = 9_999_999_999

/**
 * The active codes of ISO 4217 (list one, 2026) with the decimals of their minor unit, without gold, special drawing
 * rights and test codes. `Intl.supportedValuesOf('currency')` is not a replacement: the list depends on the ICU of the
 * Node version, lacks active codes (CLF, VED, XAD), keeps withdrawn ones, and rounds like people (IQD 0) where the
 * interface counts like ISO (IQD 3).
 */
export const CURRENCIES: ReadonlyMap<string, number> = new Map([
  ...withDecimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDecimals(2, 'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD'),
  ...withDecimals(2, 'CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS'),
  ...withDecimals(2, 'GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD'),
  ...withDecimals(2, 'LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB'),
  ...withDecimals(2, 'PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP'),
  ...withDecimals(2, 'SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW'),
  ...withDecimals(2, 'ZWG'),
  ...withDecimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDecimals(4, 'CLF UYW'),
])

/** Money of a known currency in whole minor units. Anything else is a bug, because input is checked at the edge. */
export function money(amount: number, currency: string): Money {
  assert(Number.isSafeInteger(amount), `money: ${amount} is not a safe integer`)
  assert(CURRENCIES.has(currency), `money: no currency ${currency}`)
  return { amount, currency }
}

/** The sum. Different currencies, or a sum beyond the safe integers, are a bug. */
export function add(a: Money, b: Money): Money {
  assert(a.currency === b.currency, `add: ${a.currency} and ${b.currency}`)
  return money(a.amount + b.amount, a.currency)
}

/** For people, in English unless a locale is given: "$5.00", "¥500", "KWD 1.250". Exact, without floating point. */
export function formatMoney(amount: number, currency: string, locale = 'en-US'): string {
  const decimals = CURRENCIES.get(money(amount, currency).currency)
  const text = formatterFor(currency, decimals, locale).format(decimalOf(amount, currency) as Intl.StringNumericLiteral)
  // ICU separates code and number by no-break spaces, which break searches and comparisons.
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}

/** For machines and spreadsheets: "5.00", "-5.00", "500" in yen, "1.250" in dinars. Exact. */
export function decimalOf(amount: number, currency: string): string {
  const decimals = CURRENCIES.get(money(amount, currency).currency) ?? 0
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(digits.length - decimals)}`
  return amount < 0 ? `-${text}` : text
}

function withDecimals(decimals: number, codes: string): [string, number][] {
  return codes.split(' ').map(code => [code, decimals])
}

/** Cached, because creating a formatter costs some hundred times as much as using it. At most one per currency and locale. */
const formatters = new Map<string, Intl.NumberFormat>()

function formatterFor(currency: string, decimals = 2, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const made = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits })
  formatters.set(key, made)
  return made
}

/** The amount that a person typed, in minor units: "5.00" in USD is 500. Null: not an amount, an unknown currency, or too many decimals. */
export function minorUnits(text: string, currency: string): number | null {
  const digits = CURRENCIES.get(currency)
  const [, whole = '', decimals = ''] = /^(\d{1,10})(?:[.,](\d+))?$/.exec(text) ?? []
  if (digits === undefined || whole === '' || decimals.length > digits) return null
  return Number(whole + decimals.padEnd(digits, '0'))
}
