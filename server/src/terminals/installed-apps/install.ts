import type { Static } from 'typebox'
import { findAppByPackageName } from '../../catalog/apps/store.ts'
import { findApprovedApks } from '../../catalog/releases/store.ts'
import type { App } from '../../core/app.ts'
import { assert } from '../../core/assert.ts'
import { checkInstall, permissionsToApprove } from '../../core/installed-app.ts'
import type { Principal, TerminalPrincipal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import type { InstallBody } from './schema.ts'
import { addApproved, deleteInstalled, findInstalled, type InstalledWithApproved, saveInstalled } from './store.ts'

/**
 * Records the app that a terminal's package manager reports. Rejects a package that is not an approved release with RELEASE_NOT_APPROVED,
 * and deletes the earlier report: the approved package is no longer on the terminal. Source: decisions 9.
 */
export function install(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { terminal, app, reported }: { terminal: TerminalPrincipal; app: App; reported: Static<typeof InstallBody> },
): Promise<InstalledWithApproved | Rejection> {
  const permissions = [...new Set(reported.permissions)].sort()
  const signerSha256 = reported.signerSha256.toLowerCase()
  return db.transaction(async ({ sql }) => {
    const { deviceId } = terminal
    const rejection = checkInstall({ signerSha256, permissions }, await findApprovedApks(sql, app.appId))
    if (rejection !== null) {
      await deleteInstalled(sql, { deviceId, appId: app.appId })
      return rejection
    }
    const now = clock.now()
    const { version } = reported
    const row = { deviceId, appId: app.appId, version, signerSha256, permissions, installedAt: now, updatedAt: now }
    await saveInstalled(sql, row)
    const saved = await findInstalled(sql, { ...terminal, appId: app.appId })
    assert(saved, 'the row was written in this transaction')
    return saved
  })
}

/**
 * The signed-in user approves permissions of an installed app for the merchant, exactly those that they were shown. Rejections:
 * APPLICATION_NOT_INSTALLED, INVALID_USER_SESSION, INVALID_PARAMETER where the app does not declare a permission.
 */
export function approvePermissions(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { terminal, app, permissions }: { terminal: TerminalPrincipal; app: App; permissions: readonly string[] },
): Promise<InstalledWithApproved | Rejection> {
  return db.transaction(async ({ sql }) => {
    const installed = await findInstalled(sql, { ...terminal, appId: app.appId })
    if (installed === null) return notInstalled()
    const { user, businessId } = terminal
    if (user === undefined) return reject('INVALID_USER_SESSION', 'Nobody is signed in: send Service-User-Session.')
    const unknown = permissions.findIndex(permission => !installed.permissions.includes(permission))
    if (unknown !== -1) return rejectField(`permissions[${unknown}]`, 'is not declared by the installed app')
    const { businessUserId } = user
    await addApproved(sql, { businessId, appId: app.appId, permissions, businessUserId, now: clock.now() })
    const saved = await findInstalled(sql, { ...terminal, appId: app.appId })
    assert(saved, 'the row is there')
    return saved
  })
}

/**
 * Returns null if the app is installed on the terminal with all its permissions approved. Rejections: APPLICATION_NOT_INSTALLED,
 * PERMISSIONS_NOT_APPROVED.
 */
async function rejectUnlessInstalled(
  sql: Sql,
  terminal: TerminalPrincipal,
  { appId }: Pick<App, 'appId'>,
): Promise<Rejection | null> {
  const installed = await findInstalled(sql, { ...terminal, appId })
  if (installed === null) return notInstalled()
  const missing = permissionsToApprove(installed.permissions, installed.approved)
  if (missing.length === 0) return null
  return reject(
    'PERMISSIONS_NOT_APPROVED',
    `The merchant has not approved ${missing.join(', ')}. A manager approves them on the terminal.`,
  )
}

function notInstalled(): Rejection {
  return reject(
    'APPLICATION_NOT_INSTALLED',
    'The terminal has not reported this app as installed: PUT /terminal/apps/{packageName} first.',
  )
}

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
