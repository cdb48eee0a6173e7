import type { Static } from 'typebox'
import { given } from '../../core/given.ts'
import type { OrderFields } from '../../core/order.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Location } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyRoute, answer, type Call, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { edit, orderNotFound } from './edit.ts'
import { type OpenInput, open } from './open.ts'
import { missing } from './report.ts'
import { reportRoutes } from './report-route.ts'
import { BusinessParams, EditBody, OpenBody, OrderJson, OrderParams, orderToJson } from './schema.ts'
import { findOrder } from './store.ts'

const OPEN_PATH = '/businesses/:businessId/orders'

export function orderRoutes(ports: Ports): AnyRoute[] {
  return [
    ...reportRoutes(ports),
    route({
      method: 'POST',
      path: OPEN_PATH,
      name: 'openOrder',
      operation: 'orders.open',
      summary: 'Open an order at a terminal',
      params: BusinessParams,
      body: OpenBody,
      answers: { 201: OrderJson },
      rejections: ['MISSING_PARAMETER', 'STORE_NOT_FOUND', 'DEVICE_NOT_FOUND'],
      subject: ({ params, body, principal }) => ({
        businessId: params.businessId.toLowerCase(),
        ...locationOf(principal, body),
      }),
      handleGroup: async (db, calls) => {
        const inputs = calls.map(openInputOf)
        const orders = await open(
          { ...ports, db },
          inputs.flatMap(input => (isRejection(input) ? [] : [input])),
        )
        let opened = 0
        return inputs.map(input => {
          const order = isRejection(input) ? input : (orders[opened++] as (typeof orders)[number])
          return isRejection(order) ? order : answer(201, orderToJson(order))
        })
      },
    }),
    route({
      method: 'PATCH',
      path: '/businesses/:businessId/orders/:orderId',
      name: 'updateOrder',
      operation: 'orders.write',
      summary: 'Edit, complete or cancel an open order',
      params: OrderParams,
      body: EditBody,
      answers: { 200: OrderJson },
      rejections: ['ORDER_NOT_FOUND', 'ORDER_CLOSED'],
      subject: ({ params, principal, db }) => subjectOf(db.sql, params, principal),
      handle: async ({ params, body, db }) => {
        const { businessId, orderId } = params
        const { status } = body
        const order = await edit({ ...ports, db }, { businessId, orderId, edit: given({ ...fieldsOf(body), status }) })
        return isRejection(order) ? order : answer(200, orderToJson(order))
      },
    }),
    route({
      method: 'GET',
      path: '/businesses/:businessId/orders/:orderId',
      name: 'getOrder',
      operation: 'orders.read',
      summary: 'Get an order. Every order event links here',
      params: OrderParams,
      answers: { 200: OrderJson },
      rejections: ['ORDER_NOT_FOUND'],
      subject: ({ params, principal, db }) => subjectOf(db.sql, params, principal),
      handle: async ({ params, db }) => {
        const order = await findOrder(db.sql, params.businessId, params.orderId)
        return order === null ? orderNotFound() : answer(200, orderToJson(order))
      },
    }),
  ]
}

function openInputOf({
  params,
  body,
  principal,
  operation,
  requestId,
}: Call<Static<typeof BusinessParams>, unknown, Static<typeof OpenBody>>): OpenInput | Rejection {
  const { storeId, deviceId } = locationOf(principal, body)
  if (storeId === undefined) return missing('storeId')
  if (deviceId === undefined) return missing('deviceId')
  const action = { principal, operation, requestId, method: 'POST', path: OPEN_PATH }
  return { ...fieldsOf(body), businessId: params.businessId.toLowerCase(), storeId, deviceId, action }
}

/** If the order does not exist, the subject is the caller's own location: a caller with rights there gets 404, every other caller 403. */
async function subjectOf(
  sql: Sql,
  { businessId, orderId }: { businessId: string; orderId: string },
  principal: Principal,
): Promise<Subject> {
  const order = await findOrder(sql, businessId, orderId)
  if (order === null) return { businessId: businessId.toLowerCase(), ...locationOfCaller(principal) }
  const { storeId, deviceId } = order
  return { businessId: businessId.toLowerCase(), storeId, deviceId }
}

/** Decisions 7, Orders: store and device are "inferred from a terminal" if absent. */
function locationOf(principal: Principal, { storeId, deviceId }: { storeId?: string; deviceId?: string }): Location {
  const named = given({ storeId: storeId?.toLowerCase(), deviceId: deviceId && uuidOfUrn(deviceId) })
  return { ...locationOfCaller(principal), ...named }
}

function fieldsOf({ amount, currency, reference, note }: OrderFields): OrderFields {
  return given({ amount, currency, reference, note })
}
