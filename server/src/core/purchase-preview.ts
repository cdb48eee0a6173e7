import { stateAfter } from './change.ts'
import { type ForecastCharge, forecast } from './forecast.ts'
import type { InvoiceLine } from './invoice.ts'
import type { Change } from './subscription.ts'

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
