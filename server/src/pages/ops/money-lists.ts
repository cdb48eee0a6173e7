import { Type } from 'typebox'
import { addDays } from '../../core/calendar.ts'
import { isRejection, type RejectionCode, reject } from '../../core/rejection.ts'
import { payInvoice } from '../../money/billing/pay-invoice.ts'
import { findOpenInvoices } from '../../money/invoices/store.ts'
import { scopeOf } from '../../money/lists/scope.ts'
import { type NamedSubscription, pageOfSubscriptions } from '../../money/lists/subscriptions.ts'
import { readUpcomingCalendar, type UpcomingOfDay } from '../../money/reports/upcoming.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import { modeOf } from '../../platform/http/mode.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { chart } from '../../platform/web/components/chart.ts'
import { badge, emptyState, notice, toast } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { press } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, amountColumn, countColumn, filterBy, table } from '../../platform/web/components/table.ts'
import { day, moneyWords, percentWords, shortDay } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { PRICE_COLUMN } from '../subscriptions/list.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'
import { MONEY_PATHS, moneyParts } from './money-parts.ts'
import { appLink, framed, merchantLink, ON_A_PAGE, OPS_SIDE, opsPage, searched, searchField } from './ops-page.ts'

const common = { q: Type.Optional(Text(200, 0)), after: Type.Optional(Uuid) }

/** Past-due subscriptions of all merchants. */
export function moneyListPages(ports: Ports): AnyPage[] {
  return [pastDuePage(), retryPage(ports)]
}

const RETRIED = {
  yes: ['good', 'Payment started', 'The row disappears when the bank accepts the payment.'],
  pending: ['warn', 'A payment is under way', 'The bank has not answered yet. Nothing is charged twice.'],
  settled: ['good', 'Nothing to charge', 'The invoice was paid or closed meanwhile.'],
  noCard: ['warn', 'Nothing was charged', 'The merchant has no payment method.'],
  declined: [
    'warn',
    'Nothing was charged',
    'The bank declined this payment method for good. The merchant must add another one.',
  ],
} as const

function retriedNotice(retried: keyof typeof RETRIED): Html {
  const [kind, title, words] = RETRIED[retried]
  return kind === 'good' ? toast(title, words) : notice(kind, title, words)
}

/** Rejections that the list explains. */
const EXPLAINED: Partial<Record<RejectionCode, keyof typeof RETRIED>> = {
  CHARGE_IN_PROGRESS: 'pending',
  INVOICE_NOT_OPEN: 'settled',
  PAYMENT_METHOD_REQUIRED: 'noCard',
  PAYMENT_METHOD_DECLINED: 'declined',
}

/** Charges the oldest open invoice of a subscription now, by the merchant's default payment method. Decisions 6, "Pay now". */
function retryPage(ports: Ports): AnyPage {
  return opsPage({
    ...{ method: 'POST', path: `${MONEY_PATHS.pastDue}/:subscriptionId/retry`, name: 'retryPastDue' },
    operation: 'paymentMethods.manage',
    params: Type.Object({ subscriptionId: Uuid }),
    async handle(call) {
      const { sql } = call.db
      const subscription = await findSubscription(sql, call.params.subscriptionId)
      if (subscription === null) return reject('SUBSCRIPTION_NOT_FOUND', 'There is no subscription with this id.')
      const { subscriptionId, businessId } = subscription
      const [oldest] = (await findOpenInvoices(sql, [subscriptionId])).get(subscriptionId) ?? []
      const back = (retried: keyof typeof RETRIED) => redirect(addressOf(MONEY_PATHS.pastDue, { retried }))
      if (oldest === undefined) return back('settled')
      const paid = await payInvoice({ ...ports, db: call.db }, { businessId, invoiceId: oldest.invoiceId })
      if (!isRejection(paid)) return back('yes')
      const explained = EXPLAINED[paid.rejected]
      return explained === undefined ? paid : back(explained)
    },
  })
}

function pastDuePage(): AnyPage {
  const path = MONEY_PATHS.pastDue
  return opsPage({
    ...{ method: 'GET', path, name: 'showPastDue', operation: 'moneyLists.read' },
    query: Type.Object({
      ...common,
      retried: Type.Optional(Type.Enum(Object.keys(RETRIED) as (keyof typeof RETRIED)[])),
    }),
    async handle(call, desk) {
      const { q, after, retried } = call.query
      const retryButton = ({ subscription, businessName }: NamedSubscription) =>
        press(`${path}/${subscription.subscriptionId}/retry`, call.csrf, 'Retry now', `for ${businessName}`)
      const scope = scopeOfPage(call)
      if (isRejection(scope)) return scope
      const asked = { scope, status: 'ACTIVE', paymentStatus: 'PAST_DUE' } as const
      const page = await pageOfSubscriptions(call, asked, { limit: ON_A_PAGE, ...(after && { after }) })
      const kept = { q: q || undefined }
      const main = html`${pageHead({ title: 'Past due', lead: 'Subscriptions with a declined payment. Retries follow automatically until the grace period ends.' })}
${retried && retriedNotice(retried)}
${moneyParts('pastDue')}
${filterBar({ path, label: 'Search subscriptions', fields: [searchField('Merchant name, e-mail or ID', q)] })}
${dataTable<NamedSubscription>({
  ...{ id: 'past-due', caption: 'Past-due subscriptions, newest first', rows: page.items },
  ...{ path, kept, after, next: page.next },
  columns: [
    { name: 'Merchant', cell: ({ subscription, businessName }) => merchantLink({ ...subscription, businessName }) },
    { name: 'App', cell: ({ subscription, appName }) => appLink({ ...subscription, appName }) },
    {
      name: 'Plan',
      cell: ({ subscription, planName }) =>
        html`<a href="${pathOfSubscription(OPS_SIDE, subscription)}">${planName}</a>`,
    },
    PRICE_COLUMN,
    { name: 'Subscribed', cell: ({ subscription }) => day(new Date(subscription.createdAt)) },
    { name: 'Next attempt', cell: ({ subscription: { nextRetryAt } }) => nextRetryAt && day(new Date(nextRetryAt)) },
    desk.may('paymentMethods.manage') && { name: 'Payment', cell: retryButton },
  ],
  empty: emptyState('Nothing is past due', 'A subscription appears here after a declined payment.'),
})}`
      return framed(call, { title: 'Past due', part: 'money', main })
    },
  })
}

/** The Live | Test switch of the frame selects the merchants. */
function scopeOfPage(call: PageCall<unknown, { readonly q?: string }, unknown>) {
  const merchantType = modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT'
  return scopeOf(call.principal, { ...searched(call.query.q), merchantType })
}

const upcomingPath = MONEY_PATHS.upcoming
const DAYS = 30
/** Subscriptions that the page forecasts, in about 100 ms. Among more, the page estimates. */
const MOST = 2_000

/** The charges of the next 30 days by day and currency, if every charge succeeds. */
export function upcomingPage(ports: Pick<Ports, 'db' | 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'GET', path: upcomingPath, name: 'showUpcoming', operation: 'operations.read' },
    query: Type.Object({ currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })) }),
    async handle(call) {
      const now = ports.clock.now()
      const { days, share, sampled } = await readUpcomingCalendar(
        { db: call.db, clock: ports.clock },
        { days: DAYS, most: MOST },
      )
      const currencies = [...new Set(days.map(({ currency }) => currency))].sort()
      const currency = currencies.find(one => one === call.query.currency) ?? mostCharged(days)
      const texts = Object.fromEntries(currencies.map(one => [one, one]))
      const isEstimate = share < 1
      const lead = 'Charges of the next 30 days, if every charge succeeds and no subscription changes.'
      const main = html`${pageHead({ title: 'Upcoming', lead, badge: isEstimate && badge('Estimate') })}
${moneyParts('upcoming')}
${currencies.length > 1 && filterBy('Currency', { path: upcomingPath, name: 'currency', value: currency, texts })}
${
  currency === undefined
    ? emptyState('No charges ahead', 'Paid subscriptions of live merchants appear here.')
    : calendar(
        days.filter(one => one.currency === currency),
        { now, currency, ...(isEstimate && { sampled: sampled.get(currency) ?? 0 }) },
      )
}`
      return framed(call, { title: 'Upcoming', part: 'money', main })
    },
  })
}

/** The currency of the day with the most charges. */
function mostCharged(days: readonly UpcomingOfDay[]): string | undefined {
  return days.toSorted((one, other) => other.charges - one.charges)[0]?.currency
}

interface Calendar {
  readonly now: Date
  readonly currency: string
  /** Charges in the sample of an estimate. */
  readonly sampled?: number
}

function calendar(exact: readonly UpcomingOfDay[], { now, currency, sampled }: Calendar): Html {
  const isEstimate = sampled !== undefined
  const days = isEstimate ? exact.map(one => ({ ...one, ...rounded(one) })) : exact
  const dates = Array.from({ length: DAYS + 1 }, (_, at) => dayOf(addDays(now, at)))
  const say = (amount: number) => moneyWords({ amount: Math.round(amount), currency })
  const amounts = dates.map(date => days.find(one => one.day === date)?.amount ?? 0)
  return html`<h2>Next ${DAYS} days</h2>
${total(exact, { currency, isEstimate })}
${sampled !== undefined && html`<p class="fine">Estimated from a random sample of ${sampled.toLocaleString('en')} charges: the total is accurate to about ${accuracy(sampled)}, a usual day to about ${accuracy(sampled / days.length)}. <code>GET /operations/upcoming</code> lists every charge.</p>`}
${chart({
  ...{ id: 'upcoming', title: `Charges by day, ${currency}`, kind: 'bar', unit: 'Day', say },
  labels: dates.map(shortDay),
  series: [{ name: 'Charges', values: amounts }],
})}
${table<UpcomingOfDay>({
  caption: `Days with charges, ${currency}`,
  rows: days,
  sortable: `days-${currency}`,
  columns: [
    { name: 'Day', cell: one => day(new Date(one.day)), sort: one => one.day },
    countColumn(isEstimate ? 'Charges, about' : 'Charges', ({ charges }) => charges),
    amountColumn(isEstimate ? 'Amount, about' : 'Amount', one => one),
  ],
})}`
}

function total(
  days: readonly UpcomingOfDay[],
  { currency, isEstimate }: { readonly currency: string; readonly isEstimate: boolean },
): Html {
  const sum = days.reduce(
    (all, { charges, amount }) => ({ charges: all.charges + charges, amount: all.amount + amount }),
    { charges: 0, amount: 0 },
  )
  const { charges, amount } = isEstimate ? rounded(sum) : sum
  const count = charges === 1 ? 'one charge' : `${charges.toLocaleString('en')} charges`
  return html`<p>${isEstimate && 'About '}<strong>${moneyWords({ amount, currency })}</strong> in ${count}.</p>`
}

/** Two digits: an estimate knows no cents. */
function rounded({ charges, amount }: Pick<UpcomingOfDay, 'charges' | 'amount'>) {
  return { charges: Number(charges.toPrecision(2)), amount: Number(amount.toPrecision(2)) }
}

/** Two standard errors of a count. */
function accuracy(count: number): string {
  return percentWords(Math.min(100, Math.ceil(200 / Math.sqrt(count))) / 100)
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
