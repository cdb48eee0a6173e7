import type { Schema } from './samples.ts'

/** One changed value of a body. */
export interface Change {
  /** The path as an error names it: `plans[0].name`. */
  readonly path: string
  readonly keys: readonly (string | number)[]
  /** `undefined`: left out. */
  readonly value: unknown
  /** The schema or the use case must reject it, naming the path. */
  readonly isRejected: boolean
}

/** JSON numbers that JavaScript parses as Infinity. `bodyOf` writes this as such a number. */
const INFINITE = 'raw:1e999'

const JSON_VALUES: readonly (readonly [type: string, value: unknown])[] = [
  ['null', null],
  ['string', 'text'],
  ['number', 7],
  ['boolean', true],
  ['array', []],
  ['array', [['A']]],
  ['object', {}],
  ['object', { toString: 1, length: 1 }],
]

/** Every mutation of one field that the schema suggests. */
export function changesOf(schema: Schema, keys: readonly (string | number)[] = []): Change[] {
  const found: Change[] = []
  for (const [field, of] of Object.entries(schema.properties ?? {})) {
    const at = [...keys, field]
    if (schema.required?.includes(field)) found.push(change(at, undefined, true))
    found.push(...valuesOf(of, at))
  }
  return found
}

function valuesOf(schema: Schema, at: readonly (string | number)[]): Change[] {
  const types = typesOf(schema)
  const wrong: unknown[] = JSON_VALUES.filter(([type]) => !types.has(type)).map(([, value]) => value)
  const open: unknown[] = []
  if (schema.enum) wrong.push('', 'NOTHING', `${schema.enum[0]} `, 'active', 'month', '__proto__', 'constructor')
  else if (types.has('string')) addStrings(schema, { wrong, open })
  if (types.has('number')) addNumbers(schema, { wrong, open })
  const changes = [...wrong.map(value => change(at, value, true)), ...open.map(value => change(at, value, false))]
  if (schema.properties) changes.push(...changesOf(schema, at))
  if (schema.items) changes.push(...itemsOf(schema, schema.items, at))
  return changes
}

type Values = { readonly wrong: unknown[]; readonly open: unknown[] }

/** Text that PostgreSQL cannot store is rejected everywhere. Lengths count characters, not bytes. */
function addStrings({ minLength = 0, maxLength, pattern, anyOf }: Schema, { wrong, open }: Values): void {
  if (anyOf) open.push('', 'nul \u0000', '\ud800')
  else wrong.push('nul \u0000', 'half \ud800 a pair', '\udc00')
  if (minLength > 0) wrong.push('')
  else open.push('')
  open.push('"; drop table plans; --', '<script>', '\u202e\u2028\n', '%00', '../..', ' '.repeat(10))
  if (maxLength === undefined) {
    open.push('x'.repeat(100_000))
    return
  }
  wrong.push('x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1))
  // A pattern of its own may want more than a length.
  open.push('x'.repeat(maxLength), pattern === undefined ? 'é' : '😀'.repeat(maxLength))
}

function addNumbers({ type, minimum, maximum }: Schema, { wrong, open }: Values): void {
  wrong.push(1.5, -1, 1e308, -1e308, 2 ** 53, INFINITE, '7')
  if (type === 'number') open.push(0, 99_999_999)
  if (minimum !== undefined) {
    wrong.push(minimum - 1)
    open.push(minimum, -0)
  }
  if (maximum !== undefined) {
    wrong.push(maximum + 1)
    open.push(maximum)
  }
}

function itemsOf({ minItems = 0, maxItems }: Schema, items: Schema, at: readonly (string | number)[]): Change[] {
  const changes = JSON_VALUES.filter(([type]) => !typesOf(items).has(type)).map(([, value]) =>
    change([...at, 0], value, true),
  )
  if (minItems > 0) changes.push(change(at, [], true))
  else changes.push(change(at, [], false))
  if (maxItems !== undefined) changes.push(change(at, Array(maxItems + 1).fill('text'), true))
  return [...changes, ...changesOf(items, [...at, 0])]
}

function typesOf({ type, anyOf }: Schema): Set<string> {
  if (anyOf) return new Set(anyOf.flatMap(one => [...typesOf(one)]))
  if (type === undefined) return new Set(['enum'])
  return new Set([type === 'integer' ? 'number' : type])
}

function change(keys: readonly (string | number)[], value: unknown, isRejected: boolean): Change {
  const path = keys.map(key => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return { path: path.slice(1), keys, value, isRejected }
}

/** A copy of the body with the change in it. */
export function changed(body: unknown, { keys, value }: Pick<Change, 'keys' | 'value'>): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return value
  const copy: Record<string | number, unknown> = Array.isArray(body) ? ([...body] as never) : { ...(body as object) }
  copy[key] = changed(copy[key], { keys: rest, value })
  return copy
}

/** As JSON, a change that no JavaScript value can say included. */
export function bodyOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(JSON.stringify(INFINITE), '1e999')
}
