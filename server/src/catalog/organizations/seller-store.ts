import type { Seller } from '../../core/organization.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

export async function insertSeller(sql: Sql, seller: Seller): Promise<void> {
  await sql`
    insert into organization_sellers (seller_id, organization_id, legal_name, address, tax_id, created_at)
    values (${seller.sellerId}, ${seller.organizationId}, ${seller.legalName},
      ${seller.address === undefined ? null : sql.json({ ...seller.address })}, ${seller.taxId ?? null},
      ${seller.createdAt})`
}

/** The seller of new invoices. */
export async function findSeller(sql: Sql, organizationId: string): Promise<Seller | null> {
  const [row] = await sql<RowOf<Seller>[]>`
    select ${columns(sql)} from organization_sellers where organization_id = ${organizationId}
    order by seller_id desc limit 1`
  return row ? present(row) : null
}

/** The sellers of new invoices, by organization. */
export async function findSellers(sql: Sql, organizationIds: readonly string[]): Promise<Map<string, Seller>> {
  const rows = await sql<RowOf<Seller>[]>`
    select distinct on (organization_id) ${columns(sql)} from organization_sellers
    where organization_id = any(${organizationIds as string[]}::uuid[])
    order by organization_id, seller_id desc`
  return new Map(rows.map(row => [row.organizationId, present(row)]))
}

/** The seller when an invoice was issued: the latest row before the invoice. Ids are in real time, also on test clocks. */
export async function findSellerOfInvoice(
  sql: Sql,
  of: { organizationId: string; invoiceId: string },
): Promise<Seller | null> {
  const [row] = await sql<RowOf<Seller>[]>`
    select ${columns(sql)} from organization_sellers
    where organization_id = ${of.organizationId} and seller_id < ${of.invoiceId}
    order by seller_id desc limit 1`
  return row ? present(row) : null
}

const columns = (sql: Sql) => sql`
  seller_id as "sellerId", organization_id as "organizationId", legal_name as "legalName", address, tax_id as "taxId",
  created_at as "createdAt"`
