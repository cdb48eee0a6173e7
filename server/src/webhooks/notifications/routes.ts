import { findApp } from '../../catalog/apps/store.ts'
import { given } from '../../core/given.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { appUrn, uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import type { SingleAttempt } from '../deliveries/store.ts'
import { boundsOf, getHook, subjectOfHook } from '../hooks/get.ts'
import { HookBody, HookJson, HookParams, hookToJson } from '../hooks/schema.ts'
import { getDelivery, type HistoryQuery, listDeliveries } from './history.ts'
import { deleteHook, registerHook } from './register-hook.ts'
import {
  AppDeliveryParams,
  AppParams,
  attemptsToJson,
  BusinessDeliveryParams,
  BusinessParams,
  DeliveryJson,
  DeliveryListJson,
  DeliveryQuery,
  deliveryToJson,
  HookTestBody,
  HookTestJson,
  hookTestToJson,
} from './schema.ts'
import { type HistoryOf, subjectOfBusiness } from './scope.ts'
import { type HookTests, testHook } from './test-hook.ts'

/** The history of notifications, and the routes on hooks that change the queue. */
export function notificationRoutes(ports: Ports & HookTests): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/deliveries',
      name: 'listAppDeliveries',
      operation: 'deliveries.read',
      summary: 'List the notifications of an app of the last 30 days, newest first',
      params: AppParams,
      query: DeliveryQuery,
      answers: { 200: DeliveryListJson },
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: call => list(ports, call, { appId: uuidOfUrn(call.params.appId) }),
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/deliveries/:deliveryId',
      name: 'getAppDelivery',
      operation: 'deliveries.read',
      summary: 'Get a notification of an app with its delivery attempts',
      params: AppDeliveryParams,
      answers: { 200: DeliveryJson },
      rejections: ['DELIVERY_NOT_FOUND'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: call => one(ports, call, { appId: uuidOfUrn(call.params.appId) }),
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/deliveries',
      name: 'listBusinessDeliveries',
      operation: 'deliveries.read',
      summary: 'List the notifications about a merchant of the last 30 days, newest first',
      params: BusinessParams,
      query: DeliveryQuery,
      answers: { 200: DeliveryListJson },
      subject: ({ params, principal }) => subjectOfBusiness(principal, params.businessId.toLowerCase()),
      handle: call => list(ports, call, { businessId: call.params.businessId.toLowerCase() }),
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/deliveries/:deliveryId',
      name: 'getBusinessDelivery',
      operation: 'deliveries.read',
      summary: 'Get a notification about a merchant with its delivery attempts',
      params: BusinessDeliveryParams,
      answers: { 200: DeliveryJson },
      rejections: ['DELIVERY_NOT_FOUND'],
      subject: ({ params, principal }) => subjectOfBusiness(principal, params.businessId.toLowerCase()),
      handle: call => one(ports, call, { businessId: call.params.businessId.toLowerCase() }),
    }),
    ...hookQueueRoutes(ports),
  ]
}

interface Call {
  readonly principal: Principal
  readonly db: Db
}

async function list(ports: Ports, { principal, db, query }: Call & { query: HistoryQuery }, of: HistoryOf) {
  const page = await listDeliveries({ ...ports, db }, { of, principal, query })
  if (isRejection(page)) return page
  const deliveries = page.entries.map(deliveryToJson)
  return answer(200, { deliveries, links: page.next === undefined ? [] : [nextLink(ports, of, query, page.next)] })
}

async function one(ports: Ports, { principal, db, params }: Call & { params: { deliveryId: string } }, of: HistoryOf) {
  const notificationId = params.deliveryId.toLowerCase()
  const found = await getDelivery({ ...ports, db }, { of, principal, notificationId })
  if (isRejection(found)) return found
  return answer(200, { ...deliveryToJson(found.entry), ...attemptsToJson(found.attempts) })
}

function nextLink({ settings }: Pick<Ports, 'settings'>, of: HistoryOf, query: HistoryQuery, after: string) {
  const path = 'appId' in of ? `/apps/${appUrn(of.appId)}/deliveries` : `/businesses/${of.businessId}/deliveries`
  const parameters = new URLSearchParams({ ...(query as Record<string, string>), after })
  return { href: `${settings.baseUrl}${path}?${parameters}`, rel: 'next', method: 'GET' }
}

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
