import { type App, rejectCallbackUrls } from '../../core/app.ts'
import { exceeds } from '../../core/quota.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { knownOf, type SentIcon, takeIcon } from '../../platform/http/take-icon.ts'
import type { Ports } from '../../ports.ts'
import { lockOrganization } from '../organizations/store.ts'
import { type NewKey, takeOrMakeKey } from './add-key.ts'
import { saveIcon } from './icon-store.ts'
import { type ActiveKey, countApps, insertApp, insertKey } from './store.ts'

export interface CreateApp {
  readonly organizationId: string
  readonly name: string
  readonly packageName: string
  readonly callbackUrls?: readonly string[]
  /** PEM or JWK. Absent: a pair is made. */
  readonly publicKey?: unknown
  readonly icon?: SentIcon
}

/** Creates an app with its first key. A package name belongs to one app forever. Decisions 4 and 11. */
export async function createApp(
  { db, clock, newId, settings }: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>,
  { organizationId, name, packageName, callbackUrls = [], publicKey, icon: sent }: CreateApp,
): Promise<{ app: App; keys: ActiveKey[]; newKey: NewKey } | Rejection> {
  const rejection = rejectCallbackUrls(callbackUrls, settings)
  if (rejection) return rejection
  const taken = sent === undefined ? undefined : await takeIcon(sent)
  if (isRejection(taken)) return taken
  const newKey = await takeOrMakeKey(publicKey)
  if (isRejection(newKey)) return newKey
  const now = clock.now()
  const app: App = {
    ...{ appId: newId(), organizationId, name, packageName, callbackUrls, status: 'ACTIVE' },
    ...(taken && { icon: knownOf(taken) }),
    ...{ createdAt: now, updatedAt: now },
  }
  const key: ActiveKey = {
    kid: newKey.kid,
    publicJwk: newKey.publicJwk,
    createdAt: now,
    lastUsedAt: null,
    lastUsedFrom: null,
  }
  return db.transaction(async ({ sql }) => {
    if (!(await lockOrganization(sql, organizationId))) {
      return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
    }
    const overQuota = exceeds('apps', (await countApps(sql, organizationId)) + 1, settings.quotas)
    if (overQuota !== null) return overQuota
    if (!(await insertApp(sql, app))) return reject('PACKAGE_NAME_TAKEN', 'Another app has this packageName.')
    if (taken !== undefined) await saveIcon(sql, { appId: app.appId, bytes: taken.bytes })
    await insertKey(sql, { appId: app.appId, ...key })
    return { app, keys: [key], newKey }
  })
}
