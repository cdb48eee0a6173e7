import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { appOf, approvePermissions, install, terminalOf } from './install.ts'
import { InstallBody, InstalledAppAnswer, installedToJson, PackagePath, PermissionsBody } from './schema.ts'
import { deleteInstalled } from './store.ts'

/** Routes for a terminal's package manager, and the merchant's approval of permissions. */
export function installedAppRoutes(ports: Pick<Ports, 'db' | 'clock'>): AnyRoute[] {
  return [
    route({
      method: 'PUT',
      path: '/terminal/apps/:packageName',
      name: 'reportInstalledApp',
      operation: 'terminal.install',
      summary: 'Report that an app was installed or updated on this terminal. The terminal may then call for the app',
      params: PackagePath,
      body: InstallBody,
      answers: { 200: InstalledAppAnswer },
      rejections: ['APPLICATION_NOT_FOUND', 'RELEASE_NOT_APPROVED'],
      async handle({ params: { packageName }, body, principal, db }) {
        const app = await appOf(db.sql, packageName)
        if (isRejection(app)) return app
        const installed = await install({ ...ports, db }, { terminal: terminalOf(principal), app, reported: body })
        return isRejection(installed) ? installed : answer(200, installedToJson(packageName, installed))
      },
    }),
    route({
      method: 'DELETE',
      path: '/terminal/apps/:packageName',
      name: 'reportRemovedApp',
      operation: 'terminal.install',
      summary: 'Report that an app is not installed on this terminal',
      params: PackagePath,
      answers: { 204: null },
      rejections: ['APPLICATION_NOT_FOUND'],
      async handle({ params: { packageName }, principal, db }) {
        const app = await appOf(db.sql, packageName)
        if (isRejection(app)) return app
        const { deviceId } = terminalOf(principal)
        await db.transaction(({ sql }) => deleteInstalled(sql, { deviceId, appId: app.appId }))
        return answer(204)
      },
    }),
    route({
      method: 'POST',
      path: '/terminal/apps/:packageName/approval',
      name: 'approvePermissionsAtTerminal',
      operation: 'terminal.approve',
      summary: 'Approve permissions of an installed app for the merchant, as the signed-in manager',
      params: PackagePath,
      body: PermissionsBody,
      answers: { 200: InstalledAppAnswer },
      rejections: ['APPLICATION_NOT_FOUND', 'APPLICATION_NOT_INSTALLED', 'INVALID_USER_SESSION'],
      async handle({ params: { packageName }, body: { permissions }, principal, db }) {
        const app = await appOf(db.sql, packageName)
        if (isRejection(app)) return app
        const terminal = terminalOf(principal)
        const approved = await approvePermissions({ ...ports, db }, { terminal, app, permissions })
        return isRejection(approved) ? approved : answer(200, installedToJson(packageName, approved))
      },
    }),
  ]
}
