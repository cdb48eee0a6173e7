import type { Address } from '../../core/business-record.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** A business whose address decides its tax rate. */
export interface RatedAddress {
  readonly businessId: string
  readonly country: string
  readonly address?: Address
}

/** Claims the look-ups that are due in these countries: until the given instant, no other process claims them. */
export async function claimDueTaxRates(
  sql: Sql,
  { countries, now, until, limit }: { countries: readonly string[]; now: Date; until: Date; limit: number },
): Promise<RatedAddress[]> {
  const rows = await sql<RowOf<RatedAddress>[]>`
    update businesses set tax_rate_check_at = ${until}
    where business_id in (
      select business_id from businesses
      where country = any(${countries as string[]}) and tax_rate_check_at <= ${now}
      order by tax_rate_check_at limit ${limit} for no key update skip locked)
    returning business_id as "businessId", country, address`
  return rows.map(row => present(row))
}

/** Schedules the next look-up if the business still has this address. */
export async function scheduleTaxRate(
  sql: Sql,
  { businessId, country, address, checkAt }: RatedAddress & { readonly checkAt: Date },
): Promise<void> {
  await sql`
    update businesses set tax_rate_check_at = ${checkAt}
    where business_id = ${businessId} and country = ${country}
      and address is not distinct from ${address ? sql.json({ ...address }) : null}::jsonb`
}

/** Makes the look-ups of these businesses due now. */
export async function requestTaxRates(
  sql: Sql,
  { businessIds, now }: { businessIds: readonly string[]; now: Date },
): Promise<void> {
  await sql`
    update businesses set tax_rate_check_at = ${now}
    where business_id = any(${businessIds as string[]}::uuid[]) and tax_rate_check_at > ${now}`
}
