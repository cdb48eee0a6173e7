import type { Static } from 'typebox'
import { given } from '../../core/given.ts'
import type { OrderFields, OrderReport } from '../../core/order.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Location } from '../../core/subscription.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { runInGroups } from '../../platform/http/group.ts'
import type { AuditAction, KeyedRequest } from '../../platform/http/ports.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { type AnyRoute, answer, type Call, route } from '../../platform/http/route.ts'
import type { WireAnswer } from '../../platform/http/send.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import { createIdempotency } from '../../platform/idempotency/once.ts'
import type { Ports } from '../../ports.ts'
import { edit, type OpenInput, open, orderNotFound } from './open.ts'
import { missing, report } from './report.ts'
import {
  BusinessParams,
  EditBody,
  OpenBody,
  OrderJson,
  OrderParams,
  orderToJson,
  type ReportItem,
  ReportJson,
  ReportResults,
  type ResultJson,
} from './schema.ts'
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

/** Room for 1,000 events with the longest note and reference in three-byte characters. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

const [METHOD, PATH] = ['POST', '/orders/events'] as const

/** Decisions 7: "`POST /orders/events` with up to 1,000 items of any businesses, each with an id of its own that makes it idempotent". */
export function reportRoutes(ports: Ports): AnyRoute[] {
  const idempotency = createIdempotency(ports)
  return [
    route({
      method: METHOD,
      path: PATH,
      name: 'reportOrderEvents',
      operation: 'orders.report',
      summary: 'Report up to 1,000 order events of any businesses, with one result per event',
      body: ReportJson,
      maxBodyBytes: MAX_BODY_BYTES,
      answers: { 200: ReportResults },
      // The id of each item is its idempotency key.
      idempotent: false,
      handle: async ({ body, ...call }) => {
        const units = body.events.map(item => ({ item, keyed: keyedOf(call, item) }))
        const first = new Map(units.map(unit => [unit.keyed.key, unit] as const).reverse())
        const distinct = [...first.values()].reverse()
        const action = { ...call, method: METHOD, path: PATH }
        const settled = await runInGroups(idempotency, distinct, (db, group) => apply(ports, db, group, action))
        const results = new Map(
          distinct.map((unit, index) => [unit, resultOf(ports, unit, settled[index] as (typeof settled)[number])]),
        )
        const list = units.map(unit => {
          const same = first.get(unit.keyed.key) as Unit
          if (same.keyed.body.equals(unit.keyed.body)) return results.get(same) as ResultJson
          return rejected(unit.item, reject('REQUEST_ID_DUPLICATE', 'An earlier event of this request has this id.'))
        })
        const failed = list.filter(({ status }) => status >= 400).length
        return answer(200, { succeeded: list.length - failed, failed, results: list })
      },
    }),
  ]
}

interface Unit {
  readonly item: ReportItem
  readonly keyed: KeyedRequest
}

function keyedOf({ principal }: Pick<Call<never, never, never>, 'principal'>, item: ReportItem): KeyedRequest {
  const body = Buffer.from(JSON.stringify(item, Object.keys(item).sort()))
  return { principal, method: METHOD, path: PATH, params: {}, key: item.id, body }
}

async function apply(
  ports: Ports,
  db: Db,
  units: readonly Unit[],
  { principal, operation, method, path, requestId }: AuditAction,
): Promise<WireAnswer[]> {
  const action = { principal, operation, method, path, requestId }
  const results = await report(
    { ...ports, db },
    units.map(({ item }) => reportOf(item)),
    action,
  )
  return units.map(({ item }, index) => {
    const result = results[index] as (typeof results)[number]
    const json = isRejection(result) ? rejected(item, result) : { id: item.id, orderId: result.orderId, status: 200 }
    return { status: json.status, headers: {}, body: JSON.stringify(json) }
  })
}

function reportOf({ id: _, orderId, businessId, storeId, deviceId, ...item }: ReportItem): OrderReport {
  return given({
    ...{ ...item, orderId: orderId.toLowerCase(), businessId: businessId.toLowerCase() },
    storeId: storeId?.toLowerCase(),
    deviceId: deviceId && uuidOfUrn(deviceId),
  })
}

function resultOf(
  { log }: Pick<Ports, 'log'>,
  { item }: Unit,
  settled: PromiseSettledResult<WireAnswer | Rejection>,
): ResultJson {
  if (settled.status === 'rejected') {
    log.error({ err: settled.reason, eventId: item.id }, 'an order event failed')
    return rejected(
      item,
      reject('INTERNAL_ERROR', 'The failure was logged. Report the event again later, with the same id.'),
    )
  }
  const { value } = settled
  if (isRejection(value)) return rejected(item, value)
  const json = JSON.parse(value.body ?? '') as ResultJson
  return 'idempotent-replayed' in value.headers ? { ...json, replayed: true } : json
}

function rejected({ id, orderId }: ReportItem, { rejected: code, ...rejection }: Rejection): ResultJson {
  const { status, message } = PROBLEMS[code]
  const { developerMessage, fields, retryAfterSeconds } = rejection
  const error = given({ code, message, developerMessage, fields: fields && [...fields], retryAfterSeconds })
  return { id, orderId, status, error }
}
