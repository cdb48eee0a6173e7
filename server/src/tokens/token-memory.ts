import type { Ports } from '../ports.ts'
import { createImportedKeys, type ImportedKeys } from './app-signature.ts'
import { createRevocations, type RevocationMemory } from './revocations.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'

/** What this process keeps in memory about tokens. One of each for the routes, the authenticator and the loops. */
export interface TokenMemory {
  readonly signingKeys: SigningKeys
  readonly revocations: RevocationMemory
  readonly importedKeys: ImportedKeys
}

export function createTokenMemory(ports: Pick<Ports, 'db' | 'clock' | 'vault'>): TokenMemory {
  return {
    signingKeys: createSigningKeys(ports),
    revocations: createRevocations(ports.clock.now()),
    importedKeys: createImportedKeys(),
  }
}
