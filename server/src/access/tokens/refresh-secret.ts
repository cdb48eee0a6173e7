import { createHash, randomBytes } from 'node:crypto'

/** Decisions 2: "opaque". 256 random bits cannot be guessed, so storing a plain hash is enough. */
export function makeRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
