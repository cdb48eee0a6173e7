import { effectiveNow } from '../../core/business.ts'
import {
  editOrder,
  type Order,
  type OrderChange,
  type OrderEdit,
  type OrderFields,
  openOrder,
} from '../../core/order.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { findBusiness, findTills, type Till } from '../../merchants/businesses/store.ts'
import type { Tx } from '../../platform/db/db.ts'
import { pipeline } from '../../platform/db/sql.ts'
import type { AuditAction } from '../../platform/http/ports.ts'
import type { Ports } from '../../ports.ts'
import { type RecordPorts, recordNotifications } from '../notifications/record.ts'
import { insertOrders, lockOrder, saveOrder } from './store.ts'

export interface OpenInput extends OrderFields {
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
  readonly action: AuditAction
}

/**
 * Opens orders at terminals, each with its audit entry. All orders and notifications of the call appear together or not at all; a
 * rejection concerns its own order. Instants are in the business's time. Rejects with BUSINESS_, STORE_, DEVICE_NOT_FOUND, INVALID_PARAMETER, and SERVICE_UNAVAILABLE
 * while deliveries fall behind. Source: decisions 7, Orders.
 */
export function open(
  ports: RecordPorts & Pick<Ports, 'db' | 'backlog'>,
  inputs: readonly OpenInput[],
): Promise<(Order | Rejection)[]> {
  const { db, clock, newId, backlog } = ports
  if (backlog?.isBehind()) return Promise.resolve(inputs.map(behind))
  return db.transaction(async tx => {
    const tills = await findTills(tx.sql, inputs)
    const now = clock.now()
    const results = inputs.map(({ action, ...input }, index): Opened | Rejection => {
      const till = checkTill(tills[index] ?? null, input.storeId)
      if (isRejection(till)) return till
      const opened = openOrder({ orderId: newId(), ...input }, effectiveNow(till.business, now))
      return isRejection(opened) ? opened : { ...opened, action }
    })
    await insertAll(tx, ports, results.filter(isOpened))
    return results.map(result => (isOpened(result) ? result.order : result))
  })
}

type Opened = OrderChange & { readonly action: AuditAction }

function isOpened(result: Opened | Rejection): result is Opened {
  return !isRejection(result)
}

async function insertAll(tx: Tx, ports: RecordPorts, opened: readonly Opened[]): Promise<void> {
  const changes = opened.map(({ order, action }) => ({ resourceId: order.orderId, action }))
  await pipeline([
    insertOrders(
      tx.sql,
      opened.map(({ order }) => order),
      changes,
      ports.clock.now(),
    ),
    recordNotifications(
      tx,
      ports,
      opened.flatMap(({ event }) => event ?? []),
    ),
  ])
}

/** The terminal of a new order: of the business, and in the store. */
export function checkTill(till: Till | null, storeId: string): Till | Rejection {
  if (till === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
  if (!till.hasStore) return reject('STORE_NOT_FOUND', 'The business has no store with this storeId.')
  if (till.storeOfDevice === null) {
    return reject('DEVICE_NOT_FOUND', 'The business has no device with this deviceId.')
  }
  return till.storeOfDevice === storeId ? till : rejectField('storeId', 'the device is in another store')
}

/** A till can repeat an order in a moment; accepting it would only make everybody's notifications later. */
const RETRY_AFTER_SECONDS = 5

/** Design, Admission: "external producers (orders) get 503 with Retry-After; billing is never refused". */
export function behind(): Rejection {
  return reject('SERVICE_UNAVAILABLE', 'Deliveries are backlogged. Repeat the request in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

interface EditInput {
  readonly businessId: string
  readonly orderId: string
  readonly edit: OrderEdit
}

/**
 * Changes an open order; each change emits one event, in the order of the commits.
 * Rejects: ORDER_NOT_FOUND, ORDER_CLOSED, INVALID_PARAMETER, and SERVICE_UNAVAILABLE while deliveries fall behind. Source: decisions 7, Orders.
 */
export async function edit(
  ports: RecordPorts & Pick<Ports, 'db' | 'backlog'>,
  { businessId, orderId, edit }: EditInput,
): Promise<Order | Rejection> {
  const { db, clock, backlog } = ports
  if (backlog?.isBehind()) return behind()
  return db.transaction(async tx => {
    const [business, order] = await pipeline([findBusiness(tx.sql, businessId), lockOrder(tx.sql, businessId, orderId)])
    if (business === null || order === null) return orderNotFound()
    const change = editOrder(order, edit, effectiveNow(business, clock.now()))
    if (isRejection(change) || change.event === undefined) return isRejection(change) ? change : order
    await pipeline([saveOrder(tx.sql, change.order), recordNotifications(tx, ports, [change.event])])
    return change.order
  })
}

export function orderNotFound(): Rejection {
  return reject('ORDER_NOT_FOUND', 'The business has no order with this id.')
}
