import type { TObject } from 'typebox'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Of a form of ours, which has some words and no files. */
export const MAX_FORM_BYTES = 64 * 1024
const MAX_FIELDS = 200

export type FormFields = Readonly<Record<string, string | readonly string[]>>

/**
 * The fields of application/x-www-form-urlencoded, strictly: a % that encodes nothing, bytes that are no UTF-8 and NUL are
 * refused, and so is a field that comes twice, unless its schema is an array.
 */
export function readForm(bytes: Buffer, schema: TObject | undefined): FormFields | Rejection {
  const pairs = bytes.length === 0 ? [] : bytes.toString('latin1').split('&')
  if (pairs.length > MAX_FIELDS) return reject('INVALID_REQUEST', `A form has at most ${MAX_FIELDS} fields.`)
  const fields = new Map<string, string | string[]>(listsOf(schema).map(name => [name, []]))
  for (const pair of pairs) {
    const read = readPair(pair)
    if (isRejection(read)) return read
    const [name, value] = read
    const known = fields.get(name)
    if (typeof known === 'string') return reject('INVALID_REQUEST', 'A form field was sent twice.')
    if (known === undefined) fields.set(name, value)
    else known.push(value)
  }
  return Object.fromEntries(fields)
}

function listsOf(schema: TObject | undefined): string[] {
  const properties = (schema?.properties ?? {}) as Record<string, { type?: unknown }>
  return Object.keys(properties).filter(name => properties[name]?.type === 'array')
}

function readPair(pair: string): readonly [name: string, value: string] | Rejection {
  const at = pair.indexOf('=')
  const name = decoded(at < 0 ? pair : pair.slice(0, at))
  const value = decoded(at < 0 ? '' : pair.slice(at + 1))
  if (name === null || value === null) return reject('INVALID_REQUEST', 'The form is not percent-encoded UTF-8.')
  // PostgreSQL's text holds no NUL.
  if (name.includes('\0') || value.includes('\0')) return reject('INVALID_REQUEST', 'A form field holds NUL.')
  return [name, value]
}

/** Browsers encode everything that is not ASCII; raw bytes beyond it come from something else. */
function decoded(text: string): string | null {
  if (/[^\x20-\x7e]/.test(text)) return null
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
