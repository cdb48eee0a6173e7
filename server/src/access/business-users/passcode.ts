import { hashPassword, verifyPassword } from '../../platform/vault/password.ts'
import type { Vault } from '../../platform/vault/vault.ts'

/**
 * Passcodes are short: a stolen table of plain hashes would give all of them away within hours. The hash is therefore made of an HMAC of the
 * passcode under a key derived from the master key: a guess needs the master key as well.
 */
export function hashPasscode(vault: Vault, passcode: string): Promise<string> {
  return hashPassword(peppered(vault, passcode))
}

/** Takes the same time without a hash. */
export function verifyPasscode(vault: Vault, passcode: string, hashed: string | null): Promise<boolean> {
  return verifyPassword(peppered(vault, passcode), hashed)
}

function peppered(vault: Vault, passcode: string): string {
  return vault.mark('passcode', passcode.normalize('NFKC')).toString('base64')
}
