import { effectiveNow } from '../../core/business.ts'
import { applyReport, type Order, type OrderChange, type OrderReport } from '../../core/order.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findTills, type Till } from '../../merchants/businesses/store.ts'
import { pipeline } from '../../platform/db/sql.ts'
import type { AuditAction } from '../../platform/http/ports.ts'
import type { Ports } from '../../ports.ts'
import { type RecordPorts, recordNotifications } from '../notifications/record.ts'
import { behind, checkTill } from './open.ts'
import { insertOrders, lockOrders, saveOrders } from './store.ts'

/**
 * Applies events of the operator's own order system, in the order of the list. Each event emits its notification, also for an order that
 * was not reported before. All events of the call appear together or not at all; a rejection concerns its own event. One audit entry per order. Rejects with
 * BUSINESS_, STORE_, DEVICE_NOT_FOUND, ORDER_EXISTS, ORDER_CLOSED, MISSING_ and INVALID_PARAMETER, and SERVICE_UNAVAILABLE while deliveries fall behind.
 * Source: decisions 7, Orders.
 */
export function report(
  ports: RecordPorts & Pick<Ports, 'db' | 'backlog'>,
  reports: readonly OrderReport[],
  action: AuditAction,
): Promise<(Order | Rejection)[]> {
  const { db, clock, backlog } = ports
  if (backlog?.isBehind()) return Promise.resolve(reports.map(behind))
  return db.transaction(async tx => {
    const ids = [...new Set(reports.map(({ orderId }) => orderId))]
    const [tills, known] = await pipeline([findTills(tx.sql, reports), lockOrders(tx.sql, ids)])
    const now = clock.now()
    const orders = new Map(known)
    const results = reports.map((item, index) => {
      const change = applyOne(item, tills[index] ?? null, orders.get(item.orderId) ?? null, now)
      if (!isRejection(change)) orders.set(item.orderId, change.order)
      return change
    })
    const applied = results.flatMap(result => (isRejection(result) ? [] : [result]))
    const changed = [...new Set(applied.map(({ order }) => order.orderId))].flatMap(id => orders.get(id) ?? [])
    const [saved, inserted] = [changed.filter(isKnown), changed.filter(order => !isKnown(order))]
    const entries = (of: readonly Order[]) => of.map(({ orderId }) => ({ resourceId: orderId, action }))
    await pipeline([
      insertOrders(tx.sql, inserted, entries(inserted), now),
      saveOrders(tx.sql, saved, entries(saved), now),
      recordNotifications(
        tx,
        ports,
        applied.flatMap(({ event }) => event ?? []),
      ),
    ])
    return results.map(result => (isRejection(result) ? result : result.order))

    function isKnown({ orderId }: Order): boolean {
      return known.has(orderId)
    }
  })
}

function applyOne(item: OrderReport, till: Till | null, order: Order | null, now: Date): OrderChange | Rejection {
  if (till === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
  if (order !== null && order.businessId !== item.businessId) {
    return reject('ORDER_EXISTS', 'Another business has an order with this id.')
  }
  // A known order stays at its terminal, also after the terminal was closed.
  const { storeId = order?.storeId, deviceId = order?.deviceId } = item
  if (storeId === undefined) return missing('storeId')
  if (deviceId === undefined) return missing('deviceId')
  const checked = order === null ? checkTill(till, storeId) : till
  if (isRejection(checked)) return checked
  return applyReport(order, { ...item, storeId, deviceId }, effectiveNow(till.business, now))
}

export function missing(path: string): Rejection {
  return reject('MISSING_PARAMETER', `${path} is required.`, { fields: [{ path, problem: 'is required' }] })
}
