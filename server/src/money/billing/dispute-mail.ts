import { formatMoney } from '../../core/money.ts'
import { type Letter, letter } from '../../platform/mail/letter.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { momentWords } from '../../platform/web/format.ts'
import { inLanguage } from '../../platform/web/say.ts'
import type { Invoice } from '../invoices/store.ts'
import type { Dispute } from '../refunds/store.ts'

/** `to`: the organization. */
interface DisputeFacts
  extends Pick<Letter, 'id' | 'to' | 'url'>,
    Pick<Dispute, 'status' | 'amount' | 'evidenceDueAt'>,
    Pick<Invoice, 'currency' | 'number'> {
  readonly app: string
  /** A lost dispute ends the subscription. */
  readonly ends: boolean
}

/** Tells the developer that a payer's bank reclaims a charge, or how the bank decided. */
export function disputeMail(facts: DisputeFacts): Message {
  const { id, to, app, status, amount, currency, number, ends, evidenceDueAt, url } = facts
  const money = formatMoney(amount, currency)
  const [subject, sentences] = {
    OPEN: [
      `A payment of ${money} for ${app} is disputed`,
      [
        `The bank of a customer reclaims ${money} of invoice ${number}.`,
        `Send evidence${evidenceDueAt ? ` until ${inLanguage('en', () => momentWords(evidenceDueAt))}` : ''}: the bank reads it and decides. The operator of the platform can send it too.`,
        `If the dispute is lost, the money is taken off your balance${ends ? ' and the subscription ends' : ''}.`,
      ],
    ] as const,
    LOST: [
      `A dispute of ${money} for ${app} is lost`,
      [
        `The bank took back ${money} of invoice ${number}. Your balance is lower by your part of the payment and by the fee of the gateway.`,
        ...(ends ? ['The subscription has ended.'] : []),
      ],
    ] as const,
    WON: [
      `A dispute of ${money} for ${app} is won`,
      [`The bank leaves ${money} of invoice ${number} with you.`],
    ] as const,
  }[status]
  return letter({ id, to, subject, sentences, button: 'Open the dispute', url })
}
