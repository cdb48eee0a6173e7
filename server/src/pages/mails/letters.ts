import { decisionMail, questionMail } from '../../catalog/releases/decision-mail.ts'
import { disputeMail } from '../../money/billing/dispute-mail.ts'
import { catchUpMail } from '../../money/catch-up/guard.ts'
import { summaryMail } from '../../money/daily-summary/send.ts'
import { payoutMail } from '../../money/payouts/book.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { testMail } from '../../platform/mail/test-mail.ts'
import { endpointMail } from '../../webhooks/deliveries/notify-developers.ts'

export const LETTER_KINDS = [
  'RELEASE_APPROVED',
  'RELEASE_REJECTED',
  'RELEASE_QUESTION',
  'ENDPOINT_DISABLED',
  'PAYOUT',
  'DISPUTE_OPENED',
  'DISPUTE_LOST',
  'DISPUTE_WON',
  'CATCH_UP',
  'DAILY_SUMMARY',
  'TEST',
] as const
export type LetterKind = (typeof LETTER_KINDS)[number]

const URL_OF_SAMPLES = 'https://billing.example/dev'
const DEVELOPER = { id: 'sample', to: 'dev@acme.example', url: URL_OF_SAMPLES }
const OPERATOR = { ...DEVELOPER, to: 'operator@billing.example' }
const RELEASE = { releaseId: 'sample', version: '2.1', appName: 'Stories', to: DEVELOPER.to, url: URL_OF_SAMPLES }
const DISPUTE = { app: 'Stories', amount: 1_900, currency: 'EUR', number: '2026-000042', ends: true }
const ID = '01a21518-ac58-7634-b3c7-fe26dce03c6a'

/** A mail to developers or to the operator, with invented facts. */
export function sampleLetter(kind: LetterKind, brandName: string): Message {
  switch (kind) {
    case 'RELEASE_APPROVED':
      return decisionMail({ ...RELEASE, status: 'APPROVED' })
    case 'RELEASE_REJECTED':
      return decisionMail({
        ...RELEASE,
        status: 'REJECTED',
        reason: 'The icon shows the trademark of another company.',
      })
    case 'RELEASE_QUESTION':
      return questionMail({ ...RELEASE, messageId: 'sample', text: 'Why does the app need the camera?' })
    case 'ENDPOINT_DISABLED':
      return endpointMail({
        ...{ id: DEVELOPER.id, url: URL_OF_SAMPLES, email: DEVELOPER.to, appName: 'Stories', reason: 'failing' },
        ...{ hookId: ID, deliveryUrl: 'https://hooks.acme.example/' },
      })
    case 'PAYOUT':
      return payoutMail({
        ...{ bookingId: ID, amount: 125_000, currency: 'EUR', reference: 'SEPA 2026-11' },
        ...{ to: DEVELOPER.to, name: 'Acme', url: URL_OF_SAMPLES },
      })
    case 'DISPUTE_OPENED':
      return disputeMail({ ...DEVELOPER, ...DISPUTE, status: 'OPEN', evidenceDueAt: new Date('2026-03-20T12:00:00Z') })
    case 'DISPUTE_LOST':
      return disputeMail({ ...DEVELOPER, ...DISPUTE, status: 'LOST' })
    case 'DISPUTE_WON':
      return disputeMail({ ...DEVELOPER, ...DISPUTE, status: 'WON' })
    case 'CATCH_UP':
      return catchUpMail({
        ...OPERATOR,
        outageFrom: new Date('2026-11-20T08:00:00Z'),
        outageUntil: new Date('2026-11-22T09:30:00Z'),
        goesOnAt: new Date('2026-11-22T13:30:00Z'),
      })
    case 'TEST':
      return testMail({ mailId: OPERATOR.id, to: OPERATOR.to, name: 'Olga Olsen', brandName, url: OPERATOR.url })
    case 'DAILY_SUMMARY':
      return summaryMail({
        ...OPERATOR,
        sentences: ['2 releases wait for review.', '1 charge is stuck.'],
        brandName,
      })
  }
}
