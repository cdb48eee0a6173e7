import type { Language, MailKind } from '../../core/mail-kind.ts'
import { CURRENCIES, decimalOf } from '../../core/money.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { html } from '../../platform/web/html.ts'
import { type MailFacts, WORDS } from './words/words.ts'

export interface MoneyMailInput {
  readonly id: string
  readonly kind: MailKind
  readonly language: Language
  readonly to: string
  readonly business: string
  readonly facts: MailFacts
  /** Where the button leads. */
  readonly actionUrl: string
  /** Where the business chooses its language and mails. */
  readonly settingsUrl: string
}

/** The mail as text and HTML. The same input gives the same bytes. */
export function renderMoneyMail({ id, kind, language, to, business, facts, ...urls }: MoneyMailInput): Message {
  const words = WORDS[language]
  const { subject, sentences, button } = words.mails[kind](facts)
  const { actionUrl, settingsUrl } = urls
  const text = [
    ...[facts.app, '', ...sentences, '', `${button}:`, actionUrl, '', '--'],
    ...[words.footer(business), `${words.settings}: ${settingsUrl}`, ''],
  ].join('\n')
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title>
<style>
body { margin: 0; padding: 24px 12px; background: #f6f2ea; color: #1f1b16; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 520px; margin: 0 auto; padding: 28px; background: #fff; border-radius: 12px }
h1 { margin: 0 0 16px; font-size: 20px }
.button { display: inline-block; margin: 12px 0; padding: 12px 20px; border-radius: 8px; background: #1f5c4a; color: #fff; text-decoration: none }
.fine { color: #5c554b; font-size: 13px }
</style></head>
<body><main>
<p class="fine">${facts.app}</p>
<h1>${subject}</h1>
${sentences.map(sentence => html`<p>${sentence}</p>`)}
<p><a class="button" href="${actionUrl}">${button}</a></p>
<p class="fine">${words.footer(business)}<br><a href="${settingsUrl}">${words.settings}</a></p>
</main></body></html>`
  return { to, subject, text, html: page.text, id }
}

/** "$5.00", "5,00 €", "5,00 €". Exact, without floating point. */
export function moneyIn(language: Language, amount: number, currency: string): string {
  const decimals = CURRENCIES.get(currency) ?? 2
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const formatter = new Intl.NumberFormat(WORDS[language].locale, { style: 'currency', currency, ...digits })
  return plain(formatter.format(decimalOf(amount, currency) as Intl.StringNumericLiteral))
}

/** "12 March 2026", "12. März 2026". */
export function dayIn(language: Language, at: Date, timezone: string): string {
  const locale = language === 'en' ? 'en-GB' : WORDS[language].locale
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: timezone })
  return plain(format.format(at))
}

/** No-break spaces break the search in a mailbox. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}
