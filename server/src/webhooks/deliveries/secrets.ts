import type { Vault } from '../../platform/vault/vault.ts'
import { openSecret } from '../hooks/secret.ts'

/** The secrets of the hooks that are sent to. */
export interface Secrets {
  /** Throws VaultError where it cannot be opened. */
  open(hookId: string, sealed: Buffer): string
}

/** Past so many hooks the one that was asked for longest ago is opened anew. */
const REMEMBERED = 1_000

/**
 * Opens each secret once, as long as its sealed bytes stay the same: opening one takes as long as both signatures. The key of
 * all of them is in the same memory, so that keeping a few there reveals nothing more.
 */
export function createSecrets(vault: Vault): Secrets {
  const opened = new Map<string, { sealed: Buffer; secret: string }>()
  return {
    open: (hookId, sealed) => {
      const known = opened.get(hookId)
      const kept = known?.sealed.equals(sealed) ? known : { sealed, secret: openSecret(vault, sealed) }
      // Set anew, so that the hooks asked for last are remembered longest.
      opened.delete(hookId)
      opened.set(hookId, kept)
      const [oldest] = opened.keys()
      if (opened.size > REMEMBERED && oldest !== undefined) opened.delete(oldest)
      return kept.secret
    },
  }
}
