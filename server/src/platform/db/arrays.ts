import type postgres from 'postgres'

type Type<T> = postgres.PostgresType<readonly (T | null)[]>

/**
 * The array types that our statements use, by PostgreSQL's fixed numbers. The driver could ask the server for all of them on
 * each new connection, but a connection that is lost while it does so ends the process.
 * Source: porsager/postgres#1192.
 */
export const ARRAY_TYPES = {
  booleans: arrayType(1000, text => text === 't'),
  integers: arrayType(1007, Number),
  texts: arrayType(1009, text => text),
  bigints: arrayType(1016, Number),
  dates: arrayType(1182, text => new Date(text)),
  timestamps: arrayType(1185, text => new Date(text)),
  uuids: arrayType(2951, text => text),
} as const

function arrayType<T>(oid: number, parse: (text: string) => T): Type<T> {
  return {
    to: oid,
    from: [oid],
    serialize: (values: readonly unknown[]) => `{${values.map(literalOf).join(',')}}`,
    parse: (literal: string) => parseArray(literal, parse),
  }
}

function literalOf(value: unknown): string {
  if (value === null) return 'null'
  const text = value instanceof Date ? value.toISOString() : String(value)
  // Most have nothing to escape, and looking is cheaper than replacing nothing.
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return isEscapedAsJson(text) ? JSON.stringify(text) : `"${text.replace(EACH_TO_ESCAPE, '\\$&')}"`
}

const EACH_TO_ESCAPE = /["\\]/g

/**
 * JSON puts a backslash before the same two, in half of the time: the body of each notification goes this way. What it also escapes is
 * written in another way there.
 */
function isEscapedAsJson(text: string): boolean {
  return !CONTROLS.test(text) && text.isWellFormed()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const CONTROLS = /[\0-\x1f]/

/** Of one dimension. Quoted: with a backslash before what would end it; unquoted: as it is, or NULL. */
function parseArray<T>(literal: string, parse: (text: string) => T): (T | null)[] {
  const items = literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs)
  return [...items].map(([plain, quoted]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
    return plain === 'NULL' ? null : parse(plain)
  })
}
