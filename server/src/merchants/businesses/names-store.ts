import type { BusinessNames } from '../../core/business-record.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** Stores the names of a business until now: earlier invoices were issued to them. */
export async function insertFormerNames(
  sql: Sql,
  { untilId, businessId, names }: { untilId: string; businessId: string; names: BusinessNames },
): Promise<void> {
  await sql`
    insert into former_business_names (
      until_id, business_id, legal_name, doing_business_as, email_address, address, country, tax_id)
    values (${untilId}, ${businessId}, ${names.legalName}, ${names.doingBusinessAs}, ${names.emailAddress},
      ${names.address === undefined ? null : sql.json({ ...names.address })}, ${names.country}, ${names.taxId ?? null})`
}

/** The names of the business at the issue of an invoice; null if they are unchanged. Ids are in real time, also on test clocks. */
export async function findFormerNames(
  sql: Sql,
  of: { businessId: string; invoiceId: string },
): Promise<BusinessNames | null> {
  const [row] = await sql<RowOf<BusinessNames>[]>`
    select legal_name as "legalName", doing_business_as as "doingBusinessAs", email_address as "emailAddress", address,
      country, tax_id as "taxId"
    from former_business_names
    where business_id = ${of.businessId} and until_id > ${of.invoiceId}
    order by until_id limit 1`
  return row ? present(row) : null
}
