import { Type } from 'typebox'
import type { Brand } from '../../core/brand.ts'
import { LANGUAGES, type Language, MAIL_KINDS, type MailKind } from '../../core/mail-kind.ts'
import { sampleMail } from '../../money/mails/samples.ts'
import { framedAt } from '../../platform/http/framed.ts'
import { type AnyPage, bytes, page } from '../../platform/http/page.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { listing } from '../../platform/web/components/content.ts'
import { button, buttons, linkButton, question, selectField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { LETTER_KINDS, type LetterKind, sampleLetter } from './letters.ts'

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

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const
