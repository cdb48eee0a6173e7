import { type Rejection, reject } from '../../core/rejection.ts'
import { ICON_HEADERS, iconAnswer } from '../../platform/http/icon-answer.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { deleteIcon, findIcon } from './icon-store.ts'
import { AppPath, IconQuery } from './schema.ts'
import { lockApp, saveApp } from './store.ts'

/** The picture of an app, which merchants see wherever the app is named. Sent with the app itself. */
export function appIconRoutes(ports: Pick<Ports, 'db' | 'clock' | 'settings'>): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/icon',
      name: 'getAppIcon',
      operation: 'public',
      summary:
        'Get the icon of an app. The address with `v` never changes its content; without `v` the latest icon is returned',
      params: AppPath,
      query: IconQuery,
      contentType: 'image/*',
      sends: ICON_HEADERS,
      answers: { 200: null, 304: null },
      rejections: ['APPLICATION_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
      async handle({ params, query, headers, db }) {
        const icon = await findIcon(db.sql, uuidOfUrn(params.appId))
        if (icon === null) return reject('RESOURCE_NOT_FOUND', 'There is no app with this id, or the app has no icon.')
        return iconAnswer(icon, { version: query.v, ifNoneMatch: headers['if-none-match'] })
      },
    }),
    route({
      method: 'DELETE',
      path: '/apps/:appId/icon',
      name: 'removeAppIcon',
      operation: 'apps.manage',
      summary: 'Remove the icon of an app',
      params: AppPath,
      answers: { 204: null },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: async ({ params, db }) => (await removeIcon({ ...ports, db }, uuidOfUrn(params.appId))) ?? answer(204),
    }),
  ]
}

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
