import type { MailKind } from '../../core/mail-kind.ts'
import { say } from '../../platform/web/say.ts'

/** The facts of a mail, formatted in its language. A kind reads the facts that its words name. */
export interface MailFacts {
  readonly app: string
  readonly plan: string
  /** "$5.00", "5,00 €". */
  readonly money: string
  /** "$5.00 per month". */
  readonly price: string
  readonly number: string
  readonly card: string
  /** The day that the mail is about. */
  readonly day: string
  /** The next attempt to charge. */
  readonly retryDay?: string
  /** The end without a payment. */
  readonly deadline?: string
  readonly reason: 'CANCELLED' | 'DISPUTED' | 'NON_PAYMENT' | 'OPERATOR'
}

export interface MailWords {
  readonly subject: string
  readonly sentences: readonly string[]
  readonly button: string
}

/** The words of a mail, in the language that `inLanguage` sets. */
export const MAIL_WORDS: Readonly<Record<MailKind, (facts: MailFacts) => MailWords>> = {
  RECEIPT: ({ app, plan, money, number, card }) => ({
    subject: say`Receipt for ${app}: ${money}`,
    sentences: [
      card ? say`You paid ${money} for ${plan} of ${app} with ${card}.` : say`You paid ${money} for ${plan} of ${app}.`,
      say`Invoice number: ${number}.`,
    ],
    button: say`Open the invoice`,
  }),
  PAYMENT_FAILED: ({ app, plan, money, retryDay, deadline }) => ({
    subject: say`Payment for ${app} failed`,
    sentences: [
      say`We could not charge ${money} for ${plan} of ${app}.`,
      ...(retryDay ? [say`We try again on ${retryDay}.`] : []),
      ...(deadline ? [say`If the invoice is not paid by ${deadline}, the subscription ends.`] : []),
    ],
    button: say`Pay ${money} now`,
  }),
  BANK_CONFIRMATION: ({ app, money }) => ({
    subject: say`Confirm your payment for ${app}`,
    sentences: [
      say`Your bank needs you to confirm a payment of ${money}.`,
      say`Until then, the payment is not complete.`,
    ],
    button: say`Confirm the payment`,
  }),
  TRIAL_ENDING: ({ app, plan, day, price }) => ({
    subject: say`Your trial of ${app} ends on ${day}`,
    sentences: [
      say`${plan} is free until ${day}. Then it costs ${price}.`,
      say`To pay nothing, cancel before that day.`,
    ],
    button: say`Open the subscription`,
  }),
  CARD_EXPIRING: ({ card, day }) => ({
    subject: say`Your card expires soon`,
    sentences: [
      say`${card} pays for your subscriptions and expires on ${day}.`,
      say`Add your new card, so that no payment fails.`,
    ],
    button: say`Add a card`,
  }),
  CANCELLED: ({ app, plan, day }) => ({
    subject: say`You cancelled ${app}`,
    sentences: [
      say`You can use ${plan} of ${app} until ${day}. Nothing more is charged.`,
      say`Until then you can change your mind.`,
    ],
    button: say`Open the subscription`,
  }),
  ENDED: ({ app, plan, reason }) => ({
    subject: say`Your subscription to ${app} has ended`,
    sentences: [say`${plan} of ${app} has ended.`, REASONS[reason]()],
    button: say`Open the subscription`,
  }),
  RESTORED: ({ app, plan, day, price }) => ({
    subject: say`Your subscription to ${app} continues`,
    sentences: [
      say`The cancellation of ${plan} was undone.`,
      say`The next period begins on ${day} and costs ${price}.`,
    ],
    button: say`Open the subscription`,
  }),
  PLAN_CHANGED: ({ app, plan, price }) => ({
    subject: say`Your plan for ${app} has changed`,
    sentences: [say`Your plan is now ${plan}. It costs ${price}.`],
    button: say`Open the subscription`,
  }),
  REFUND: ({ app, money, number }) => ({
    subject: say`Refund of ${money} for ${app}`,
    sentences: [
      say`We refunded ${money} of invoice ${number}.`,
      say`It may take your bank a few days to show the refund.`,
    ],
    button: say`Open the invoice`,
  }),
  RENEWAL_AHEAD: ({ app, plan, day, price }) => ({
    subject: say`${app} renews on ${day}`,
    sentences: [say`${plan} of ${app} renews on ${day} and costs ${price}.`, say`To stop, cancel before that day.`],
    button: say`Open the subscription`,
  }),
}

const REASONS: Readonly<Record<MailFacts['reason'], () => string>> = {
  CANCELLED: () => say`You cancelled the subscription. Nothing more is charged.`,
  DISPUTED: () => say`Your bank took a payment back. Nothing more is charged.`,
  NON_PAYMENT: () => say`The invoice was not paid in time.`,
  OPERATOR: () => say`The platform ended the subscription. Nothing more is charged.`,
}
