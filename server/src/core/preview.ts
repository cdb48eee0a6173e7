import { taxOf } from './bill.ts'
import { stateAfter } from './change.ts'
import { decide } from './decide.ts'
import { nextDue } from './due.ts'
import { type ForecastCharge, forecast } from './forecast.ts'
import type { InvoiceLine } from './invoice.ts'
import { isRejection } from './rejection.ts'
import type { Change, ChangeTime, FreshIds } from './subscription.ts'
import type { InvoiceTax } from './tax.ts'

/** The effect of a plan change. Minor units. */
export interface Preview {
  readonly effectiveAt: Date
  readonly currency: string
  /** The lines of the new invoice, if there is one. */
  readonly lines: readonly InvoiceLine[]
  /** The sum of the lines, charged then. */
  readonly amount: number
  /** The tax of one period of the new plan. Absent: none. */
  readonly tax?: InvoiceTax
  /** Credit for the unused share of the current period. */
  readonly creditGranted: number
  /** The credit of the business after the change. */
  readonly creditBalance: number
}

/**
 * Previews the decided change of a plan. At the end of the period the preview includes the renewal, with today's credit.
 * `now` is the business time of the decision.
 */
export function previewOfPlanChange(change: Change, when: ChangeTime, ids: FreshIds, now: Date): Preview {
  const { currency, currentPeriodEnd } = change.subscription
  if (when === 'NOW') return previewOf(currency, [change], now)
  return previewOf(currency, [change, ...whatFollows(change, ids, currentPeriodEnd)], currentPeriodEnd)
}

/** Decides everything that time brings up to an instant. */
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
  const last = changes.at(-1)
  const tax = last && taxOf(last, last.subscription.amount, effectiveAt)
  return {
    effectiveAt,
    currency,
    lines: issued.flatMap(({ lines }) => lines),
    amount: issued.reduce((sum, { amount }) => sum + amount, 0),
    creditGranted: granted.reduce((sum, { amount }) => sum + amount, 0),
    creditBalance: last?.credit ?? 0,
    ...(tax === undefined ? {} : { tax }),
  }
}

/** The effect of a purchase. Minor units. */
export interface PurchasePreview {
  readonly currency: string
  /** The price of one period, as the plan has it. */
  readonly price: number
  /** The tax of the price, at the first charge. Absent: none. */
  readonly tax?: InvoiceTax
  /** The lines of the new invoice, if there is one. */
  readonly lines: readonly InvoiceLine[]
  /** The sum of the lines, charged at once. */
  readonly amount: number
  /** Present in a trial. */
  readonly trialEndAt?: Date
  /** The charge at the end of the trial or period. Absent where nothing is charged. */
  readonly next?: ForecastCharge
  /** Credit for the unused share of the old plan's period. */
  readonly creditGranted: number
  /** The credit of the business after the purchase. */
  readonly creditBalance: number
}

/** Previews the change of a purchase. `now` is the business time of the decision. */
export function previewOfPurchase(change: Change, now: Date): PurchasePreview {
  const { subscription, issued, credits, credit } = change
  const { currency, amount, phase, trialEndAt, currentPeriodEnd } = subscription
  const granted = credits.filter(({ kind }) => kind === 'GRANT')
  const until = new Date(currentPeriodEnd.getTime() + 1)
  const [next] = forecast(stateAfter(change), { now, until })
  const tax = taxOf(change, amount, phase === 'TRIAL' ? (trialEndAt ?? now) : now)
  return {
    currency,
    price: amount,
    ...(tax === undefined ? {} : { tax }),
    lines: issued.flatMap(({ lines }) => lines),
    amount: issued.reduce((sum, invoice) => sum + invoice.amount, 0),
    ...(phase === 'TRIAL' && trialEndAt ? { trialEndAt } : {}),
    ...(next === undefined ? {} : { next }),
    creditGranted: granted.reduce((sum, movement) => sum + movement.amount, 0),
    creditBalance: credit ?? 0,
  }
}
