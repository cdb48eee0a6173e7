import type { Ports } from '../../ports.ts'
import { type AppKeys, createAppKeys } from './app-keys.ts'
import { createImportedKeys, type ImportedKeys } from './app-signature.ts'
import { createGrantOnce, type GrantOnce } from './grant-once.ts'
import { createRevocations, type RevocationMemory } from './revocations.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'

/** What this process keeps in memory about tokens, and what it gathers. One of each for the routes, the authenticator and the loops. */
export interface TokenMemory {
  readonly signingKeys: SigningKeys
  readonly revocations: RevocationMemory
  readonly appKeys: AppKeys
  readonly importedKeys: ImportedKeys
  readonly grantOnce: GrantOnce
}

/** `databaseAnswersWithinMs`: where it is not what `openDatabase` takes by itself. */
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
