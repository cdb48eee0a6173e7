import type { LanguageWords } from './words.ts'

export const ENGLISH: LanguageWords = {
  locale: 'en-US',
  per: { DAY: 'per day', WEEK: 'per week', MONTH: 'per month', YEAR: 'per year' },
  every: { DAY: 'every # days', WEEK: 'every # weeks', MONTH: 'every # months', YEAR: 'every # years' },
  footer: business => `You receive this e-mail because ${business} pays for this app.`,
  links: { supportUrl: 'Support', termsUrl: 'Terms', privacyUrl: 'Privacy', imprintUrl: 'Imprint' },
  settings: 'Change language and e-mails',
  mails: {
    RECEIPT: ({ app, plan, money, number, card }) => ({
      subject: `Receipt for ${app}: ${money}`,
      sentences: [`You paid ${money} for ${plan} of ${app}${card && ` with ${card}`}.`, `Invoice number: ${number}.`],
      button: 'Open the invoice',
    }),
    PAYMENT_FAILED: ({ app, plan, money, retryDay, deadline }) => ({
      subject: `Payment for ${app} failed`,
      sentences: [
        `We could not charge ${money} for ${plan} of ${app}.`,
        ...(retryDay ? [`We try again on ${retryDay}.`] : []),
        ...(deadline ? [`If the invoice is not paid by ${deadline}, the subscription ends.`] : []),
      ],
      button: `Pay ${money} now`,
    }),
    BANK_CONFIRMATION: ({ app, money }) => ({
      subject: `Confirm your payment for ${app}`,
      sentences: [`Your bank needs you to confirm a payment of ${money}.`, 'Until then, the payment is not complete.'],
      button: 'Confirm the payment',
    }),
    TRIAL_ENDING: ({ app, plan, day, price }) => ({
      subject: `Your trial of ${app} ends on ${day}`,
      sentences: [`${plan} is free until ${day}. Then it costs ${price}.`, 'To pay nothing, cancel before that day.'],
      button: 'Open the subscription',
    }),
    CARD_EXPIRING: ({ card, day }) => ({
      subject: 'Your card expires soon',
      sentences: [
        `${card} pays for your subscriptions and expires on ${day}.`,
        'Add your new card, so that no payment fails.',
      ],
      button: 'Add a card',
    }),
    CANCELLED: ({ app, plan, day }) => ({
      subject: `You cancelled ${app}`,
      sentences: [
        `You can use ${plan} of ${app} until ${day}. Nothing more is charged.`,
        'Until then you can change your mind.',
      ],
      button: 'Open the subscription',
    }),
    ENDED: ({ app, plan, reason }) => ({
      subject: `Your subscription to ${app} has ended`,
      sentences: [
        `${plan} of ${app} has ended.`,
        {
          CANCELLED: 'You cancelled the subscription. Nothing more is charged.',
          DISPUTED: 'Your bank took a payment back. Nothing more is charged.',
          NON_PAYMENT: 'The invoice was not paid in time.',
          OPERATOR: 'The platform ended the subscription. Nothing more is charged.',
        }[reason],
      ],
      button: 'Open the subscription',
    }),
    RESTORED: ({ app, plan, day, price }) => ({
      subject: `Your subscription to ${app} continues`,
      sentences: [`The cancellation of ${plan} was undone.`, `The next period begins on ${day} and costs ${price}.`],
      button: 'Open the subscription',
    }),
    PLAN_CHANGED: ({ app, plan, price }) => ({
      subject: `Your plan for ${app} has changed`,
      sentences: [`Your plan is now ${plan}. It costs ${price}.`],
      button: 'Open the subscription',
    }),
    REFUND: ({ app, money, number }) => ({
      subject: `Refund of ${money} for ${app}`,
      sentences: [`We refunded ${money} of invoice ${number}.`, 'It may take your bank a few days to show the refund.'],
      button: 'Open the invoice',
    }),
    RENEWAL_AHEAD: ({ app, plan, day, price }) => ({
      subject: `${app} renews on ${day}`,
      sentences: [`${plan} of ${app} renews on ${day} and costs ${price}.`, 'To stop, cancel before that day.'],
      button: 'Open the subscription',
    }),
  },
}
