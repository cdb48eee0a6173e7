import type { Invoice } from '../../money/invoices/store.ts'
import type { Tone } from '../../platform/web/components/card.ts'

/** How an invoice stands, in a word or two. */
export function statusOf({ status, amount, amountRefunded, amountChargedBack }: Invoice): {
  readonly word: string
  readonly tone: Tone
} {
  switch (status) {
    case 'OPEN':
      return { word: 'To be paid', tone: 'warn' }
    case 'PAID':
      if (amountChargedBack > 0) return { word: 'Taken back by the bank', tone: 'plain' }
      if (amountRefunded === 0) return { word: 'Paid', tone: 'good' }
      return { word: amountRefunded === amount ? 'Refunded' : 'Partly refunded', tone: 'plain' }
    case 'UNCOLLECTIBLE':
      return { word: 'Not paid', tone: 'bad' }
    case 'VOID':
      return { word: 'Void', tone: 'plain' }
  }
}
