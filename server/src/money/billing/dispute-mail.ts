import type { DisputeStatus } from '../../core/dispute.ts'
import { formatMoney } from '../../core/money.ts'
import { letter } from '../../platform/mail/letter.ts'
import type { Message } from '../../platform/mail/mail.ts'

interface DisputeFacts {
  readonly id: string
  readonly to: string
  readonly app: string
  readonly status: DisputeStatus
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly number: string
  /** A lost dispute ends the subscription. */
  readonly ends: boolean
  readonly url: string
}

/** Tells the developer that a payer's bank reclaims a charge, or how the bank decided. */
export function disputeMail({ id, to, app, status, amount, currency, number, ends, url }: DisputeFacts): Message {
  const money = formatMoney(amount, currency)
  const [subject, sentences] = {
    OPEN: [
      `A payment of ${money} for ${app} is disputed`,
      [
        `The bank of a customer reclaims ${money} of invoice ${number}.`,
        'The operator of the platform answers the bank. You need not do anything.',
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
  return letter({ id, to, subject, sentences, button: 'Open the subscription', url })
}
