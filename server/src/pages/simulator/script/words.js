/* Money and days, as people say them. */

/**
 * A plan of GET …/plans. The interface defines the fields.
 * @typedef {object} Plan
 * @property {string} planId
 * @property {string} name
 * @property {string} [description]
 * @property {number} amount
 * @property {{ currency: string, value: number }[]} amounts
 * @property {keyof typeof PER} interval
 * @property {number} intervalCount
 * @property {keyof typeof FOR} scope
 * @property {number} trialPeriodDays
 */

const PER = { DAY: 'day', WEEK: 'week', MONTH: 'month', YEAR: 'year' }
const FOR = { BUSINESS: 'business', STORE: 'store', DEVICE: 'terminal' }

/** "$5.00 per month, per business", from a listed plan. @param {Plan} plan */
export function priceWords({ amount, amounts, interval, intervalCount, scope }) {
  if (amount === 0) return 'Free'
  const currency = amounts.find(({ value }) => value === amount)?.currency ?? amounts[0]?.currency ?? ''
  return `${moneyWords(amount, currency)} ${everyWords(interval, intervalCount)}, per ${FOR[scope]}`
}

/** @param {Plan['interval']} interval @param {number} intervalCount */
function everyWords(interval, intervalCount) {
  return intervalCount === 1 ? `per ${PER[interval]}` : `every ${intervalCount} ${PER[interval]}s`
}

/** @param {Plan} plan */
export function trialWords({ trialPeriodDays: days }) {
  return days === 0 ? '' : `${days} ${days === 1 ? 'day' : 'days'} free`
}

/** @param {string} timestamp */
export function dayWords(timestamp) {
  return new Date(timestamp).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
}

/** Formats minor units; some currencies have none. @param {number} amount @param {string} currency */
function moneyWords(amount, currency) {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0))
}
