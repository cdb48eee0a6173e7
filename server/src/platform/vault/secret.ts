import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, as they stand in a link or a cookie. They cannot be guessed, so a plain hash is enough to keep them by. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
