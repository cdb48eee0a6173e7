import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { appUrn, uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { getDelivery, type HistoryQuery, listDeliveries } from './history.ts'
import { hookQueueRoutes } from './hook-routes.ts'
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
} from './schema.ts'
import { type HistoryOf, subjectOfBusiness } from './scope.ts'
import type { HookTests } from './test-hook.ts'

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
