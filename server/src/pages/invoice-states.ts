import type { Invoice } from '../money/invoices/store.ts'
import type { Tone } from '../platform/web/components/content.ts'

/** The word and tone of an invoice's status on pages of developers and operators. */
export const INVOICE_STATES: Readonly<Record<Invoice['status'], readonly [string, Tone]>> = {
  OPEN: ['Open', 'warn'],
  PAID: ['Paid', 'good'],
  UNCOLLECTIBLE: ['Not paid', 'bad'],
  VOID: ['Void', 'plain'],
}
