import type { Order } from '../../core/order.ts'
import { type AuditedChange, audited } from '../../platform/audit/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, present, type RowOf, send } from '../../platform/db/sql.ts'

/** An order of the business. An order of another business is not found. */
export async function findOrder(sql: Sql, businessId: string, orderId: string): Promise<Order | null> {
  const [row] = await sql<RowOf<Order>[]>`
    select ${columns(sql)} from orders where order_id = ${orderId} and business_id = ${businessId}`
  return row ? present(row) : null
}

/** The subset of the orders that belongs to the business. */
export async function findOrders(sql: Sql, businessId: string, orderIds: readonly string[]): Promise<Order[]> {
  const rows = await sql<RowOf<Order>[]>`
    select ${columns(sql)} from orders where order_id = any(${orderIds as string[]}::uuid[]) and business_id = ${businessId}`
  return rows.map(present)
}

/** Locks the row until the transaction ends, so that its events have the order of the commits. */
export async function lockOrder(sql: Sql, businessId: string, orderId: string): Promise<Order | null> {
  const [row] = await sql<RowOf<Order>[]>`
    select ${columns(sql)} from orders where order_id = ${orderId} and business_id = ${businessId} for no key update`
  return row ? present(row) : null
}

/** Locks the rows until the transaction ends, in the order of their ids. Unknown ids are missing from the result. */
export async function lockOrders(sql: Sql, orderIds: readonly string[]): Promise<Map<string, Order>> {
  const rows = await sql<RowOf<Order>[]>`
    select ${columns(sql)} from orders where order_id = any(${orderIds as string[]}::uuid[])
    order by order_id for no key update`
  return new Map(rows.map(row => [row.orderId, present(row)]))
}

/** Inserts all orders by one statement, with the audit entry of each. */
export async function insertOrders(
  sql: Sql,
  orders: readonly Order[],
  changes: readonly AuditedChange[],
  at: Date,
): Promise<void> {
  if (orders.length === 0) return
  const insertion = part`
    insert into orders (
      order_id, business_id, store_id, device_id, status, amount, currency, reference, note, resource_seq, created_at,
      updated_at)
    select x."orderId", x."businessId", x."storeId", x."deviceId", x.status, x.amount, x.currency, x.reference, x.note,
      x."resourceSeq", x."createdAt", x."updatedAt"
    from ${recordsOf(orders)}
    order by x."orderId"
    returning order_id::text as resource_id, business_id, null::jsonb as was, to_jsonb(orders) as became`
  await send(sql, audited(insertion, 'ORDER', changes, at))
}

/** Updates all orders by one statement, with the audit entry of each. The rows must be locked. */
export async function saveOrders(
  sql: Sql,
  orders: readonly Order[],
  changes: readonly AuditedChange[],
  at: Date,
): Promise<void> {
  if (orders.length === 0) return
  const update = part`
    update orders as o set
      status = x.status, amount = x.amount, currency = x.currency, reference = x.reference, note = x.note,
      resource_seq = x."resourceSeq", updated_at = x."updatedAt"
    from ${recordsOf(orders)} join orders as before on before.order_id = x."orderId"
    where o.order_id = x."orderId"
    returning o.order_id::text as resource_id, o.business_id, to_jsonb(before) as was, to_jsonb(o) as became`
  await send(sql, audited(update, 'ORDER', changes, at))
}

function recordsOf(orders: readonly Order[]): Part {
  return part`
    jsonb_to_recordset(${JSON.stringify(orders)}::text::jsonb) as x (
      "orderId" uuid, "businessId" uuid, "storeId" uuid, "deviceId" uuid, status text, amount bigint, currency text,
      reference text, note text, "resourceSeq" integer, "createdAt" timestamptz, "updatedAt" timestamptz)`
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
