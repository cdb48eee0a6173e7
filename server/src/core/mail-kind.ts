/** Decisions 6, Mails: the mails about money that a business gets. */
export const MAIL_KINDS = [
  'RECEIPT',
  'PAYMENT_FAILED',
  'BANK_CONFIRMATION',
  'TRIAL_ENDING',
  'CARD_EXPIRING',
  'CANCELLED',
  'ENDED',
  'RESTORED',
  'PLAN_CHANGED',
  'REFUND',
  'RENEWAL_AHEAD',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Kinds that a business may switch off. The law requires all other mails, or a payment depends on them. */
export const OPTIONAL_MAIL_KINDS = [
  'RECEIPT',
  'CARD_EXPIRING',
  'RESTORED',
  'REFUND',
] as const satisfies readonly MailKind[]
export type OptionalMailKind = (typeof OPTIONAL_MAIL_KINDS)[number]

export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
/** The name of each language in that language. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const
export type Language = (typeof LANGUAGES)[number]

/** The language of a business that chose none. */
export function languageOf(country: string): Language {
  return LANGUAGE_OF_COUNTRY.get(country) ?? 'en'
}

const LANGUAGE_OF_COUNTRY: ReadonlyMap<string, Language> = new Map([
  ...(['DE', 'AT', 'LI'] as const).map(country => [country, 'de'] as const),
  ...(['FR', 'MC'] as const).map(country => [country, 'fr'] as const),
  ...['ES', 'MX', 'AR', 'CL', 'CO', 'PE', 'UY', 'EC', 'CR', 'PA'].map(country => [country, 'es'] as const),
])
