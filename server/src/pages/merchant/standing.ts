import type { Charge } from '../../core/charge.ts'
import type { Plan } from '../../core/plan.ts'
import type { EndReason, Subscription } from '../../core/subscription.ts'
import type { SubscriptionForecast } from '../../money/billing/forecast.ts'
import type { Tone } from '../../platform/web/components/card.ts'
import { dayWords, instantWords } from '../../platform/web/dates.ts'
import { moneyWords, priceWords } from '../../platform/web/money.ts'

/** How a subscription stands, in words for whoever pays it. */
export interface Standing {
  /** In a word or two. */
  readonly word: string
  readonly tone: Tone
  /** What comes next, and what to do about it. */
  readonly sentences: readonly string[]
  /** Where the payer confirms a payment with the bank. */
  readonly bankUrl?: string
}

export interface StandingFacts {
  readonly foreseen: SubscriptionForecast
  /** The try whose outcome is awaited. */
  readonly awaited?: Pick<Charge, 'status' | 'amount' | 'actionUrl'>
  readonly hasPaymentMethod: boolean
  readonly timezone: string
}

export function standingOf(facts: StandingFacts): Standing {
  const { subscription } = facts.foreseen
  if (subscription.status === 'ENDED') return ended(facts)
  if (facts.awaited !== undefined) return awaiting(facts, facts.awaited)
  if (subscription.paymentStatus === 'PAST_DUE') return pastDue(facts)
  if (subscription.cancelAt !== undefined) return ending(facts, subscription.cancelAt)
  return subscription.phase === 'TRIAL' ? trial(facts) : running(facts)
}

function ended({ foreseen: { subscription }, timezone }: StandingFacts): Standing {
  const { endedAt, endReason } = subscription
  const on = endedAt === undefined ? '' : ` on ${dayWords(endedAt, timezone)}`
  return { word: 'Ended', tone: 'plain', sentences: [`${ENDINGS[endReason ?? 'CANCELLED']}${on}.`] }
}

const ENDINGS: Readonly<Record<EndReason, string>> = {
  CANCELLED: 'It was cancelled',
  NON_PAYMENT: 'It ended because it was not paid',
  OPERATOR: 'It was ended by the platform',
}

function awaiting(
  facts: StandingFacts,
  { status, amount, actionUrl }: NonNullable<StandingFacts['awaited']>,
): Standing {
  const { currency } = facts.foreseen.subscription
  const money = moneyWords({ amount, currency })
  if (status === 'ACTION_REQUIRED') {
    return {
      word: 'Confirm the payment',
      tone: 'warn',
      sentences: [`Your bank asks you to confirm a payment of ${money}.`, 'Until you do, it is not paid.'],
      ...(actionUrl === undefined ? {} : { bankUrl: actionUrl }),
    }
  }
  return {
    word: 'Payment under way',
    tone: 'warn',
    sentences: [`A payment of ${money} is being confirmed. You need not do anything, and nothing is charged twice.`],
  }
}

function pastDue({ foreseen, timezone, hasPaymentMethod }: StandingFacts): Standing {
  const { subscription, openInvoices } = foreseen
  const { currency, nextRetryAt, graceEndAt } = subscription
  const owed = openInvoices.reduce((sum, { amount }) => sum + amount, 0)
  const deadline = graceEndAt && `If it is not paid by ${instantWords(graceEndAt, timezone)}, the subscription ends.`
  const again = nextRetryAt && `We try again on ${instantWords(nextRetryAt, timezone)}.`
  return {
    word: 'Payment failed',
    tone: 'bad',
    sentences: [
      `${moneyWords({ amount: owed, currency })} could not be charged.`,
      ...(again && hasPaymentMethod ? [again] : []),
      hasPaymentMethod
        ? 'To pay now, choose or add another payment method.'
        : 'There is no payment method: add one to pay now.',
      ...(deadline ? [deadline] : []),
    ],
  }
}

function ending({ timezone }: StandingFacts, cancelAt: Date): Standing {
  const day = dayWords(cancelAt, timezone)
  return {
    word: `Ends on ${day}`,
    tone: 'warn',
    sentences: [`You cancelled it. You can use it until ${day}, and nothing more is charged.`],
  }
}

function trial(facts: StandingFacts): Standing {
  const { foreseen, timezone, hasPaymentMethod } = facts
  const { subscription, plan, pendingPlan } = foreseen
  const day = dayWords(subscription.trialEndAt ?? subscription.currentPeriodEnd, timezone)
  const coming = pendingPlan ?? plan
  const price = priceOf(subscription, coming)
  if (price.amount === 0)
    return { word: 'Free trial', tone: 'good', sentences: [`In trial until ${day}. It stays free.`] }
  return {
    word: 'Free trial',
    tone: 'good',
    sentences: [
      `Free until ${day}. Then ${pendingPlan ? `${pendingPlan.name}: ` : ''}${priceWords(price)}.`,
      ...(hasPaymentMethod
        ? [`First charge: ${nextWords(facts, day)}.`]
        : ['Add a payment method before then, or the first payment fails.']),
    ],
  }
}

function running(facts: StandingFacts): Standing {
  const { foreseen, timezone, hasPaymentMethod } = facts
  const { subscription, pendingPlan } = foreseen
  const day = dayWords(subscription.currentPeriodEnd, timezone)
  const change =
    pendingPlan && `Changes to ${pendingPlan.name} on ${day}: ${priceWords(priceOf(subscription, pendingPlan))}.`
  const isFree = (subscription.pendingAmount ?? subscription.amount) === 0
  return {
    word: 'Active',
    tone: 'good',
    sentences: [
      ...(change ? [change] : []),
      isFree ? 'Nothing is charged.' : `Next charge: ${nextWords(facts, day)}.`,
      ...(isFree || hasPaymentMethod ? [] : ['Add a payment method before then, or the payment fails.']),
    ],
  }
}

/** "$5.00 on 12 March 2026", or that credit pays for it. */
function nextWords({ foreseen: { subscription, nextCharge }, timezone }: StandingFacts, day: string): string {
  if (nextCharge === undefined) return `nothing on ${day}, because your credit covers it`
  const { amount, at } = nextCharge
  const price = subscription.pendingAmount ?? subscription.amount
  const lessCredit = amount < price ? ', after your credit' : ''
  return `${moneyWords({ amount, currency: subscription.currency })} on ${dayWords(at, timezone)}${lessCredit}`
}

/** What this subscription pays for a plan that it has or will have. */
export function priceOf(subscription: Subscription, plan: Pick<Plan, 'planId' | 'interval' | 'scope'>) {
  const isPending = plan.planId === subscription.pendingPlanId
  const amount = isPending ? (subscription.pendingAmount ?? subscription.amount) : subscription.amount
  return { amount, currency: subscription.currency, interval: plan.interval, scope: plan.scope }
}
