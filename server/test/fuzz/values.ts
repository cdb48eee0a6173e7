import type { Schema } from '../../src/runtime/openapi/openapi.ts'
import type { Random } from './random.ts'

/** A part of a JSON text that no JavaScript value prints as. */
export class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const UUID = '018f0000-0000-7000-8000-000000000000'

/** Hostile and unusual strings. */
export const STRINGS: readonly string[] = [
  ...['', ' ', 'null', 'undefined', 'true', 'NaN', '0', '-1', '1e400', '0x10', '[]', '{}', '*', '%', '%00', '%s%n'],
  ...['\u0000', 'nul \u0000 within', '\ud800', 'half \udfff\ud800 pairs', '\ufeff', '\ufffe\uffff', '\u007f\u0085'],
  ...['😀'.repeat(64), 'e\u0301'.repeat(40), 'ﷺ'.repeat(20), '\u202e\u2066\u2028\u2029\n\r\t', 'ſ İ ß', '١٢٣'],
  ...["'; drop table plans; --", '<script>', `\${7*7}`, '../../../etc/passwd', '__proto__', 'constructor', 'toString'],
  ...['x'.repeat(255), 'x'.repeat(256), 'x'.repeat(2_049), 'x'.repeat(70_000), '\\', '"', '\\u0000', '\\x00'],
  ...[UUID, UUID.toUpperCase(), `{${UUID}}`, `urn:aid:${UUID}`, `urn:tid:${UUID}`, `urn:uuid:${UUID}`, 'urn:aid:'],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['2026-02-30T00:00:00Z', '2026-01-01', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ...['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59', '2026-01-01T24:00:00Z', '2026-06-30T23:59:60Z'],
  ...['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-01-01T00:00:00.123456789123456789+01:00', 'infinity'],
  ...['1970-01-01T00:00:00Z', '1e21', '9007199254740993', '99999999999999999999', '-0', '1_000', '١'],
  ...['http://127.0.0.1:9/', 'http://[::1]/', 'https://user:secret@example.com/', 'file:///etc/passwd', 'http://%00/'],
  ...['http://xn--/', 'https://example.com:99999/', 'HTTPS://EXAMPLE.COM/\u0000', 'javascript:alert(1)', 'http:///'],
  ...[
    'a@b',
    '@',
    'USD',
    'usd',
    'US',
    'ZZ',
    'XXX',
    'ACTIVE',
    'MONTH',
    'DAY',
    'STORE',
    'DEVICE',
    'BILLING',
    'tok_stolen',
  ],
]

/** Text that PostgreSQL cannot store or JSON cannot represent; also used as a prefix of valid text. */
const POISON: readonly string[] = ['\u0000', '\ud800', '\udc00', '\ufffe', '\u0000', '\ud800']

export const NUMBERS: readonly unknown[] = [
  ...[0, -0, 1, -1, 1.5, 1e-7, 5e-324, 365, 366, 99_999_999, 100_000_000, 999_999_999_999, 1e12],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e21, 1e308],
  ...['1e400', '-1e400', '9007199254740993', '1.0', '1e0', '-0', '-0.0', '1E+2', '0.1e-400', '9'.repeat(400)].map(
    text => new Raw(text),
  ),
]

const DEEP = 10_000
export const OTHERS: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], [{}], { length: 1 }, { toString: 1 }, { valueOf: null }],
  new Raw('['.repeat(DEEP) + ']'.repeat(DEEP)),
  new Raw(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`),
  new Raw('{"a":1,"a":2}'),
  new Raw('{"__proto__":{"isAdmin":true}}'),
  new Raw('{"constructor":{"prototype":{"isAdmin":true}}}'),
  Array.from({ length: 1_001 }, () => 'x'),
]

/** An arbitrary value, more often of the schema's type and then at its limits. */
export function anyValue(random: Random, schema: Schema = {}): unknown {
  if (random.chance(0.15))
    return `${random.pick(['', 'a ', 'dev@', 'http://127.0.0.1/', 'com.example.'])}${random.pick(POISON)}`
  const near = random.chance(0.6) ? boundsOf(schema) : []
  if (near.length > 0) return random.pick(near)
  return random.pick(random.pick([STRINGS, STRINGS, NUMBERS, OTHERS]))
}

function boundsOf({
  type,
  minLength,
  maxLength,
  minimum,
  maximum,
  enum: words,
  minItems,
  maxItems,
}: Schema): unknown[] {
  const lengths = [minLength ?? 0, maxLength ?? 300].flatMap(length => [length - 1, length, length + 1])
  if (words !== undefined) return [...words, `${words[0]} `, String(words[0]).toLowerCase()]
  if (type === 'string') {
    const letters = ['x', 'é', '😀', '\u0001', ' ']
    return lengths.flatMap(length => letters.map(letter => letter.repeat(Math.max(0, length))))
  }
  if (type === 'integer' || type === 'number') {
    return [minimum ?? 0, maximum ?? 2 ** 53].flatMap(bound => [bound - 1, bound, bound + 1, bound + 0.5, -bound])
  }
  if (type === 'array') return [minItems ?? 0, maxItems ?? 100].map(length => Array.from({ length }, () => ({})))
  return []
}
