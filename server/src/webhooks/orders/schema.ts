import { type Static, Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { ORDER_EVENT_TYPES } from '../../core/event.ts'
import { given } from '../../core/given.ts'
import { MAX_ORDER_AMOUNT, ORDER_STATUSES, type Order } from '../../core/order.ts'
import { CurrencyCode, DeviceUrn, deviceUrn, Text, Timestamp, Uuid } from '../../platform/http/wire.ts'

const FIELDS = {
  amount: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ORDER_AMOUNT })),
  currency: Type.Optional(CurrencyCode),
  reference: Type.Optional(Text(255)),
  note: Type.Optional(Text(2_000)),
}

/** A terminal need not name itself and its store (decisions 7: "inferred from a terminal"). */
export const OpenBody = Type.Object({
  storeId: Type.Optional(Uuid),
  deviceId: Type.Optional(DeviceUrn),
  ...FIELDS,
})

export const EditBody = Type.Object({ status: Type.Optional(Type.Enum([...ORDER_STATUSES])), ...FIELDS })

export const OrderJson = Type.Object({
  orderId: Uuid,
  businessId: Uuid,
  storeId: Uuid,
  deviceId: DeviceUrn,
  status: Type.Enum([...ORDER_STATUSES]),
  ...FIELDS,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const MAX_EVENTS = 1_000

const ReportItem = Type.Object({
  /** The idempotency key of the event. */
  id: Text(255),
  eventType: Type.Enum([...ORDER_EVENT_TYPES]),
  orderId: Uuid,
  businessId: Uuid,
  /** Required for an order that was not reported before, as is deviceId. */
  storeId: Type.Optional(Uuid),
  deviceId: Type.Optional(DeviceUrn),
  ...FIELDS,
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })),
})
export type ReportItem = Static<typeof ReportItem>

export const ReportJson = Type.Object({ events: Type.Array(ReportItem, { minItems: 1, maxItems: MAX_EVENTS }) })

const Result = Type.Object({
  id: Type.String(),
  orderId: Uuid,
  /** The status that a separate request would have. */
  status: Type.Integer(),
  /** The event was applied before, and nothing happened now. */
  replayed: Type.Optional(Type.Boolean()),
  error: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      developerMessage: Type.String(),
      fields: Type.Optional(Type.Array(Type.Object({ path: Type.String(), problem: Type.String() }))),
      retryAfterSeconds: Type.Optional(Type.Integer()),
    }),
  ),
})
export type ResultJson = Static<typeof Result>

export const ReportResults = Type.Object({
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  /** One per event, in the order of the request. */
  results: Type.Array(Result),
})

export const BusinessParams = Type.Object({ businessId: Uuid })
export const OrderParams = Type.Object({ businessId: Uuid, orderId: Uuid })

export function orderToJson({ deviceId, createdAt, updatedAt, ...order }: Order) {
  const { orderId, businessId, storeId, status, amount, currency, reference, note } = order
  return given({
    ...{ orderId, businessId, storeId, deviceId: deviceUrn(deviceId), status, amount, currency, reference, note },
    ...{ createdAt: toTimestamp(createdAt), updatedAt: toTimestamp(updatedAt) },
  })
}
