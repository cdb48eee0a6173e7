import { given } from '../../core/given.ts'
import { MAX_ICON_BYTES } from '../../core/icon.ts'
import { parseSlice } from '../../core/page.ts'
import { organizationOf } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { addKey } from './add-key.ts'
import { createApp } from './create.ts'
import { pageOfApps } from './list.ts'
import {
  AppAnswer,
  AppChanges,
  AppKeyAnswer,
  AppListAnswer,
  AppPath,
  AppsQuery,
  appToJson,
  keyToJson,
  NewApp,
  NewAppKey,
} from './schema.ts'
import { findActiveKeys, findActiveKeysOfApps, findApp } from './store.ts'
import { updateApp } from './update.ts'

/** PNG, JPEG or WebP. */
const WITH_ICON = { json: 'app', file: 'icon', maxBytes: MAX_ICON_BYTES }

/** Revoking a key ends its tokens, so access/tokens has that route. */
export function appRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>): AnyRoute[] {
  const { baseUrl } = ports.settings
  return [
    route({
      method: 'POST',
      path: '/apps',
      name: 'createApp',
      operation: 'apps.manage',
      summary: 'Create an app, optionally with an icon',
      body: NewApp,
      upload: WITH_ICON,
      answers: { 201: AppAnswer },
      rejections: ['ORGANIZATION_NOT_FOUND', 'PACKAGE_NAME_TAKEN', 'QUOTA_EXCEEDED'],
      subject: ({ body }) => ({ organizationId: body.organizationId.toLowerCase() }),
      async handle({ body, file, db }) {
        const input = { ...body, organizationId: body.organizationId.toLowerCase(), ...given({ icon: file }) }
        const made = await createApp({ ...ports, db }, input)
        if (isRejection(made)) return made
        const { kid, privateKey } = made.newKey
        const once = privateKey === undefined ? {} : { kid, privateKey }
        return answer(201, { ...appToJson(made.app, made.keys, baseUrl), ...once })
      },
    }),
    route({
      method: 'GET',
      path: '/apps',
      name: 'listApps',
      operation: 'apps.read',
      summary: 'List apps by name, package name or id, newest first',
      query: AppsQuery,
      answers: { 200: AppListAnswer },
      subject: ({ query, principal }) => organizationOf(principal, query.organizationId),
      async handle({ query, principal, db }) {
        const slice = parseSlice(query)
        if (isRejection(slice)) return slice
        const { q, status } = query
        const filter = { ...organizationOf(principal, query.organizationId), ...given({ status, q }) }
        const page = await pageOfApps({ db }, filter, slice)
        if (isRejection(page)) return page
        const appIds = page.items.map(({ appId }) => appId)
        const keys = await findActiveKeysOfApps(db.sql, appIds)
        const apps = page.items.map(app => appToJson(app, keys.get(app.appId) ?? [], baseUrl))
        return answer(200, { apps, links: nextLinks(`${baseUrl}/apps`, filter, slice, page.next) })
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId',
      name: 'getApp',
      operation: 'apps.read',
      summary: 'Get an app',
      params: AppPath,
      answers: { 200: AppAnswer },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, db }) {
        const app = await findApp(db.sql, uuidOfUrn(params.appId))
        if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
        return answer(200, appToJson(app, await findActiveKeys(db.sql, app.appId), baseUrl))
      },
    }),
    route({
      method: 'PATCH',
      path: '/apps/:appId',
      name: 'updateApp',
      operation: 'apps.manage',
      summary: 'Update an app or its icon, or disable or enable the app',
      params: AppPath,
      body: AppChanges,
      upload: WITH_ICON,
      answers: { 200: AppAnswer },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, body: { name, callbackUrls, status }, file, principal, db }) {
        const by = principal.kind === 'operator' ? 'OPERATOR' : 'DEVELOPER'
        const changes = given({ name, callbackUrls, status, icon: file })
        const updated = await updateApp({ ...ports, db }, { appId: uuidOfUrn(params.appId), by, ...changes })
        return isRejection(updated) ? updated : answer(200, appToJson(updated.app, updated.keys, baseUrl))
      },
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/keys',
      name: 'addAppKey',
      operation: 'keys.manage',
      summary: 'Add a key to an app',
      params: AppPath,
      body: NewAppKey,
      answers: { 200: AppKeyAnswer, 201: AppKeyAnswer },
      rejections: ['TOO_MANY_KEYS'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      async handle({ params, body, db }) {
        const key = await addKey({ ...ports, db }, { appId: uuidOfUrn(params.appId), publicKey: body.publicKey })
        return isRejection(key) ? key : answer(key.isNew ? 201 : 200, keyToJson(key))
      },
    }),
  ]
}
