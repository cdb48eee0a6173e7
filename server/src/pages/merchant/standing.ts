import { iconPath } from '../../catalog/apps/schema.ts'
import { findApps } from '../../catalog/apps/store.ts'
import { findOrganizations } from '../../catalog/organizations/store.ts'
import type { App } from '../../core/app.ts'
import type { Charge } from '../../core/charge.ts'
import type { Plan } from '../../core/plan.ts'
import type { EndReason, Subscription } from '../../core/subscription.ts'
import { taxAt } from '../../core/tax.ts'
import { findDevices, findStores } from '../../merchants/businesses/store.ts'
import { forecastNext, type SubscriptionForecast } from '../../money/billing/forecast.ts'
import { findChargesOfInvoices } from '../../money/charges/store.ts'
import { listPaymentMethods } from '../../money/payment-methods/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { AppFace, Tone } from '../../platform/web/components/content.ts'
import { dayWords, instantWords, moneyWords, priceWords } from '../../platform/web/format.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Shop } from './own-page.ts'

/** A subscription with everything shown about it. */
export interface ShownSubscription {
  readonly forecast: SubscriptionForecast
  readonly app: AppFace
  readonly standing: Standing
  /** The store or terminal of the subscription. */
  readonly location?: string
}

/** The view of these subscriptions of one merchant. */
export async function showSubscriptions(
  sql: Sql,
  { businessId, now, timezone }: Shop,
  subscriptions: readonly Subscription[],
): Promise<ShownSubscription[]> {
  if (subscriptions.length === 0) return []
  const forecast = await forecastNext(sql, subscriptions, now)
  const apps = await appFaces(
    sql,
    subscriptions.map(({ appId }) => appId),
  )
  const locations = await locationNames(sql, businessId, subscriptions)
  const awaited = await findAwaited(sql, forecast)
  const hasPaymentMethod = (await listPaymentMethods(sql, businessId, { offset: 0, limit: 1 })).length > 0
  return forecast.map(one => {
    const { subscriptionId, appId, storeId, deviceId } = one.subscription
    const location = locations.get(deviceId ?? storeId ?? '')
    const charge = awaited.get(subscriptionId)
    return {
      forecast: one,
      app: apps.get(appId) ?? { name: say`An app`, developer: 'unknown' },
      standing: standingOf({ forecast: one, hasPaymentMethod, timezone, ...(charge ? { awaited: charge } : {}) }),
      ...(location === undefined ? {} : { location }),
    }
  })
}

/** Apps with name and developer. */
export async function appFaces(sql: Sql, appIds: readonly string[]): Promise<Map<string, AppFace>> {
  const apps = await findApps(sql, [...new Set(appIds)])
  const organizations = await findOrganizations(sql, [...new Set(apps.map(({ organizationId }) => organizationId))])
  const names = new Map(organizations.map(({ organizationId, name }) => [organizationId, name]))
  return new Map(apps.map(app => [app.appId, faceOf(app, names.get(app.organizationId))]))
}

/** An app with name and developer. */
export function faceOf(app: App, developer = ''): AppFace {
  const iconUrl = iconPath(app)
  return { name: app.name, developer, ...(iconUrl === undefined ? {} : { iconUrl }) }
}

async function locationNames(sql: Sql, businessId: string, subscriptions: readonly Subscription[]) {
  const names = new Map<string, string>()
  if (!subscriptions.some(({ storeId, deviceId }) => storeId !== undefined || deviceId !== undefined)) return names
  for (const { storeId, displayName } of await findStores(sql, businessId)) names.set(storeId, displayName)
  for (const { deviceId, name } of await findDevices(sql, businessId)) names.set(deviceId, name)
  return names
}

/** The charge of each subscription whose outcome is not known yet. */
async function findAwaited(sql: Sql, forecast: readonly SubscriptionForecast[]) {
  const waiting = forecast.filter(({ subscription }) => subscription.awaitedChargeId !== undefined)
  const invoiceIds = waiting.flatMap(({ openInvoices }) => openInvoices.map(({ invoiceId }) => invoiceId))
  const charges = invoiceIds.length === 0 ? [] : await findChargesOfInvoices(sql, invoiceIds)
  const byId = new Map(charges.map(charge => [charge.chargeId, charge]))
  return new Map(
    waiting.map(({ subscription }) => [subscription.subscriptionId, byId.get(subscription.awaitedChargeId ?? '')]),
  )
}

/** The state of a subscription in the payer's words. */
export interface Standing {
  /** In a word or two. */
  readonly word: string
  readonly tone: Tone
  /** The next event and the next step. */
  readonly sentences: readonly string[]
  /** The URL at which the payer confirms the payment with the bank. */
  readonly bankUrl?: string
}

interface StandingFacts {
  readonly forecast: SubscriptionForecast
  /** The charge whose outcome is awaited. */
  readonly awaited?: Pick<Charge, 'status' | 'amount' | 'actionUrl'>
  readonly hasPaymentMethod: boolean
  readonly timezone: string
}

function standingOf(facts: StandingFacts): Standing {
  const { subscription } = facts.forecast
  if (subscription.status === 'ENDED') return ended(facts)
  if (facts.awaited !== undefined) return awaiting(facts, facts.awaited)
  if (subscription.paymentStatus === 'PAST_DUE') return pastDue(facts)
  if (subscription.cancelAt !== undefined) return ending(facts, subscription.cancelAt)
  return subscription.phase === 'TRIAL' ? trial(facts) : running(facts)
}

function ended({ forecast: { subscription }, timezone }: StandingFacts): Standing {
  const { endedAt, endReason } = subscription
  const why = sayText(ENDINGS[endReason ?? 'CANCELLED'])
  const sentence = endedAt === undefined ? say`${why}.` : say`${why} on ${dayWords(endedAt, timezone)}.`
  return { word: say`Ended`, tone: 'plain', sentences: [sentence] }
}

const ENDINGS: Readonly<Record<EndReason, string>> = {
  CANCELLED: english('It was cancelled'),
  DISPUTED: english('It ended because the bank took a payment back'),
  NOT_STARTED: english('The first payment was not made'),
  NON_PAYMENT: english('It ended because it was not paid'),
  OPERATOR: english('It was ended by the platform'),
}

function awaiting(
  facts: StandingFacts,
  { status, amount, actionUrl }: NonNullable<StandingFacts['awaited']>,
): Standing {
  const { currency } = facts.forecast.subscription
  const money = moneyWords({ amount, currency })
  if (status === 'ACTION_REQUIRED') {
    return {
      word: say`Confirm the payment`,
      tone: 'warn',
      sentences: [
        say`Your bank needs you to confirm a payment of ${money}.`,
        say`The payment is not complete until you confirm.`,
      ],
      ...(actionUrl === undefined ? {} : { bankUrl: actionUrl }),
    }
  }
  return {
    word: say`Payment pending`,
    tone: 'warn',
    sentences: [say`A payment of ${money} is being confirmed. You need not do anything, and nothing is charged twice.`],
  }
}

function pastDue({ forecast, timezone, hasPaymentMethod }: StandingFacts): Standing {
  const { subscription, openInvoices } = forecast
  const { currency, nextRetryAt, graceEndAt } = subscription
  const owed = openInvoices.reduce((sum, { amount }) => sum + amount, 0)
  const deadline = graceEndAt && say`If it is not paid by ${instantWords(graceEndAt, timezone)}, the subscription ends.`
  const again = nextRetryAt && say`We try again on ${instantWords(nextRetryAt, timezone)}.`
  return {
    word: say`Overdue`,
    tone: 'bad',
    sentences: [
      say`${moneyWords({ amount: owed, currency })} could not be charged.`,
      ...(again && hasPaymentMethod ? [again] : []),
      hasPaymentMethod
        ? say`Pay now, or choose another payment method.`
        : say`There is no payment method: add one to pay now.`,
      ...(deadline ? [deadline] : []),
    ],
  }
}

function ending({ timezone }: StandingFacts, cancelAt: Date): Standing {
  const day = dayWords(cancelAt, timezone)
  return {
    word: say`Ends on ${day}`,
    tone: 'warn',
    sentences: [say`You cancelled it. You can use it until ${day}, and nothing more is charged.`],
  }
}

function trial(facts: StandingFacts): Standing {
  const { forecast, timezone, hasPaymentMethod } = facts
  const { subscription, plan, pendingPlan } = forecast
  const day = dayWords(subscription.trialEndAt ?? subscription.currentPeriodEnd, timezone)
  const coming = pendingPlan ?? plan
  const price = priceOf(forecast, coming)
  if (price.amount === 0)
    return { word: say`Free trial`, tone: 'good', sentences: [say`In trial until ${day}. It stays free.`] }
  return {
    word: say`Free trial`,
    tone: 'good',
    sentences: [
      pendingPlan
        ? say`Free until ${day}. Then ${pendingPlan.name}: ${priceWords(price)}.`
        : say`Free until ${day}. Then ${priceWords(price)}.`,
      ...(hasPaymentMethod
        ? [say`First charge: ${nextWords(facts, day)}.`]
        : [say`Add a payment method before then, or the first payment fails.`]),
    ],
  }
}

function running(facts: StandingFacts): Standing {
  const { forecast, timezone, hasPaymentMethod } = facts
  const { subscription, pendingPlan } = forecast
  const day = dayWords(subscription.currentPeriodEnd, timezone)
  const change =
    pendingPlan && say`Changes to ${pendingPlan.name} on ${day}: ${priceWords(priceOf(forecast, pendingPlan))}.`
  const isFree = (subscription.pendingAmount ?? subscription.amount) === 0
  return {
    word: say`Active`,
    tone: 'good',
    sentences: [
      ...(change ? [change] : []),
      isFree ? say`Nothing is charged.` : say`Next charge: ${nextWords(facts, day)}.`,
      ...(isFree || hasPaymentMethod ? [] : [say`Add a payment method before then, or the payment fails.`]),
    ],
  }
}

/** "$5.00 on 12 March 2026", or a note that credit pays. */
function nextWords({ forecast: { subscription, nextCharge }, timezone }: StandingFacts, day: string): string {
  if (nextCharge === undefined) return say`nothing on ${day}, because your credit covers it`
  const { amount, at } = nextCharge
  const price = subscription.pendingAmount ?? subscription.amount
  const money = moneyWords({ amount, currency: subscription.currency })
  return amount < price
    ? say`${money} on ${dayWords(at, timezone)}, after your credit`
    : say`${money} on ${dayWords(at, timezone)}`
}

/** The subscription's price for its current or pending plan, with the tax of the next invoice. */
export function priceOf(
  { subscription, tax: terms }: Pick<SubscriptionForecast, 'subscription' | 'tax'>,
  plan: Pick<Plan, 'planId' | 'interval' | 'intervalCount' | 'scope'>,
) {
  const isPending = plan.planId === subscription.pendingPlanId
  const amount = isPending ? (subscription.pendingAmount ?? subscription.amount) : subscription.amount
  const tax = terms && taxAt(terms, subscription.currentPeriodEnd)
  const { interval, intervalCount, scope } = plan
  return { amount, currency: subscription.currency, interval, intervalCount, scope, ...(tax && { tax }) }
}
