import { COUNTRIES } from '../core/countries.ts'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** "Germany" for DE. */
export function countryName(code: string): string {
  return names.of(code) ?? code
}

/** The countries of a select field, by name. */
export const COUNTRY_OPTIONS = [...COUNTRIES]
  .map(value => ({ value, text: countryName(value) }))
  .toSorted((one, other) => one.text.localeCompare(other.text, 'en'))
