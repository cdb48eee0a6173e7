import type { Invoice } from '../money/invoices/store.ts'
import { badge, type Tone } from '../platform/web/components/content.ts'
import type { Html } from '../platform/web/html.ts'
import { english, sayText } from '../platform/web/say.ts'

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
