import { findAppByPackageName } from '../../catalog/apps/store.ts'
import type { App } from '../../core/app.ts'
import { assert } from '../../core/assert.ts'
import type { Principal, TerminalPrincipal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { rejectUnlessInstalled } from './install.ts'

/** The calling terminal: terminal operations are granted to no other caller. */
export function terminalOf(principal: Principal): TerminalPrincipal {
  assert(principal.kind === 'terminal', 'an operation of terminals, by another caller')
  return principal
}

export async function appOf(sql: Sql, packageName: string): Promise<App | Rejection> {
  const app = await findAppByPackageName(sql, packageName)
  return app ?? reject('APPLICATION_NOT_FOUND', 'There is no app with this package name.')
}

/** The app in whose name the terminal calls: installed there, with its permissions approved. */
export async function installedAppOf(sql: Sql, principal: Principal, packageName: string): Promise<App | Rejection> {
  const app = await appOf(sql, packageName)
  return isRejection(app) ? app : ((await rejectUnlessInstalled(sql, terminalOf(principal), app)) ?? app)
}
