/** What a field holds: text of anybody, or a number of ours. */
export type CsvValue = string | { readonly number: string } | undefined

/**
 * Rows as RFC 4180 writes them: CRLF after each, quotes around what needs them. Text that a spreadsheet would take for a formula
 * begins with an apostrophe, which spreadsheets read as "this is text" (OWASP, CSV injection): names are for anybody to choose.
 */
export function csvOf(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map(row => `${row.map(fieldOf).join(',')}\r\n`).join('')
}

/** A sign that begins a formula, also behind white space or in full width. */
const BEGINS_FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

function fieldOf(value: CsvValue): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return value.number
  const text = BEGINS_FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
