import { BRAND_LINKS, type Brand } from '../../core/brand.ts'
import type { Language, MailKind } from '../../core/mail-kind.ts'
import { logoPath } from '../../platform/brand/paths.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { type Html, html, trusted } from '../../platform/web/html.ts'
import { BRAND_LINK_TEXTS } from '../../platform/web/layout.ts'
import { inLanguage, say, sayText } from '../../platform/web/say.ts'
import { MAIL_WORDS, type MailFacts } from './words.ts'

export interface MoneyMailInput {
  readonly id: string
  readonly kind: MailKind
  readonly language: Language
  readonly to: string
  readonly business: string
  readonly facts: MailFacts
  /** The address of the button. */
  readonly actionUrl: string
  /** The page where the business chooses language and mails. */
  readonly settingsUrl: string
  readonly brand: Brand
  /** Of the logo. */
  readonly baseUrl: string
}

/** The mail as text and HTML. Equal input gives equal bytes. */
export function renderMoneyMail(input: MoneyMailInput): Message {
  return inLanguage(input.language, () => render(input))
}

function render({ id, kind, language, to, business, facts, ...urls }: MoneyMailInput): Message {
  const { subject, sentences, button } = MAIL_WORDS[kind](facts)
  const { actionUrl, settingsUrl, brand, baseUrl } = urls
  const footer = say`You receive this e-mail because ${business} pays for this app.`
  const settings = say`Change language and e-mails`
  const links = BRAND_LINKS.flatMap(link => {
    const href = brand[link]
    return href === undefined ? [] : [{ text: sayText(BRAND_LINK_TEXTS[link]), href }]
  })
  const text = [
    ...[facts.app || brand.name, '', ...sentences, '', `${button}:`, actionUrl, '', '--'],
    ...[brand.name, footer, `${settings}: ${settingsUrl}`],
    ...links.map(({ text, href }) => `${text}: ${href}`),
    '',
  ].join('\n')
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title>
${styleOf(brand)}</head>
<body><main>
<p class="brand">${brand.logo !== undefined && html`<img src="${`${baseUrl}${logoPath(brand.logo)}`}" width="28" height="28" alt=""> `}${brand.name}</p>
${facts.app !== '' && html`<p class="fine">${facts.app}</p>`}
<h1>${subject}</h1>
${sentences.map(sentence => html`<p>${sentence}</p>`)}
<p><a class="button" href="${actionUrl}">${button}</a></p>
<p class="fine">${footer}<br><a href="${settingsUrl}">${settings}</a>${links.map(({ text, href }) => html` · <a href="${href}">${text}</a>`)}</p>
</main></body></html>`
  return { to, subject, text, html: page.text, id }
}

/** The colour of buttons without an accent. */
const DEFAULT_ACCENT = '#1f5c4a'

/** The accent is six hexadecimal digits, so it ends no style. */
function styleOf({ accent = DEFAULT_ACCENT }: Brand): Html {
  return trusted(`<style>
body { margin: 0; padding: 24px 12px; background: #f6f2ea; color: #1f1b16; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 520px; margin: 0 auto; padding: 28px; background: #fff; border-radius: 12px }
h1 { margin: 0 0 16px; font-size: 20px; text-wrap: balance }
a { color: ${accent} }
.button { display: inline-block; margin: 12px 0; padding: 12px 20px; border-radius: 8px; background: ${accent}; color: #fff; text-decoration: none }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 16px; font-weight: 700 }
.fine { color: #5c554b; font-size: 13px }
</style>`)
}
