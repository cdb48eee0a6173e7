import { Type } from 'typebox'
import type { BusinessRecord } from '../../core/business-record.ts'
import { wholeSeconds } from '../../core/calendar.ts'
import { exceeds } from '../../core/quota.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { forecastCharges, forecastNext, type SubscriptionForecast } from '../../money/billing/forecast.ts'
import { listPaymentMethods } from '../../money/payment-methods/store.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import { advanceTestClock } from '../../money/test-clocks/advance.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { facts } from '../../platform/web/components/content.ts'
import { button, buttons, confirmation, confirmLink, question, textField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { type TimelineEntry, timeline } from '../../platform/web/components/timeline.ts'
import { moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { devPage, framed, type Own } from './dev-page.ts'
import { aboveOf, findOwn, pathOfMerchant } from './test-merchants.ts'

const STEPS = {
  day: 'Forward 1 day',
  week: 'Forward 1 week',
  month: 'Forward 1 month',
  renewal: 'To the next charge',
} as const
type Step = keyof typeof STEPS
const DAY_MS = 86_400_000
/** The page answers within this time; a longer advance continues in the background. */
const ANSWER_WITHIN_MS = 10_000
const MOST_SUBSCRIPTIONS = 50
/** Longer forecasts are cut off. */
const MOST_SHOWN = 50

const at = `${DEVELOPER_PATHS.testMerchants}/:businessId/clock`
const params = Type.Object({ businessId: Uuid })
const pathOfClock = (business: BusinessRecord) => `${pathOfMerchant(business)}/clock`

/** Moving the clock of a test merchant: the forecast first, then the move. */
export function testClockPages(ports: Ports): AnyPage[] {
  return [
    devPage({
      ...{ method: 'GET', path: at, params, name: 'askBeforeMovingClock', operation: 'businesses.create' },
      query: Type.Object({
        by: Type.Optional(Type.Enum(Object.keys(STEPS) as Step[])),
        date: Type.Optional(Text(10, 0)),
      }),
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        if (isRejection(business)) return business
        const to = await targetOf(call.db.sql, business, call.query)
        if (isRejection(to)) return chooseAgain(call, business, to)
        const rejection = rejectedTarget(ports, business, to)
        if (rejection !== null) return chooseAgain(call, business, rejection, call.query.date)
        const main = await forecastOf(call, business, to)
        return framed(call, { title: 'Move the clock', part: 'testMerchants', main, width: 'narrow' })
      },
    }),
    devPage({
      ...{ method: 'POST', path: at, params, name: 'moveTestClock', operation: 'businesses.create' },
      form: Type.Object({ to: Text(30) }),
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        if (isRejection(business)) return business
        const { clock } = business
        const to = new Date(call.form.to)
        const back = (done: string) =>
          redirect(addressOf(pathOfMerchant(business), { done, since: clock?.now.toISOString() ?? '' }))
        // Pressed twice: the clock stands there already.
        if (clock !== undefined && clock.now.getTime() === to.getTime()) return redirect(pathOfMerchant(business))
        const rejection = rejectedTarget(ports, business, to)
        if (rejection !== null) return chooseAgain(call, business, rejection)
        const moved = await moveClock(ports, call, own, business, to)
        return isRejection(moved) ? moved : back(moved)
      },
    }),
  ]
}

function rejectedTarget(
  { clock, settings }: Pick<Ports, 'clock' | 'settings'>,
  business: BusinessRecord,
  to: Date,
): Rejection | null {
  if (business.clock === undefined) return reject('TEST_CLOCK_NOT_FOUND', 'The merchant has no clock.')
  if (Number.isNaN(to.getTime()) || to <= business.clock.now)
    return reject('INVALID_PARAMETER', 'A clock moves forward only: choose a later date.')
  return exceeds('testClockYears', to.getUTCFullYear() - clock.now().getUTCFullYear(), settings.quotas)
}

async function moveClock(
  ports: Ports,
  call: PageCall,
  own: Own,
  { businessId, clock }: BusinessRecord,
  to: Date,
): Promise<'advanced' | 'advancing' | Rejection> {
  if (clock === undefined) return reject('TEST_CLOCK_NOT_FOUND', 'The merchant has no clock.')
  const deadline = new Date(ports.clock.now().getTime() + ANSWER_WITHIN_MS)
  const { testClockId } = clock
  const rejection = await advanceTestClock(ports, { db: call.db }, { testClockId, to, deadline })
  if (rejection !== null) return rejection
  const moved = await findOwn({ db: call.db }, own, businessId)
  const hasArrived = !isRejection(moved) && moved.clock !== undefined && moved.clock.now >= wholeSeconds(to)
  return hasArrived ? 'advanced' : 'advancing'
}

/** The forms again, with the reason of the rejection. */
async function chooseAgain(
  call: PageCall,
  business: BusinessRecord,
  { rejected, developerMessage }: Rejection,
  date?: string,
): Promise<PageAnswer> {
  const forecasts = await forecastsOf(call.db.sql, business, business.clock?.now ?? new Date(0))
  const main = html`${pageHead({ title: 'Move the clock', above: aboveOf(business) })}
<p>The clock shows ${business.clock ? moment(business.clock.now) : 'real time'}.</p>
${clockForms(business, forecasts, { problem: developerMessage, ...(date !== undefined && { date }) })}`
  const { status } = PROBLEMS[rejected]
  return framed(call, { title: 'Move the clock', part: 'testMerchants', main, width: 'narrow' }, { status })
}

/** The instant that the clock would move to. */
async function targetOf(
  sql: Sql,
  business: BusinessRecord,
  { by, date = '' }: { readonly by?: Step; readonly date?: string },
): Promise<Date | Rejection> {
  const now = business.clock?.now ?? new Date(0)
  if (by === undefined) {
    const to = /^\d{4}-\d{2}-\d{2}$/.test(date) ? new Date(`${date}T00:00:00Z`) : new Date(Number.NaN)
    return Number.isNaN(to.getTime()) ? reject('INVALID_PARAMETER', 'Choose a date.') : to
  }
  if (by === 'day') return new Date(now.getTime() + DAY_MS)
  if (by === 'week') return new Date(now.getTime() + 7 * DAY_MS)
  if (by === 'month') {
    const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
    return new Date(now.getTime() + days * DAY_MS)
  }
  const next = (await forecastsOf(sql, business, now)).flatMap(one => nextChargeOf(one) ?? [])
  if (next.length === 0) return reject('SUBSCRIPTION_NOT_FOUND', 'No charge is coming.')
  return new Date(Math.min(...next.map(charge => charge.getTime())))
}

/** When the subscription is charged or the charge is retried. */
export function nextChargeOf({ subscription, nextCharge }: SubscriptionForecast): Date | undefined {
  return nextCharge?.at ?? subscription.nextRetryAt
}

export async function forecastsOf(
  sql: Sql,
  { businessId }: Pick<BusinessRecord, 'businessId'>,
  now: Date,
): Promise<SubscriptionForecast[]> {
  const live = await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: MOST_SUBSCRIPTIONS })
  return forecastNext(sql, live, now)
}

/** The choice of a later instant. Each choice leads to the forecast. */
export function clockForms(
  business: BusinessRecord,
  forecasts: readonly SubscriptionForecast[],
  { problem, date = '' }: { readonly problem?: string; readonly date?: string } = {},
): Html {
  const action = pathOfClock(business)
  const isChargeComing = forecasts.some(one => nextChargeOf(one) !== undefined)
  return html`<div class="section">${problem === undefined && html`<h2>Move the clock</h2>`}
<p>Tillhook bills everything that is due until then. The forecast comes first.</p>
<div class="section">${buttons(
    ...Object.entries(STEPS)
      .filter(([by]) => by !== 'renewal' || isChargeComing)
      .map(([by, words]) => confirmLink(words, addressOf(action, { by }))),
  )}</div>
${question({
  action,
  problems: problem === undefined ? {} : { date: problem },
  body: html`${textField({ name: 'date', label: 'To the beginning of a day (UTC)', type: 'date', value: date, problem })}
${buttons(button('Show the forecast'))}`,
})}</div>`
}

async function forecastOf(call: PageCall, business: BusinessRecord, to: Date): Promise<Html> {
  const { sql } = call.db
  const now = business.clock?.now ?? to
  const forecasts = await forecastsOf(sql, business, now)
  const [card] = await listPaymentMethods(sql, business.businessId, { limit: 1 })
  // A second later: everything that is due at the target happens, too.
  const until = new Date(to.getTime() + 1_000)
  const charges = await forecastCharges(sql, forecasts, { now, until: () => until })
  const entries = forecasts
    .flatMap(one => [
      ...(charges.get(one.subscription.subscriptionId) ?? []).map(charge => chargeEntry(one, charge)),
      ...changeEntries(one).filter(entry => entry.at > now && entry.at < until),
    ])
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const shown = entries.slice(0, MOST_SHOWN)
  return confirmation(call, {
    title: 'Move the clock?',
    words: html`${facts([
      ['From', moment(now)],
      ['To', moment(to)],
    ])}
<h2>What will happen</h2>
${
  shown.length === 0
    ? html`<p>Nothing is due until then.</p>`
    : html`${timeline('What will happen', shown)}${entries.length > shown.length && html`<p>And ${String(entries.length - shown.length)} more.</p>`}
<p class="fine">If every charge succeeds. The card: ${card?.label ?? 'none'}.</p>`
}`,
    verb: 'Move the clock',
    backHref: pathOfMerchant(business),
    action: pathOfClock(business),
    hidden: { to: to.toISOString() },
  })
}

function chargeEntry(
  { subscription: { currency }, plan }: SubscriptionForecast,
  { at, amount }: { readonly at: Date; readonly amount: number },
): TimelineEntry {
  return {
    at,
    title: html`${moneyWords({ amount, currency })} charged for ${plan.name}`,
    detail: html`<code>APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS</code>`,
    tone: 'good',
  }
}

/** The events that time causes besides charges, from the current state. */
function changeEntries({ subscription, plan }: SubscriptionForecast): TimelineEntry[] {
  const { phase, trialEndingAt, trialEndAt, cancelAt, nextRetryAt, graceEndAt } = subscription
  const entry = (at: Date | undefined, title: string, eventType?: string): TimelineEntry[] =>
    at === undefined ? [] : [{ at, title, ...(eventType && { detail: html`<code>${eventType}</code>` }) }]
  return [
    ...entry(trialEndingAt, `The trial of ${plan.name} ends soon`, 'APPLICATION_SUBSCRIPTION_TRIAL_ENDING'),
    ...entry(
      phase === 'TRIAL' && cancelAt === undefined ? trialEndAt : undefined,
      `The trial of ${plan.name} ends`,
      'APPLICATION_SUBSCRIPTION_PHASE_CHANGE',
    ),
    ...entry(nextRetryAt, `The charge for ${plan.name} is retried`),
    ...entry(cancelAt, `${plan.name} ends: it was cancelled`, 'APPLICATION_SUBSCRIPTION_END'),
    ...entry(graceEndAt, `${plan.name} ends unless it is paid`, 'APPLICATION_SUBSCRIPTION_END'),
  ]
}
