import { stateAfter } from './change.ts'
import { decide } from './decide.ts'
import { nextDue } from './due.ts'
import { type ForecastCharge, forecast } from './forecast.ts'
import type { InvoiceLine } from './invoice.ts'
import { isRejection, type Rejection } from './rejection.ts'
import type { Change, FreshIds, PlanChanged, SubscriptionState } from './subscription.ts'

/** What a change of plan would bring. Minor units. */
export interface Preview {
  readonly effectiveAt: Date
  readonly currency: string
  /** Of the invoice that the change brings with it; none where it brings none. */
  readonly lines: readonly InvoiceLine[]
  /** To be charged then: the sum of the lines. */
  readonly amount: number
  /** For the unused share of the current period. */
  readonly creditGranted: number
  /** The credit of the business, after all of it. */
  readonly creditBalance: number
}

/**
 * What `decide` would make of this change, told without doing it. At the period's end: what it would bring then, with the
 * credit of today. Refuses what the change would refuse.
 */
export function preview(state: SubscriptionState, trigger: PlanChanged, ids: FreshIds, now: Date): Preview | Rejection {
  const change = decide(state, trigger, ids, now)
  if (isRejection(change)) return change
  const { currency } = state.subscription
  if (trigger.when === 'NOW') return previewOf(currency, [change], now)
  const effectiveAt = change.subscription.currentPeriodEnd
  return previewOf(currency, [change, ...whatFollows(change, ids, effectiveAt)], effectiveAt)
}

/** All that time brings up to that instant, with the invoice of the next period. */
function* whatFollows(first: Change, ids: FreshIds, until: Date): Generator<Change> {
  let change = first
  for (;;) {
    const due = nextDue(change.subscription)
    if (due === null || due.at > until) return
    const next = decide(change, due.trigger, ids, due.at)
    if (isRejection(next)) return
    change = next
    yield change
  }
}

function previewOf(currency: string, changes: readonly Change[], effectiveAt: Date): Preview {
  const issued = changes.flatMap(change => change.issued)
  const granted = changes.flatMap(change => change.credits).filter(({ kind }) => kind === 'GRANT')
  return {
    effectiveAt,
    currency,
    lines: issued.flatMap(({ lines }) => lines),
    amount: issued.reduce((sum, { amount }) => sum + amount, 0),
    creditGranted: granted.reduce((sum, { amount }) => sum + amount, 0),
    creditBalance: changes.at(-1)?.credit ?? 0,
  }
}

/** What a purchase would bring, to the minor unit. */
export interface PurchasePreview {
  readonly currency: string
  /** Of one period of the plan, from now on. */
  readonly price: number
  /** Of the invoice that comes with it; none where nothing is due. */
  readonly lines: readonly InvoiceLine[]
  /** To be charged at once: the sum of the lines. */
  readonly amount: number
  /** Where it begins with a trial, or goes on with one. */
  readonly trialEndAt?: Date
  /** The charge at the end of the running trial or period; absent where none follows, or credit covers it. */
  readonly next?: ForecastCharge
  /** For the unused share of the period of the plan before. */
  readonly creditGranted: number
  /** The credit of the business, after all of it. */
  readonly creditBalance: number
}

/** Tells the change that a purchase would make, without making it. `now`: the effective now at which it was decided. */
export function previewOfPurchase(change: Change, now: Date): PurchasePreview {
  const { subscription, issued, credits, credit } = change
  const { currency, amount, phase, trialEndAt, currentPeriodEnd } = subscription
  const granted = credits.filter(({ kind }) => kind === 'GRANT')
  const until = new Date(currentPeriodEnd.getTime() + 1)
  const [next] = forecast(stateAfter(change), { now, until })
  return {
    currency,
    price: amount,
    lines: issued.flatMap(({ lines }) => lines),
    amount: issued.reduce((sum, invoice) => sum + invoice.amount, 0),
    ...(phase === 'TRIAL' && trialEndAt ? { trialEndAt } : {}),
    ...(next === undefined ? {} : { next }),
    creditGranted: granted.reduce((sum, movement) => sum + movement.amount, 0),
    creditBalance: credit ?? 0,
  }
}
