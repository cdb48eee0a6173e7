import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
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

export const BusinessParams = Type.Object({ businessId: Uuid })
export const OrderParams = Type.Object({ businessId: Uuid, orderId: Uuid })

export function orderToJson({ amount, currency, reference, note, ...order }: Order) {
  return {
    orderId: order.orderId,
    businessId: order.businessId,
    storeId: order.storeId,
    deviceId: deviceUrn(order.deviceId),
    status: order.status,
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(reference === undefined ? {} : { reference }),
    ...(note === undefined ? {} : { note }),
    createdAt: toTimestamp(order.createdAt),
    updatedAt: toTimestamp(order.updatedAt),
  }
}
