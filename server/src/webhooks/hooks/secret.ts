import type { Vault } from '../../platform/vault/vault.ts'

/** What a hook's secret is sealed for. */
const PURPOSE = 'hook-secret'

/** Decisions 7: a secret is "encrypted at rest". */
export function sealSecret(vault: Vault, secret: string): Buffer {
  return vault.seal(PURPOSE, secret)
}

/** Throws VaultError where it cannot be opened. */
export function openSecret(vault: Vault, sealed: Buffer): string {
  return vault.openText(PURPOSE, sealed)
}
