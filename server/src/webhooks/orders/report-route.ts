import { given } from '../../core/given.ts'
import type { OrderReport } from '../../core/order.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Db } from '../../platform/db/db.ts'
import { runInGroups } from '../../platform/http/group.ts'
import type { AuditAction, KeyedRequest } from '../../platform/http/ports.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { type AnyRoute, answer, type Call, route } from '../../platform/http/route.ts'
import type { WireAnswer } from '../../platform/http/send.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import { createIdempotency } from '../../platform/idempotency/once.ts'
import type { Ports } from '../../ports.ts'
import { report } from './report.ts'
import { type ReportItem, ReportJson, ReportResults, type ResultJson } from './schema.ts'

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
