import { AsyncLocalStorage } from 'node:async_hooks'
import { assert } from '../../core/assert.ts'
import { LANGUAGES, type Language } from '../../core/mail-kind.ts'
import { type Html, html, type Part } from './html.ts'
import de from './words/de.json' with { type: 'json' }
import es from './words/es.json' with { type: 'json' }
import fr from './words/fr.json' with { type: 'json' }

/** `x-pseudo` (RFC 5646, private use) marks every translated text as ⟦text⟧, so that a test finds text without a translation. */
export type PageLanguage = Language | 'x-pseudo'

/** From the English text, with {0}, {1} … in place of the values, to the translation. */
const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, de, fr, es }

const LOCALES = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES', 'x-pseudo': 'en-GB' } as const

const current = new AsyncLocalStorage<PageLanguage>()

/** Runs the work, and all that it awaits, in the language. */
export function inLanguage<T>(language: PageLanguage, work: () => T): T {
  return current.run(language, work)
}

/** The language of the page being made. English outside a page. */
export function pageLanguage(): PageLanguage {
  return current.getStore() ?? 'en'
}

/** For `lang` of the page. */
export function htmlLanguage(): string {
  return locale().slice(0, 2)
}

/** For Intl: the locale of dates, numbers and money. */
export function locale(): string {
  return LOCALES[pageLanguage()]
}

/** The text in the language of the page: say`You stay on ${plan.name}`. English where the translation is missing. */
export function say(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return piecesOf(keyOf(strings))
    .map((piece, i) => (i % 2 === 0 ? piece : String(values[Number(piece)])))
    .join('')
}

/** Like `say`, for a sentence that holds links or other HTML. Text is escaped. */
export function sayHtml(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return html`${piecesOf(keyOf(strings)).map((piece, i) => (i % 2 === 0 ? piece : values[Number(piece)]))}`
}

/** A text that is defined elsewhere, such as the message of a rejection. */
export function sayText(english: string): string {
  return translationOf(english)
}

/**
 * The language of a page: the person's setting, then the languages of the browser (RFC 9110, 12.5.4, by descending weight), then English.
 */
export function choosePageLanguage(setting: Language | undefined, acceptLanguage: string | undefined): PageLanguage {
  if (setting !== undefined) return setting
  const wanted = (acceptLanguage ?? '').split(',', MAX_LANGUAGES).map((part, i) => {
    const [tag = '', weight] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/)
    return { tag, weight: weight === undefined ? 1 : Number(weight) || 0, i }
  })
  wanted.sort((one, other) => other.weight - one.weight || one.i - other.i)
  for (const { tag } of wanted.filter(({ weight }) => weight > 0)) {
    if (tag === 'x-pseudo') return tag
    const found = LANGUAGES.find(language => tag === language || tag.startsWith(`${language}-`))
    if (found !== undefined) return found
  }
  return 'en'
}

/** A browser sends a handful. */
const MAX_LANGUAGES = 20

function keyOf(strings: TemplateStringsArray): string {
  return strings.reduce((key, string, i) => `${key}{${i - 1}}${string}`)
}

function translationOf(key: string): string {
  const language = pageLanguage()
  return language === 'x-pseudo' ? `⟦${key}⟧` : (WORDS[language][key] ?? key)
}

const known = new Map<string, readonly string[]>()

/** Text and the numbers of values in turn: "You stay on ", "0", "". */
function piecesOf(key: string): readonly string[] {
  const text = translationOf(key)
  let pieces = known.get(text)
  if (pieces === undefined) {
    pieces = text.split(/\{(\d+)\}/)
    assert(pieces.length % 2 === 1, 'a split by one group alternates')
    known.set(text, pieces)
  }
  return pieces
}

/** Marks a constant as text to translate. The place that shows the constant calls `sayText`. */
export function english<T extends string>(text: T): T {
  return text
}
