import { findApp } from '../../catalog/apps/store.ts'
import { given } from '../../core/given.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import type { SingleAttempt } from '../deliveries/single.ts'
import { boundsOf, getHook, subjectOfHook } from '../hooks/get.ts'
import { HookBody, HookJson, HookParams, hookToJson } from '../hooks/schema.ts'
import { deleteHook } from './delete-hook.ts'
import { registerHook } from './register-hook.ts'
import { HookTestBody, HookTestJson, hookTestToJson } from './schema.ts'
import { type HookTests, testHook } from './test-hook.ts'

/** Routes on a hook that change the queue or send a request. Updates, which may start a redelivery, are in redeliveries/routes.ts. */
export function hookQueueRoutes(ports: Ports & HookTests): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/hooks',
      name: 'registerHook',
      operation: 'hooks.manage',
      summary: 'Register a hook. A repeated registration returns the existing hook with the new secret',
      body: HookBody,
      answers: { 200: HookJson, 201: HookJson },
      rejections: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'TOO_MANY_HOOKS'],
      // Decisions 1: clients repeat request ids here. Registering is idempotent without a key.
      idempotent: false,
      subject: ({ body, db }) => subjectOf(db.sql, uuidOfUrn(body.applicationId), body.businessId?.toLowerCase()),
      handle: async ({ body, principal, db }) => {
        const { applicationId, businessId, deliveryUrl, secret, eventTypes } = body
        const input = given({
          ...{
            appId: uuidOfUrn(applicationId),
            businessId: businessId?.toLowerCase(),
            deliveryUrl,
            secret,
            eventTypes,
          },
          callerOf: boundsOf(principal).businessId,
        })
        const registered = await registerHook({ ...ports, db }, input)
        if (isRejection(registered)) return registered
        return answer(registered.isNew ? 201 : 200, hookToJson(registered.hook))
      },
    }),
    route({
      method: 'POST',
      path: '/hooks/:hookId/test',
      name: 'testHook',
      operation: 'hooks.manage',
      summary:
        "Send a TEST notification or a sample event to a hook, signed like any notification, and get the endpoint's response",
      params: HookParams,
      body: HookTestBody,
      answers: { 200: HookTestJson },
      rejections: ['HOOK_NOT_FOUND', 'TOO_MANY_REQUESTS'],
      audited: false,
      subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
      // The test uses the network. A repeat of an answered request sends nothing; two simultaneous requests may send two tests.
      prepare: async ({ params, body, principal, db }) => {
        const hook = await getHook(db.sql, params.hookId, principal)
        return isRejection(hook) ? hook : testHook({ ...ports, db }, hook, body.eventType)
      },
      handle: async ({ prepared }) => answer(200, hookTestToJson(prepared as SingleAttempt)),
    }),
    route({
      method: 'DELETE',
      path: '/hooks/:hookId',
      name: 'deleteHook',
      operation: 'hooks.manage',
      summary: 'Delete a hook. Its waiting deliveries end as ERRORED',
      params: HookParams,
      answers: { 204: null },
      rejections: ['HOOK_NOT_FOUND'],
      subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
      handle: async ({ params, principal, db }) => {
        const hook = await getHook(db.sql, params.hookId, principal)
        return isRejection(hook) ? hook : ((await deleteHook({ ...ports, db }, hook.hookId)) ?? answer(204))
      },
    }),
  ]
}

/** The merchant that a new hook would listen to; the app's own organization is none. */
async function subjectOf(sql: Sql, appId: string, businessId: string | undefined): Promise<Subject> {
  if (businessId === undefined) return { appId }
  const app = await findApp(sql, appId)
  return businessId === app?.organizationId ? { appId } : { appId, businessId }
}
