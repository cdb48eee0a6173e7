import { Type } from 'typebox'
import { decisionMail, questionMail } from '../../catalog/releases/decision-mail.ts'
import type { Brand } from '../../core/brand.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language, MAIL_KINDS, type MailKind } from '../../core/mail-kind.ts'
import { disputeMail } from '../../money/billing/dispute-mail.ts'
import { catchUpMail } from '../../money/catch-up/guard.ts'
import { summaryMail } from '../../money/daily-summary/send.ts'
import { sampleMail } from '../../money/mails/samples.ts'
import { payoutMail } from '../../money/payouts/book.ts'
import { framedAt } from '../../platform/http/framed.ts'
import { type AnyPage, bytes, page } from '../../platform/http/page.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { testMail } from '../../platform/mail/test-mail.ts'
import { listing } from '../../platform/web/components/content.ts'
import { button, buttons, linkButton, question, selectField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
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

export const MAILS_PATH = '/mail-preview'
type Kind = MailKind | LetterKind
const Chosen = Type.Object({
  kind: Type.Optional(Type.Enum([...MAIL_KINDS, ...LETTER_KINDS])),
  language: Type.Optional(Type.Enum([...LANGUAGES])),
})

/** Each mail about money in each language, and the mails to developers and the operator in English, with invented facts. */
export function mailPreviewPages(): AnyPage[] {
  const shared = { method: 'GET', operation: 'operations.read', signIn: 'required', query: Chosen } as const
  return [
    page({
      ...{ ...shared, path: MAILS_PATH, name: 'previewMails' },
      async handle(call) {
        const { kind = 'RECEIPT', language = 'en' } = call.query
        const { brand } = call
        const { subject, text } = sampleOf(kind, language, brand)
        const main = html`${pageHead({
          ...{ title: 'Mails', above: [{ text: 'System', href: OPERATOR_PATHS.system }] },
          lead: 'Each mail with invented facts, in your brand.',
        })}
<div class="section">${question({
          action: MAILS_PATH,
          body: html`${selectField({
            ...{ name: 'kind', label: 'Mail', value: kind },
            options: [...MAIL_KINDS, ...LETTER_KINDS].map(value => ({
              ...{ value, text: sampleOf(value, 'en', brand).subject },
            })),
          })}
${selectField({
  ...{ name: 'language', label: 'Language of mails to merchants', value: language },
  options: LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] })),
})}
${buttons(button('Show', { kind: 'primary' }))}`,
        })}</div>
<h2>${subject}</h2>
${listing(text)}
${buttons(linkButton('Save the HTML', `${MAILS_PATH}.html?kind=${kind}&language=${language}`))}`
        return framedAt(OPERATOR_PATHS.system, call, { title: 'Mails', main, mainLanguage: 'en' })
      },
    }),
    page({
      ...{ ...shared, path: `${MAILS_PATH}.html`, name: 'saveMailPreview' },
      handle: async ({ query: { kind = 'RECEIPT', language = 'en' }, brand }) =>
        bytes('text/html; charset=utf-8', sampleOf(kind, language, brand).html ?? '', `${kind}-${language}.html`),
    }),
  ]
}

function sampleOf(kind: Kind, language: Language, brand: Brand): Message {
  const letterKind = LETTER_KINDS.find(one => one === kind)
  if (letterKind !== undefined) return sampleLetter(letterKind, brand.name)
  return sampleMail(kind as MailKind, language, { brand })
}

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
