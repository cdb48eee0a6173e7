import type { Ports } from '../../ports.ts'
import type { KeysOfApp } from './app-signature.ts'
import { createLru } from './lru.ts'
import { findAppKeys } from './store.ts'

/**
 * Apps' keys as they were last read. Good for saying who signed, since the statement that writes the grant looks again whether
 * the key is active and the app enabled; never for rejecting: what they do not prove is read anew.
 */
export interface AppKeys {
  known(appId: string): KeysOfApp | undefined
  read(appId: string): Promise<KeysOfApp | null>
}

/** About 1 KiB each. More apps cost one statement per exchange. */
const APPS = 5_000

export function createAppKeys({ db }: Pick<Ports, 'db'>): AppKeys {
  const kept = createLru<KeysOfApp>(APPS)
  return {
    known: appId => kept.get(appId),
    async read(appId) {
      const app = await findAppKeys(db.sql, appId)
      if (app !== null) kept.set(appId, app)
      return app
    },
  }
}
