import { effectiveNow } from '../../core/business.ts'
import { type Order, type OrderFields, openOrder } from '../../core/order.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { findTill } from '../../merchants/businesses/store.ts'
import { pipeline } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { type RecordPorts, recordNotifications } from '../notifications/record.ts'
import { behind } from './behind.ts'
import { insertOrder } from './store.ts'

export interface OpenInput extends OrderFields {
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
}

/**
 * Opens an order at a terminal of the business. Order and notifications appear together or not at all; its instants are
 * in the business's time. Refuses: BUSINESS_, STORE_, DEVICE_NOT_FOUND, INVALID_PARAMETER, and SERVICE_UNAVAILABLE while deliveries fall behind. Source: decisions 7, Orders.
 */
export async function open(
  ports: RecordPorts & Pick<Ports, 'db' | 'backlog'>,
  input: OpenInput,
): Promise<Order | Rejection> {
  const { db, clock, newId, backlog } = ports
  if (backlog?.isBehind()) return behind()
  return db.transaction(async tx => {
    const till = await findTill(tx.sql, input)
    if (till === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    if (!till.hasStore) return reject('STORE_NOT_FOUND', 'The business has no store with this storeId.')
    if (till.storeOfDevice === null) {
      return reject('DEVICE_NOT_FOUND', 'The business has no device with this deviceId.')
    }
    if (till.storeOfDevice !== input.storeId) return rejectField('storeId', 'the device is in another store')
    const opened = openOrder({ orderId: newId(), ...input }, effectiveNow(till.business, clock.now()))
    if (isRejection(opened)) return opened
    await pipeline([
      insertOrder(tx.sql, opened.order),
      recordNotifications(tx, ports, opened.event ? [opened.event] : []),
    ])
    return opened.order
  })
}
