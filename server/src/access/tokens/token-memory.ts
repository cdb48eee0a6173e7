import type { Ports } from '../../ports.ts'
import { type AppKeys, createAppKeys } from './app-keys.ts'
import { createImportedKeys, type ImportedKeys } from './app-signature.ts'
import { createGrantOnce, type GrantOnce } from './grant-once.ts'
import { createRevocations, type RevocationMemory } from './revocations.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'

/** The token state of this process: one instance for routes, authenticator and background jobs. */
export interface TokenMemory {
  readonly signingKeys: SigningKeys
  readonly revocations: RevocationMemory
  readonly appKeys: AppKeys
  readonly importedKeys: ImportedKeys
  readonly grantOnce: GrantOnce
}

/** `databaseAnswersWithinMs` defaults to the value of `openDatabase`. */
export function createTokenMemory(
  ports: Pick<Ports, 'db' | 'clock' | 'vault'>,
  databaseAnswersWithinMs?: number,
): TokenMemory {
  return {
    signingKeys: createSigningKeys(ports),
    revocations: createRevocations(ports.clock.now(), databaseAnswersWithinMs),
    appKeys: createAppKeys(ports),
    importedKeys: createImportedKeys(),
    grantOnce: createGrantOnce(ports),
  }
}
