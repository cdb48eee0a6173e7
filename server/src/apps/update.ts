import { type App, type AppStatus, refuseCallbackUrls } from '../core/app.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Ports } from '../ports.ts'
import { type ActiveKey, findActiveKeys, lockApp, saveApp } from './store.ts'

export interface UpdateApp {
  readonly appId: string
  readonly name?: string
  readonly callbackUrls?: readonly string[]
  readonly status?: AppStatus
}

/** Changes what is given and leaves the rest. A DISABLED app gets no tokens, and those that it has stop working. */
export async function updateApp(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { appId, ...changes }: UpdateApp,
): Promise<{ app: App; keys: ActiveKey[] } | Refusal> {
  const refusal = refuseCallbackUrls(changes.callbackUrls ?? [])
  if (refusal) return refusal
  return db.transaction(async ({ sql }) => {
    const before = await lockApp(sql, appId)
    if (before === null) return refuse('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    const app: App = { ...before, ...changes, updatedAt: clock.now() }
    await saveApp(sql, app)
    return { app, keys: await findActiveKeys(sql, appId) }
  })
}
