import { effectiveNow } from '../../core/business.ts'
import { type Order, type OrderChange, type OrderFields, openOrder } from '../../core/order.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { findTills, type Till } from '../../merchants/businesses/store.ts'
import type { Tx } from '../../platform/db/db.ts'
import { pipeline } from '../../platform/db/sql.ts'
import type { AuditAction } from '../../platform/http/ports.ts'
import type { Ports } from '../../ports.ts'
import { type RecordPorts, recordNotifications } from '../notifications/record.ts'
import { behind } from './behind.ts'
import { insertOrders } from './store.ts'

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
