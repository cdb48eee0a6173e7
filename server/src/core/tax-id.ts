/**
 * VAT numbers of the European Union by prefix (VIES, "VAT number structure"), of Great Britain, Norway and Switzerland.
 * Greece writes EL.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CHE: /^\d{9}(MWST|TVA|IVA)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-Z]{1,2})$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(MVA)?$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
}

/** The answer of a tax office to a tax id. Absent: no service has been asked yet, or none has answered. */
export const TAX_ID_STATUSES = ['VALID', 'INVALID'] as const
export type TaxIdStatus = (typeof TAX_ID_STATUSES)[number]

/** The member states of the European Union by ISO 3166-1. */
const EUROPEAN = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))

export function isEuropean(country: string): boolean {
  return EUROPEAN.has(country)
}

/** How the number of a country begins. Absent: the numbers of that country are not checked for their form. */
export function prefixOf(country: string): string | undefined {
  const prefix = { GR: 'EL', CH: 'CHE' }[country] ?? country
  return prefix in FORMS ? prefix : undefined
}

/** Capital letters and digits alone: "DE 123.456.789" is DE123456789. */
export function normalTaxId(text: string): string {
  return text.toUpperCase().replaceAll(/[\s.\-/]/g, '')
}

/**
 * The problem with the form of a tax id, or null. A number of a country in the list must have the prefix and the form
 * of that country. Whether the number was issued is another question.
 */
export function taxIdProblem(taxId: string, country: string): string | null {
  const normal = normalTaxId(taxId)
  if (!/^[A-Z0-9+*]{4,20}$/.test(normal)) return 'must have 4 to 20 letters and digits'
  const prefix = prefixOf(country)
  if (prefix === undefined) return null
  const form = FORMS[prefix]
  if (normal.startsWith(prefix) && form?.test(normal.slice(prefix.length))) return null
  return `must be a VAT number of ${country}: ${prefix} and the number`
}
