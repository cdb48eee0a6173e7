import { effectiveNow } from '../../core/business.ts'
import { editOrder, type Order, type OrderEdit } from '../../core/order.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { pipeline } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { type RecordPorts, recordNotifications } from '../notifications/record.ts'
import { behind } from './behind.ts'
import { lockOrder, saveOrder } from './store.ts'

export interface EditInput {
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
