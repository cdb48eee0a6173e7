import { type App, refuseCallbackUrls } from '../core/app.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import { findOrganization } from '../organizations/store.ts'
import type { Ports } from '../ports.ts'
import { type NewKey, takeOrMakeKey } from './key-pair.ts'
import { type ActiveKey, insertApp, insertKey } from './store.ts'

export interface CreateApp {
  readonly organizationId: string
  readonly name: string
  readonly packageName: string
  readonly callbackUrls?: readonly string[]
  /** PEM or JWK. Absent: a pair is made. */
  readonly publicKey?: unknown
}

/** Makes an app with its first key. A package name is one app's only, for ever. Decisions 4 and 11. */
export async function createApp(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { organizationId, name, packageName, callbackUrls = [], publicKey }: CreateApp,
): Promise<{ app: App; keys: ActiveKey[]; newKey: NewKey } | Refusal> {
  const refusal = refuseCallbackUrls(callbackUrls)
  if (refusal) return refusal
  const newKey = await takeOrMakeKey(publicKey)
  if (isRefusal(newKey)) return newKey
  const now = clock.now()
  const app: App = {
    ...{ appId: newId(), organizationId, name, packageName, callbackUrls, status: 'ACTIVE' },
    ...{ createdAt: now, updatedAt: now },
  }
  const key: ActiveKey = { kid: newKey.kid, publicJwk: newKey.publicJwk, createdAt: now }
  return db.transaction(async ({ sql }) => {
    if ((await findOrganization(sql, organizationId)) === null) {
      return refuse('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
    }
    if (!(await insertApp(sql, app))) return refuse('PACKAGE_NAME_TAKEN', 'Another app has this packageName.')
    await insertKey(sql, { appId: app.appId, ...key })
    return { app, keys: [key], newKey }
  })
}
