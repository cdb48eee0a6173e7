import { type App, type AppStatus, changeStatus } from '../../core/app.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { lockAppsOf, saveApp } from './store.ts'

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
