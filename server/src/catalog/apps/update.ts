import { type App, type AppDisabler, type AppStatus, changeStatus, rejectCallbackUrls } from '../../core/app.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { knownOf, type SentIcon, takeIcon } from '../../platform/http/take-icon.ts'
import type { Ports } from '../../ports.ts'
import { saveIcon } from './icon-store.ts'
import { type ActiveKey, findActiveKeys, lockApp, lockAppsOf, saveApp } from './store.ts'

interface UpdateApp {
  readonly appId: string
  readonly name?: string
  readonly callbackUrls?: readonly string[]
  readonly status?: AppStatus
  /** Who changes it. */
  readonly by: AppDisabler
  /** Replaces the earlier icon. */
  readonly icon?: SentIcon
}

/**
 * Changes the given fields. A DISABLED app gets no tokens, and its tokens stop working. Only the operator enables an app that the operator
 * disabled; developers get 403.
 */
export async function updateApp(
  { db, clock, settings }: Pick<Ports, 'db' | 'clock' | 'settings'>,
  { appId, icon: sent, status, by, ...changes }: UpdateApp,
): Promise<{ app: App; keys: ActiveKey[] } | Rejection> {
  const rejection = rejectCallbackUrls(changes.callbackUrls ?? [], settings)
  if (rejection) return rejection
  const taken = sent === undefined ? undefined : await takeIcon(sent)
  if (isRejection(taken)) return taken
  return db.transaction(async ({ sql }) => {
    const before = await lockApp(sql, appId)
    if (before === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    const { disabledBy: _, ...kept } = before
    const state = status === undefined ? before : changeStatus(before, status, by)
    if (isRejection(state)) return state
    const app: App = {
      ...{ ...kept, ...changes, status: state.status, updatedAt: clock.now() },
      ...(state.disabledBy && { disabledBy: state.disabledBy }),
      ...(taken && { icon: knownOf(taken) }),
    }
    await saveApp(sql, app)
    if (taken !== undefined) await saveIcon(sql, { appId, bytes: taken.bytes })
    return { app, keys: await findActiveKeys(sql, appId) }
  })
}

/**
 * Whether the operator's change of all apps changes this app. If the developer has disabled an app, the operator's change disables the app for the
 * operator.
 */
export function isReached({ disabledBy }: Pick<App, 'disabledBy'>, status: AppStatus): boolean {
  return status === 'DISABLED' ? disabledBy !== 'OPERATOR' : disabledBy === 'OPERATOR'
}

/**
 * The operator disables all apps of an organization, or enables those that the operator disabled, in one transaction. Each app
 * changes as if by `updateApp`. A second call changes nothing.
 */
export function updateAppsOf(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { organizationId, status }: { readonly organizationId: string; readonly status: AppStatus },
): Promise<void> {
  return db.transaction(async ({ sql }) => {
    const apps = await lockAppsOf(sql, organizationId)
    for (const app of apps.filter(one => isReached(one, status))) {
      const state = changeStatus(app, status, 'OPERATOR')
      if (isRejection(state)) continue
      const { disabledBy: _, ...kept } = app
      await saveApp(sql, { ...kept, ...state, updatedAt: clock.now() })
    }
  })
}
