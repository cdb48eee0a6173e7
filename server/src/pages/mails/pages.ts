import { Type } from 'typebox'
import { LANGUAGES, MAIL_KINDS } from '../../core/mail-kind.ts'
import { sampleMail } from '../../money/mails/samples.ts'
import { type AnyPage, bytes, page, shown } from '../../platform/http/page.ts'
import { listing } from '../../platform/web/components/content.ts'
import { button, choices, linkButton, question } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { navigationOf } from '../../platform/web/navigation.ts'

const PATH = '/mail-preview'
const Chosen = Type.Object({
  kind: Type.Optional(Type.Enum([...MAIL_KINDS])),
  language: Type.Optional(Type.Enum([...LANGUAGES])),
})

/** Each mail about money in each language, with invented facts. */
export function mailPreviewPages(): AnyPage[] {
  const shared = { method: 'GET', operation: 'operations.read', signIn: 'required', query: Chosen } as const
  return [
    page({
      ...{ ...shared, path: PATH, name: 'previewMails' },
      async handle({ query: { kind = 'RECEIPT', language = 'en' }, principal, session, csrf, brand }) {
        const { subject, text } = sampleMail(kind, language, { brand })
        const main = html`<h1>Mails about money</h1>
${question({
  action: PATH,
  body: html`${choices({
    ...{ name: 'kind', legend: 'Mail', value: kind },
    options: MAIL_KINDS.map(value => ({ value, text: sampleMail(value, 'en').subject })),
  })}
${choices({
  ...{ name: 'language', legend: 'Language', value: language },
  options: LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] })),
})}
${button('Show', { kind: 'primary' })}`,
})}
<h2>${subject}</h2>
${listing(text)}
<p>${linkButton('Save the HTML', `${PATH}.html?kind=${kind}&language=${language}`)}</p>`
        const links = navigationOf(principal, PATH)
        return shown(layout({ title: 'Mails', main, links, signedIn: session && { ...session, csrf } }))
      },
    }),
    page({
      ...{ ...shared, path: `${PATH}.html`, name: 'saveMailPreview' },
      handle: async ({ query: { kind = 'RECEIPT', language = 'en' }, brand }) =>
        bytes('text/html; charset=utf-8', sampleMail(kind, language, { brand }).html ?? '', `${kind}-${language}.html`),
    }),
  ]
}

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const
