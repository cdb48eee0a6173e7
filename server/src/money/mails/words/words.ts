import type { BrandLink } from '../../../core/brand.ts'
import type { Interval, Recurrence } from '../../../core/calendar.ts'
import type { Language, MailKind } from '../../../core/mail-kind.ts'
import { GERMAN } from './de.ts'
import { ENGLISH } from './en.ts'
import { SPANISH } from './es.ts'
import { FRENCH } from './fr.ts'

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

export interface LanguageWords {
  readonly mails: Readonly<Record<MailKind, (facts: MailFacts) => MailWords>>
  readonly footer: (business: string) => string
  readonly links: Readonly<Record<BrandLink, string>>
  readonly settings: string
  readonly per: Readonly<Record<Interval, string>>
  /** With the number in place of `#`: "every # months". */
  readonly every: Readonly<Record<Interval, string>>
  /** For amounts and days. */
  readonly locale: string
}

export const WORDS: Readonly<Record<Language, LanguageWords>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
}

/** "per month", "every 3 months". */
export function everyWords(language: Language, { interval, intervalCount }: Recurrence): string {
  const { per, every } = WORDS[language]
  return intervalCount === 1 ? per[interval] : every[interval].replace('#', String(intervalCount))
}
