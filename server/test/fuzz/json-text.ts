import type { Random } from './random.ts'
import { Raw, STRINGS } from './values.ts'

/** JSON in unusual spellings, and invalid JSON. */
export function jsonBytes(value: unknown, random: Random): Buffer {
  const text = print(value, random)
  if (random.chance(0.8)) return Buffer.from(text)
  return broken(text, random)
}

function print(value: unknown, random: Random): string {
  const gap = random.chance(0.01) ? random.pick([' ', '\n\t', '\r\n  ']) : ''
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${gap}${value.map(item => print(item, random)).join(`,${gap}`)}]`
  if (typeof value !== 'object' || value === null) return printPlain(value, random)
  const members = Object.entries(value).map(([key, item]) => `${printPlain(key, random)}:${gap}${print(item, random)}`)
  if (members.length > 0 && random.chance(0.02)) members.push(random.pick(members))
  return `{${gap}${members.join(`,${gap}`)}}`
}

function printPlain(value: unknown, random: Random): string {
  const text = Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? 'null')
  if (typeof value !== 'string' || random.chance(0.98)) return text
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, '0'))
  return `"${units.map(unit => `\\u${unit}`).join('')}"`
}

function broken(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text)
  const at = random.below(bytes.length + 1)
  const put = (...what: number[]) => Buffer.concat([bytes.subarray(0, at), Buffer.from(what), bytes.subarray(at)])
  switch (random.below(14)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])
    case 2:
      return Buffer.from(text, 'utf16le')
    case 3:
      return put(0xff)
    case 4:
      return put(0xc0, 0x80)
    case 5:
      return put(0xed, 0xa0, 0x80)
    case 6:
      return put(0)
    case 7:
      return put(random.below(256))
    case 8:
      return Buffer.concat([bytes, bytes])
    case 9:
      return Buffer.from(text.replaceAll('"', "'"))
    case 10:
      return Buffer.from(text.replace(/}$/, ',}'))
    case 11:
      return Buffer.from(random.pick(['', ' ', 'null', '[]', '"text"', '7', 'NaN', '{', '[', '}', '//', `${text}//`]))
    case 12:
      return Buffer.from(text.replace('{', `{"${random.pick(['__proto__', 'constructor', 'a', '', 'then'])}":{},`))
    default:
      return Buffer.from(JSON.stringify(random.pick(STRINGS)))
  }
}
