import type { App } from '../../core/app.ts'
import type { BusinessRecord, Device } from '../../core/business-record.ts'
import { formatMoney } from '../../core/money.ts'
import type { Amount, Plan } from '../../core/plan.ts'
import type { Release } from '../../core/release.ts'
import type { PlanTerm } from '../../core/release-diff.ts'
import type { GatewayName } from '../../money/gateway/gateway.ts'
import { badge } from '../../platform/web/components/content.ts'
import type { Column } from '../../platform/web/components/table.ts'
import { capital, everyWords, trialWords } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'

export const GATEWAYS: Readonly<Record<GatewayName, string>> = { sandbox: 'Sandbox', stripe: 'Stripe' }

export function releaseBadge({ status }: Release): Html {
  if (status === 'SUBMITTED') return badge('Waiting for review', 'warn')
  if (status === 'WITHDRAWN') return badge('Withdrawn')
  return status === 'APPROVED' ? badge('Approved', 'good') : badge('Rejected', 'bad')
}

export function appBadge({ status, disabledBy }: App): Html {
  if (status === 'ACTIVE') return badge('Active', 'good')
  return badge(disabledBy === 'OPERATOR' ? 'Disabled by the operator' : 'Disabled by the developer', 'bad')
}

export function businessBadge({ type, status }: BusinessRecord): Html | false {
  if (status === 'CLOSED') return badge('Closed', 'bad')
  return type === 'TEST_MERCHANT' && badge('Test', 'warn')
}

export function deviceBadge({ status }: Device): Html {
  if (status === 'ACTIVE') return badge('Activated', 'good')
  return status === 'NEW' ? badge('Not activated', 'warn') : badge('Closed')
}

export function planBadge({ approvedAt, retiredAt }: Plan): Html {
  if (retiredAt !== undefined) return badge('Retired')
  return approvedAt === undefined ? badge('Not approved', 'warn') : badge('On sale', 'good')
}

export const TERM_WORDS: Readonly<Record<PlanTerm, string>> = {
  amounts: 'Prices',
  interval: 'Billed',
  intervalCount: 'Intervals per period',
  scope: 'Sold',
  trialPeriodDays: 'Trial',
  trialEligibility: 'Trial again',
  cancelPolicy: 'Cancellation',
  gracePeriodDays: 'Grace period',
  description: 'Description',
}

const SCOPES = { BUSINESS: 'per business', STORE: 'per store', DEVICE: 'per terminal' } as const

/** The terms in a table of plans. */
export const TERM_COLUMNS: readonly Column<Pick<Plan, PlanTerm>>[] = (
  ['amounts', 'interval', 'trialPeriodDays'] as const
).map(term => ({ name: TERM_WORDS[term], cell: plan => termWords(plan, term) }))

/** A term of a plan as a reviewer reads it. */
export function termWords(plan: Pick<Plan, PlanTerm>, term: PlanTerm): Part {
  switch (term) {
    case 'amounts':
      return pricesOf(plan.amounts).map((price, i) => html`${i > 0 && html`<br>`}${price}`)
    case 'interval':
      return everyWords(plan)
    case 'intervalCount':
      return String(plan.intervalCount)
    case 'scope':
      return SCOPES[plan.scope]
    case 'trialPeriodDays':
      return trialWords(plan.trialPeriodDays) || 'None'
    case 'trialEligibility':
      return plan.trialEligibility === 'ALWAYS' ? 'With each subscription' : 'Once per business'
    case 'cancelPolicy':
      return plan.cancelPolicy === 'IMMEDIATE' ? 'At once' : 'At the end of the paid period'
    case 'gracePeriodDays':
      return `${plan.gracePeriodDays} ${plan.gracePeriodDays === 1 ? 'day' : 'days'}`
    case 'description':
      return plan.description === '' ? 'None' : plan.description
  }
}

/** "US $9.00", "DE, FR €9.00": the countries of each price. */
function pricesOf(amounts: readonly Amount[]): string[] {
  const byPrice = Map.groupBy(amounts, ({ currency, value }) => (value === 0 ? 'Free' : formatMoney(value, currency)))
  return [...byPrice].map(([price, sold]) => `${sold.map(({ country }) => country).join(', ')} ${price}`)
}

/** "3.4 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** "Charge not ours" for CHARGE_NOT_OURS. */
export function kindWords(kind: string): string {
  return capital(kind.toLowerCase().replaceAll('_', ' '))
}
