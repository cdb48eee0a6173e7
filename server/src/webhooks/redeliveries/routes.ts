import { given } from '../../core/given.ts'
import { listed, MAX_LIMIT, parseLimit } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { appUrn, uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { getHook, subjectOfHook } from '../hooks/get.ts'
import { findHookHealth } from '../hooks/health.ts'
import { HookChanges, HookParams, hookToJson } from '../hooks/schema.ts'
import {
  AppDeliveryParams,
  AppParams,
  BusinessDeliveryParams,
  DeliverySummaryJson,
  deliveryToJson,
} from '../notifications/schema.ts'
import { type HistoryOf, subjectOfBusiness } from '../notifications/scope.ts'
import { changeHook } from './change-hook.ts'
import { redeliverOne } from './redeliver-one.ts'
import { redeliveryNotFound } from './redelivery.ts'
import {
  ChangedHookJson,
  RedeliverBody,
  RedeliveryJson,
  RedeliveryListJson,
  RedeliveryParams,
  RedeliveryQuery,
  redeliveryToJson,
} from './schema.ts'
import { businessOf, cancelRedelivery, startRedelivery } from './start.ts'
import { findRedelivery, listRedeliveries, type RedeliveryBounds } from './store.ts'

/** Routes that replay one notification or, as a job, a range, and the route that changes a hook, which may replay missed notifications. */
export function redeliveryRoutes(ports: Ports): AnyRoute[] {
  const ofApp = ({ params }: { params: { appId: string } }): Subject => ({ appId: uuidOfUrn(params.appId) })
  return [
    route({
      method: 'POST',
      path: '/apps/:appId/deliveries/:deliveryId/redeliver',
      name: 'redeliverOfApp',
      operation: 'deliveries.redeliver',
      summary: 'Redeliver a notification of an app, with the same bytes and id',
      params: AppDeliveryParams,
      answers: { 202: DeliverySummaryJson },
      rejections: ['DELIVERY_NOT_FOUND', 'HOOK_INACTIVE', 'TEST_SENT_ONCE', 'APPROVAL_REVOKED'],
      audited: false,
      subject: ofApp,
      handle: call => one(ports, call, { appId: uuidOfUrn(call.params.appId) }),
    }),
    route({
      method: 'POST',
      path: '/businesses/:businessId/deliveries/:deliveryId/redeliver',
      name: 'redeliverOfBusiness',
      operation: 'deliveries.redeliver',
      summary: 'Redeliver a notification about a merchant, with the same bytes and id',
      params: BusinessDeliveryParams,
      answers: { 202: DeliverySummaryJson },
      rejections: ['DELIVERY_NOT_FOUND', 'HOOK_INACTIVE', 'TEST_SENT_ONCE', 'APPROVAL_REVOKED'],
      audited: false,
      subject: ({ params, principal }) => subjectOfBusiness(principal, params.businessId.toLowerCase()),
      handle: call => one(ports, call, { businessId: call.params.businessId.toLowerCase() }),
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/deliveries/redeliver',
      name: 'startRedelivery',
      operation: 'deliveries.redeliver',
      summary: 'Redeliver a range of notifications in the background',
      params: AppParams,
      body: RedeliverBody,
      answers: { 202: RedeliveryJson },
      rejections: [
        'MISSING_PARAMETER',
        'BUSINESS_NOT_FOUND',
        'HOOK_NOT_FOUND',
        'HOOK_INACTIVE',
        'TOO_MANY_REDELIVERIES',
      ],
      subject: ({ params, body }) =>
        given({ appId: uuidOfUrn(params.appId), businessId: body.businessId?.toLowerCase() }),
      handle: async ({ params, body: { businessId, hookId, ...rest }, principal, db }) => {
        const of = { businessId: businessId?.toLowerCase(), hookId: hookId?.toLowerCase() }
        const input = given({ ...rest, appId: uuidOfUrn(params.appId), ...of })
        const started = await startRedelivery({ ...ports, db }, principal, input)
        return isRejection(started) ? started : answer(202, redeliveryToJson(started))
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/deliveries/redeliveries',
      name: 'listRedeliveries',
      operation: 'deliveries.read',
      summary: 'List the redeliveries of an app, newest first',
      params: AppParams,
      query: RedeliveryQuery,
      answers: { 200: RedeliveryListJson },
      subject: ofApp,
      handle: async ({ params, query, principal, db }) => {
        const limit = parseLimit(query.limit, MAX_LIMIT)
        if (isRejection(limit)) return limit
        const page = given({ limit: limit + 1, before: query.after })
        const found = await listRedeliveries(db.sql, boundsOf(params, principal), page)
        const { items, next } = listed(found, limit, ({ redeliveryId }) => redeliveryId)
        const url = `${ports.settings.baseUrl}/apps/${appUrn(uuidOfUrn(params.appId))}/deliveries/redeliveries`
        const links = nextLinks(url, { ...query }, { limit }, next)
        return answer(200, { redeliveries: items.map(redeliveryToJson), links })
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/deliveries/redeliveries/:redeliveryId',
      name: 'getRedelivery',
      operation: 'deliveries.read',
      summary: 'Get the progress of a redelivery',
      params: RedeliveryParams,
      answers: { 200: RedeliveryJson },
      rejections: ['REDELIVERY_NOT_FOUND'],
      subject: ofApp,
      handle: async ({ params, principal, db }) => {
        const job = await findRedelivery(db.sql, params.redeliveryId, boundsOf(params, principal))
        return job === null ? redeliveryNotFound() : answer(200, redeliveryToJson(job))
      },
    }),
    route({
      method: 'DELETE',
      path: '/apps/:appId/deliveries/redeliveries/:redeliveryId',
      name: 'cancelRedelivery',
      operation: 'deliveries.redeliver',
      summary: 'Cancel a redelivery. Notifications that are already queued are still sent',
      params: RedeliveryParams,
      answers: { 200: RedeliveryJson },
      rejections: ['REDELIVERY_NOT_FOUND'],
      subject: ofApp,
      handle: async ({ params, principal, db }) => {
        const job = await cancelRedelivery({ ...ports, db }, params.redeliveryId, boundsOf(params, principal))
        return isRejection(job) ? job : answer(200, redeliveryToJson(job))
      },
    }),
    // Here instead of in hooks/, because the change may start a redelivery.
    route({
      method: 'PATCH',
      path: '/hooks/:hookId',
      name: 'updateHook',
      operation: 'hooks.manage',
      summary: 'Update a hook. Absent fields stay unchanged',
      params: HookParams,
      body: HookChanges,
      answers: { 200: ChangedHookJson },
      rejections: ['HOOK_NOT_FOUND', 'HOOK_EXISTS'],
      subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
      handle: async ({ params, body, principal, db }) => {
        const hook = await getHook(db.sql, params.hookId, principal)
        const changed = isRejection(hook) ? hook : await changeHook({ ...ports, db }, hook, body)
        if (isRejection(changed)) return changed
        const { hook: after, ...resent } = changed
        const health = await findHookHealth(db.sql, [after.hookId])
        const shown = hookToJson(after, { of: health.get(after.hookId), now: ports.clock.now() })
        return answer(200, { ...shown, ...resent })
      },
    }),
  ]
}

interface Call {
  readonly principal: Principal
  readonly db: Db
  readonly params: { readonly deliveryId: string }
}

async function one(ports: Ports, { principal, db, params }: Call, of: HistoryOf) {
  const notificationId = params.deliveryId.toLowerCase()
  const entry = await redeliverOne({ ...ports, db }, { of, principal, notificationId })
  return isRejection(entry) ? entry : answer(202, deliveryToJson(entry))
}

function boundsOf({ appId }: { appId: string }, principal: Principal): RedeliveryBounds {
  return given({ appId: uuidOfUrn(appId), businessId: businessOf(principal) })
}
