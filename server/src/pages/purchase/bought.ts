import type { SubscriptionForecast } from '../../money/billing/forecast.ts'
import type { Invoice } from '../../money/invoices/store.ts'
import type { Till } from './till.ts'

/** What a completed purchase led to. */
export interface Bought {
  readonly till: Till
  readonly foreseen: SubscriptionForecast
  readonly invoice: Pick<Invoice, 'amount' | 'amountPaid' | 'currency'> | null
}
