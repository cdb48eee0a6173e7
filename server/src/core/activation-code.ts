import { createHash } from 'node:crypto'
import { assert } from './assert.ts'

/** Decisions 9: "80-bit code". */
export const ACTIVATION_CODE_BYTES = 10
/** Decisions 9: "15 minutes". */
export const ACTIVATION_CODE_LIFETIME_MS = 15 * 60_000

/** Crockford's base 32 without I, L, O and U: people read the code from one screen and type it on another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Formats random bytes as four groups of four characters: `7K2M-…`. */
export function activationCodeOf(random: Uint8Array): string {
  assert(random.length === ACTIVATION_CODE_BYTES, 'activationCodeOf: 10 bytes')
  const bits = [...random].map(byte => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{5}/g)?.map(five => ALPHABET.charAt(Number.parseInt(five, 2))) ?? []
  return digits.join('').match(/.{4}/g)?.join('-') ?? ''
}

/** SHA-256 of the code: only the hash is stored. Case, spaces and hyphens do not count, and O, I and L are read as the digits 0 and 1. */
export function hashActivationCode(code: string): Buffer {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(plain).digest()
}
