import type { TaxIdStatus } from '../../core/tax-id.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface ClaimedTaxId {
  readonly businessId: string
  readonly country: string
  readonly taxId: string
}

/** Claims the tax ids that are due: until the given instant, no other process claims them. */
export async function claimDueTaxIds(
  sql: Sql,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<ClaimedTaxId[]> {
  return await sql<ClaimedTaxId[]>`
    update businesses set tax_id_check_at = ${until}
    where business_id in (
      select business_id from businesses where tax_id_check_at <= ${now}
      order by tax_id_check_at limit ${limit} for no key update skip locked)
    returning business_id as "businessId", country, tax_id as "taxId"`
}

/** Saves the answer of the service if the business still has this tax id. */
export async function saveTaxIdStatus(
  sql: Sql,
  checked: ClaimedTaxId & { status: TaxIdStatus; checkAt: Date },
): Promise<void> {
  await sql`
    update businesses set tax_id_status = ${checked.status}, tax_id_check_at = ${checked.checkAt}
    where business_id = ${checked.businessId} and tax_id = ${checked.taxId} and country = ${checked.country}`
}
