/** Text from users, or a number of ours. */
export type CsvValue = string | { readonly number: string } | undefined

/**
 * Rows in the format of RFC 4180. Text that a spreadsheet would read as a formula gets a leading apostrophe (OWASP, CSV injection), since users choose
 * names freely.
 */
export function csvOf(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map(row => `${row.map(fieldOf).join(',')}\r\n`).join('')
}

/** The start of a formula, also after white space or in full width. */
const BEGINS_FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

function fieldOf(value: CsvValue): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return value.number
  const text = BEGINS_FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
