import { createHash } from 'node:crypto'
import type { User } from '../../core/user.ts'
import { openFromText, sealAsText, type Vault } from '../../platform/vault/vault.ts'

const PURPOSE = 'password proof'
/** Long enough to find a phone. */
const GOOD_FOR_MS = 5 * 60_000

interface Proof {
  readonly userId: string
  /** Binds the proof to the password: a new password makes the proof invalid. */
  readonly hashOfHash: string
  readonly atMs: number
}

/** A sealed proof that the user's password was just checked, for the page that asks for the code. */
export function makeProof(vault: Vault, user: User, now: Date): string {
  const proof: Proof = { userId: user.userId, hashOfHash: hashOf(user), atMs: now.getTime() }
  return sealAsText(vault, PURPOSE, proof)
}

export function isProof(vault: Vault, text: string, user: User | null, now: Date): boolean {
  const proof = openFromText<Proof>(vault, PURPOSE, text)
  if (proof === null || user === null) return false
  const age = now.getTime() - proof.atMs
  return proof.userId === user.userId && proof.hashOfHash === hashOf(user) && age >= 0 && age < GOOD_FOR_MS
}

function hashOf({ passwordHash }: User): string {
  return createHash('sha256').update(passwordHash).digest('base64url')
}
