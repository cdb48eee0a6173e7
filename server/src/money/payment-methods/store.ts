import type { Card } from '../../core/card.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { GatewayName } from '../gateway/gateway.ts'

export interface PaymentMethod {
  readonly paymentMethodId: string
  readonly businessId: string
  readonly gateway: GatewayName
  /** The gateway's id. */
  readonly reference: string
  /** Names the card for people. */
  readonly label: string
  /** Absent where the gateway does not describe a card. */
  readonly card?: Card
  readonly preferredAt: Date
  readonly createdAt: Date
}

export async function insertPaymentMethod(sql: Sql, method: PaymentMethod): Promise<void> {
  await sql`
    insert into payment_methods
      (payment_method_id, business_id, gateway, reference, label, preferred_at, created_at, brand, last4, expires)
    values (${method.paymentMethodId}, ${method.businessId}, ${method.gateway}, ${method.reference}, ${method.label},
      ${method.preferredAt}, ${method.createdAt}, ${method.card?.brand ?? null}, ${method.card?.last4 ?? null},
      ${method.card?.expires ?? null})`
}

/** Makes a payment method the default: the last preferred one. */
export async function preferPaymentMethod(
  sql: Sql,
  method: { businessId: string; paymentMethodId: string; now: Date },
): Promise<PaymentMethod | null> {
  const [row] = await sql<Row[]>`
    update payment_methods set preferred_at = greatest(${method.now}, (
      select max(preferred_at) + interval '1 millisecond' from payment_methods where business_id = ${method.businessId}))
    where business_id = ${method.businessId} and payment_method_id = ${method.paymentMethodId} and removed_at is null
    returning ${columns(sql)}`
  return row ? present(row) : null
}

/** Removes a payment method. Later charges never use the method. */
export async function removePaymentMethodRow(
  sql: Sql,
  of: { businessId: string; paymentMethodId: string; now: Date },
): Promise<void> {
  await sql`
    update payment_methods set removed_at = ${of.now}
    where business_id = ${of.businessId} and payment_method_id = ${of.paymentMethodId} and removed_at is null`
}

export async function findPaymentMethod(
  sql: Sql,
  of: { businessId: string; paymentMethodId: string },
): Promise<PaymentMethod | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from payment_methods
    where business_id = ${of.businessId} and payment_method_id = ${of.paymentMethodId} and removed_at is null`
  return row ? present(row) : null
}

/** Finds a payment method by the gateway's id. */
export async function findSaved(
  sql: Sql,
  of: Pick<PaymentMethod, 'businessId' | 'gateway' | 'reference'>,
): Promise<PaymentMethod | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from payment_methods
    where business_id = ${of.businessId} and gateway = ${of.gateway} and reference = ${of.reference}
      and removed_at is null
    order by created_at limit 1`
  return row ? present(row) : null
}

/** Reads the gateway and the gateway's id of payment methods. */
export async function findReferences(
  sql: Sql,
  paymentMethodIds: readonly string[],
): Promise<Map<string, Pick<PaymentMethod, 'gateway' | 'reference'>>> {
  const rows = await sql<Pick<PaymentMethod, 'paymentMethodId' | 'gateway' | 'reference'>[]>`
    select payment_method_id as "paymentMethodId", gateway, reference from payment_methods
    where payment_method_id = any(${paymentMethodIds as string[]}::uuid[])`
  return new Map(rows.map(row => [row.paymentMethodId, row]))
}

/** Payment methods by id, without unknown ids. Also removed ones, which earlier charges name. */
export async function findPaymentMethods(
  sql: Sql,
  paymentMethodIds: readonly string[],
): Promise<(PaymentMethod & { readonly isRemoved: boolean })[]> {
  const rows = await sql<(Row & { readonly isRemoved: boolean })[]>`
    select ${columns(sql)}, removed_at is not null as "isRemoved" from payment_methods
    where payment_method_id = any(${paymentMethodIds as string[]}::uuid[])`
  return rows.map(row => present(row))
}

/** Newest preference first, so the default is the first of all. Without a limit: all methods. */
export async function listPaymentMethods(
  sql: Sql,
  businessId: string,
  { offset = 0, limit }: { offset?: number; limit?: number } = {},
): Promise<PaymentMethod[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from payment_methods where business_id = ${businessId} and removed_at is null
    order by preferred_at desc, payment_method_id desc offset ${offset} limit ${limit ?? null}`
  return rows.map(row => present(row))
}

export async function countPaymentMethods(sql: Sql, businessId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from payment_methods where business_id = ${businessId} and removed_at is null`
  return row?.count ?? 0
}

export async function findDefaultPaymentMethods(
  sql: Sql,
  businessIds: readonly string[],
): Promise<Map<string, string>> {
  if (businessIds.length === 0) return new Map()
  const rows = await sql<{ businessId: string; paymentMethodId: string }[]>`
    select distinct on (business_id) business_id as "businessId", payment_method_id as "paymentMethodId"
    from payment_methods where business_id = any(${businessIds as string[]}::uuid[]) and removed_at is null
    order by business_id, preferred_at desc, payment_method_id desc`
  return new Map(rows.map(row => [row.businessId, row.paymentMethodId]))
}

type Row = RowOf<PaymentMethod>

const columns = (sql: Sql) => sql`
  payment_method_id as "paymentMethodId", business_id as "businessId", gateway, reference, label,
  preferred_at as "preferredAt", created_at as "createdAt",
  case when brand is not null then jsonb_build_object('brand', brand, 'last4', last4, 'expires', expires) end as card`
