import { recordKeyUse } from '../../catalog/apps/store.ts'
import type { Ports } from '../../ports.ts'
import type { KeysOfApp } from './app-signature.ts'
import { createLru } from './lru.ts'
import { findAppKeys } from './store.ts'

/** About 1 KiB each. More apps cost one statement per exchange. */
const APPS = 5_000
/** People decide by days whether a key is still in use. */
const USE_NOTED_EACH_MS = 3_600_000

/**
 * A cache of the keys of apps. A cached key may identify the signer, because the statement that writes the grant checks again that the key is
 * active and the app is enabled. If no cached key verifies an assertion, the keys are read again before the assertion is rejected.
 */
export type AppKeys = ReturnType<typeof createAppKeys>

export function createAppKeys({ db }: Pick<Ports, 'db'>) {
  const kept = createLru<KeysOfApp>(APPS)
  const noted = createLru<number>(APPS)
  return {
    known: (appId: string) => kept.get(appId),
    async read(appId: string): Promise<KeysOfApp | null> {
      const app = await findAppKeys(db.sql, appId)
      if (app !== null) kept.set(appId, app)
      return app
    },
    /** An assertion from `address` proved the key. Writes at most once an hour and process for each key. */
    async noteUse({ appId, kid }: { readonly appId: string; readonly kid: string }, address: string, now: Date) {
      const key = `${appId} ${kid}`
      const notedMs = noted.get(key)
      if (notedMs !== undefined && now.getTime() - notedMs < USE_NOTED_EACH_MS) return
      noted.set(key, now.getTime())
      await recordKeyUse(db.sql, { appId, kid, address, now, before: new Date(now.getTime() - USE_NOTED_EACH_MS) })
    },
  }
}
