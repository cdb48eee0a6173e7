import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { deleteIcon } from './icon-store.ts'
import { lockApp, saveApp } from './store.ts'

/** Removes the icon; merchants see the app's first letter. Removing twice is not an error. Returns null on success. */
export function removeIcon({ db, clock }: Pick<Ports, 'db' | 'clock'>, appId: string): Promise<Rejection | null> {
  return db.transaction(async ({ sql }) => {
    const before = await lockApp(sql, appId)
    if (before === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    if (before.icon === undefined) return null
    const { icon, ...app } = before
    await saveApp(sql, { ...app, updatedAt: clock.now() })
    await deleteIcon(sql, appId)
    return null
  })
}
