import type { BusinessRecord } from '../core/business-record.ts'
import type { Subscription } from '../core/subscription.ts'
import type { Invoice } from '../money/invoices/store.ts'
import type { ListedDispute } from '../money/lists/disputes.ts'
import { badge, type Tone } from '../platform/web/components/content.ts'
import type { Html } from '../platform/web/html.ts'
import { english, say, sayText } from '../platform/web/say.ts'

/** An invoice's status on pages of developers and operators. */
export function invoiceBadge(status: Invoice['status']): Html {
  return badge(invoiceWord(status), INVOICE_STATES[status][1])
}

export function invoiceWord(status: Invoice['status']): string {
  return sayText(INVOICE_STATES[status][0])
}

const INVOICE_STATES: Readonly<Record<Invoice['status'], readonly [string, Tone]>> = {
  OPEN: [english('Open'), 'warn'],
  PAID: [english('Paid'), 'good'],
  UNCOLLECTIBLE: [english('Not paid'), 'bad'],
  VOID: [english('Void'), 'plain'],
}

export const DISPUTE_STATES: Readonly<Record<ListedDispute['status'], readonly [string, 'good' | 'warn' | 'bad']>> = {
  OPEN: ['Open', 'warn'],
  LOST: ['Lost', 'bad'],
  WON: ['Won', 'good'],
}

export function disputeBadge({ status }: Pick<ListedDispute, 'status'>): Html {
  return badge(...DISPUTE_STATES[status])
}

/** The answer of the service for tax ids. False: no service checks this id. */
export function taxIdBadge(
  { taxIdStatus, taxIdCheckAt }: Pick<BusinessRecord, 'taxIdStatus' | 'taxIdCheckAt'>,
  { verifies }: { readonly verifies: boolean },
): Html | false {
  if (taxIdStatus === 'VALID') return badge(say`Verified`, 'good')
  if (taxIdStatus === 'INVALID') return badge(say`Not valid`, 'bad')
  return verifies && taxIdCheckAt !== undefined && badge(say`Not verified yet`, 'warn')
}

type Standing = Pick<Subscription, 'status' | 'phase' | 'paymentStatus'> & { readonly cancelAt?: unknown }

export function stateBadge({ status, phase, paymentStatus, cancelAt }: Standing): Html {
  if (status === 'ENDED') return badge('Ended')
  if (status === 'PENDING') return badge('Pending', 'warn')
  if (paymentStatus === 'PAST_DUE') return badge('Past due', 'bad')
  if (cancelAt !== undefined && cancelAt !== null) return badge('Ends soon', 'warn')
  return phase === 'TRIAL' ? badge('On trial') : badge('Active', 'good')
}
