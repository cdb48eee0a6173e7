import type { Order, OrderStatus } from '../../core/order.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present } from '../../platform/db/sql.ts'

interface Row {
  orderId: string
  businessId: string
  storeId: string
  deviceId: string
  status: OrderStatus
  amount: number | null
  currency: string | null
  reference: string | null
  note: string | null
  resourceSeq: number
  createdAt: Date
  updatedAt: Date
}

/** An order of the business; another business's is as good as none. */
export async function findOrder(sql: Sql, businessId: string, orderId: string): Promise<Order | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from orders where order_id = ${orderId} and business_id = ${businessId}`
  return row ? present(row) : null
}

/** Holds the row until the transaction ends: the order of its events is the order of the commits. */
export async function lockOrder(sql: Sql, businessId: string, orderId: string): Promise<Order | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from orders where order_id = ${orderId} and business_id = ${businessId} for no key update`
  return row ? present(row) : null
}

export async function insertOrder(sql: Sql, order: Order): Promise<void> {
  await sql`
    insert into orders (
      order_id, business_id, store_id, device_id, status, amount, currency, reference, note, resource_seq, created_at,
      updated_at)
    values (
      ${order.orderId}, ${order.businessId}, ${order.storeId}, ${order.deviceId}, ${order.status},
      ${order.amount ?? null}, ${order.currency ?? null}, ${order.reference ?? null}, ${order.note ?? null},
      ${order.resourceSeq}, ${order.createdAt}, ${order.updatedAt})`
}

/** Writes what an edit may change. The row must be locked. */
export async function saveOrder(sql: Sql, order: Order): Promise<void> {
  await sql`
    update orders set
      status = ${order.status}, amount = ${order.amount ?? null}, currency = ${order.currency ?? null},
      reference = ${order.reference ?? null}, note = ${order.note ?? null}, resource_seq = ${order.resourceSeq},
      updated_at = ${order.updatedAt}
    where order_id = ${order.orderId}`
}

const columns = (sql: Sql) => sql`
  order_id as "orderId", business_id as "businessId", store_id as "storeId", device_id as "deviceId", status, amount,
  currency, reference, note, resource_seq as "resourceSeq", created_at as "createdAt", updated_at as "updatedAt"`
