import type { OrderEvent, OrderEventType } from './event.ts'
import { CURRENCIES } from './money.ts'
import { type Rejection, reject, rejectField } from './rejection.ts'

export const ORDER_STATUSES = ['OPENED', 'COMPLETED', 'CANCELLED'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** In minor units. Above any order, and far below 2^53. */
export const MAX_ORDER_AMOUNT = 999_999_999_999

/** The fields of an order that callers write. */
export interface OrderFields {
  /** Minor units of `currency`. */
  readonly amount?: number
  /** ISO 4217. */
  readonly currency?: string
  readonly reference?: string
  readonly note?: string
}

/** An order at a terminal. Its instants are in the business's time. */
export interface Order extends OrderFields {
  readonly orderId: string
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
  readonly status: OrderStatus
  /** Number of its events. */
  readonly resourceSeq: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface OrderChange {
  readonly order: Order
  /** Absent when nothing was changed. */
  readonly event?: OrderEvent
}

export type OrderEdit = OrderFields & { readonly status?: OrderStatus }

/** A new OPENED order and its event. Source: decisions 7, Orders. */
export function openOrder(
  order: Pick<Order, 'orderId' | 'businessId' | 'storeId' | 'deviceId'> & OrderFields,
  now: Date,
): OrderChange | Rejection {
  const opened: Order = { ...order, status: 'OPENED', resourceSeq: 0, createdAt: now, updatedAt: now }
  return rejectMoney(opened) ?? emit(opened, 'ORDER_OPENED', now)
}

/**
 * Edits an OPENED order; a closed one is rejected with ORDER_CLOSED. A new status emits the event of that name, another change
 * ORDER_UPDATED, and no change no event. `updatedAt` never moves back, even if a process's clock is behind. Source: decisions 7, Orders.
 */
export function editOrder(order: Order, edit: OrderEdit, now: Date): OrderChange | Rejection {
  if (order.status !== 'OPENED') return orderClosed(order)
  const edited: Order = { ...order, ...edit }
  if (!differs(order, edited)) return { order }
  const at = now > order.updatedAt ? now : order.updatedAt
  return rejectMoney(edited) ?? emit({ ...edited, updatedAt: at }, EVENT_OF_EDIT[edited.status], at)
}

/** An event that another order system reports. `storeId` and `deviceId` are needed for an order that is not known yet. */
export interface OrderReport extends OrderFields {
  readonly eventType: OrderEventType
  readonly orderId: string
  readonly businessId: string
  readonly storeId?: string
  readonly deviceId?: string
}

/**
 * Applies a reported event to the known order, or to a new one. Every report emits its event: an ORDER_UPDATED may concern fields that
 * Tillhook does not have. Rejects with ORDER_EXISTS, ORDER_CLOSED and INVALID_PARAMETER.
 */
export function applyReport(
  known: Order | null,
  { eventType, ...report }: OrderReport & Pick<Order, 'storeId' | 'deviceId'>,
  now: Date,
): OrderChange | Rejection {
  if (eventType === 'ORDER_OPENED') {
    return known ? reject('ORDER_EXISTS', `The order is already ${known.status}.`) : openOrder(report, now)
  }
  const order = known ?? { ...report, status: 'OPENED', resourceSeq: 0, createdAt: now, updatedAt: now }
  if (order.status !== 'OPENED') return orderClosed(order)
  const { storeId: _, deviceId: __, ...fields } = report
  const at = now > order.updatedAt ? now : order.updatedAt
  const changed: Order = { ...order, ...fields, status: STATUS_OF_REPORT[eventType], updatedAt: at }
  return rejectMoney(changed) ?? emit(changed, eventType, at)
}

function orderClosed({ status }: Pick<Order, 'status'>): Rejection {
  return reject('ORDER_CLOSED', `Only an OPENED order can be changed; this one is ${status}.`)
}

const STATUS_OF_REPORT: Record<Exclude<OrderEventType, 'ORDER_OPENED'>, OrderStatus> = {
  ORDER_UPDATED: 'OPENED',
  ORDER_COMPLETED: 'COMPLETED',
  ORDER_CANCELLED: 'CANCELLED',
}

const EVENT_OF_EDIT: Record<OrderStatus, OrderEventType> = {
  OPENED: 'ORDER_UPDATED',
  COMPLETED: 'ORDER_COMPLETED',
  CANCELLED: 'ORDER_CANCELLED',
}

const EDITABLE = ['status', 'amount', 'currency', 'reference', 'note'] as const

function differs(before: Order, after: Order): boolean {
  return EDITABLE.some(field => before[field] !== after[field])
}

/** Decisions 6: "Integers in minor units with a currency, everywhere." */
function rejectMoney({ amount, currency }: OrderFields): Rejection | null {
  if (amount !== undefined && currency === undefined) return rejectField('currency', 'must be given with an amount')
  if (currency === undefined) return null
  if (!CURRENCIES.has(currency)) return rejectField('currency', 'must be an ISO 4217 code in capitals')
  return amount === undefined ? rejectField('amount', 'must be given with a currency') : null
}

function emit(order: Order, eventType: OrderEventType, occurredAt: Date): OrderChange {
  const { businessId, storeId, deviceId, orderId: resourceId } = order
  const resourceSeq = order.resourceSeq + 1
  return {
    order: { ...order, resourceSeq },
    event: { eventType, businessId, storeId, deviceId, resourceId, resourceSeq, occurredAt },
  }
}
