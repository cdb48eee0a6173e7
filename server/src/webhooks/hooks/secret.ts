import type { Vault } from '../../platform/vault/vault.ts'

/** The vault's purpose for hook secrets. */
const PURPOSE = 'hook-secret'

/** Decisions 7: a secret is "encrypted at rest". */
export function sealSecret(vault: Vault, secret: string): Buffer {
  return vault.seal(PURPOSE, secret)
}

/** Throws VaultError if the value cannot be opened. */
export function openSecret(vault: Vault, sealed: Buffer): string {
  return vault.openText(PURPOSE, sealed)
}
