import type { AddressRate } from '../../core/address-rate.ts'
import type { RatedAddress } from '../../merchants/businesses/tax-rate-store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** The answers of the provider for the address of a business. */
export interface AddressTax {
  readonly rates: readonly AddressRate[]
  /** `YYYY-MM-DD`. */
  readonly confirmedUntil?: string | undefined
  readonly problem?: string | undefined
  readonly checkedAt: Date
}

/** The rates of the addresses of these businesses. Businesses whose address has no answer are missing. */
export async function findAddressRates(
  sql: Sql,
  businessIds: readonly string[],
): Promise<Map<string, readonly AddressRate[]>> {
  const rows = await sql<{ businessId: string; rates: AddressRate[] }[]>`
    select business_id as "businessId", t.rates from address_tax_rates as t join businesses as b using (business_id)
    where business_id = any(${businessIds as string[]}::uuid[])
      and t.country = b.country and t.address is not distinct from b.address`
  return new Map(rows.map(({ businessId, rates }) => [businessId, rates]))
}

/** Null: the provider was not asked for this address. */
export async function findAddressTax(
  sql: Sql,
  { businessId, country, address }: RatedAddress,
): Promise<AddressTax | null> {
  const [row] = await sql<RowOf<AddressTax>[]>`
    select rates, confirmed_until::text as "confirmedUntil", problem, checked_at as "checkedAt" from address_tax_rates
    where business_id = ${businessId} and country = ${country} and address is not distinct from ${json(sql, address)}`
  return row ? present(row) : null
}

/** Saves the answers if the business still has this address. */
export async function saveAddressTax(
  sql: Sql,
  { businessId, country, address, rates, confirmedUntil, problem, checkedAt }: RatedAddress & AddressTax,
): Promise<void> {
  await sql`
    insert into address_tax_rates (business_id, country, address, rates, confirmed_until, problem, checked_at)
    select business_id, country, address, ${sql.json(rates as never)}::jsonb, ${confirmedUntil ?? null}::date,
      ${problem ?? null}, ${checkedAt}
    from businesses
    where business_id = ${businessId} and country = ${country} and address is not distinct from ${json(sql, address)}
    on conflict (business_id) do update set
      country = excluded.country, address = excluded.address, rates = excluded.rates,
      confirmed_until = excluded.confirmed_until, problem = excluded.problem, checked_at = excluded.checked_at`
}

/** Merchants in real time that renew before an instant and have no answer for the day. */
export async function findRenewing(
  sql: Sql,
  { before, confirmedBefore }: { readonly before: Date; readonly confirmedBefore: string },
): Promise<string[]> {
  const rows = await sql<{ businessId: string }[]>`
    select distinct s.business_id as "businessId"
    from subscriptions as s join address_tax_rates as t using (business_id)
    where s.test_clock_id is null and s.next_action_at < ${before} and t.confirmed_until < ${confirmedBefore}`
  return rows.map(({ businessId }) => businessId)
}

interface Unrated {
  readonly businessId: string
  readonly name: string
  readonly problem: string
  readonly checkedAt: Date
}

/** The state of the look-ups: the number of merchants with a rate of their address, and those without, longest first. */
export async function readProviderStatus(sql: Sql, limit: number) {
  const [counted] = await sql<{ rated: number; lastCheckedAt: Date | null }[]>`
    select count(*) filter (where rates <> '[]') as rated, max(checked_at) as "lastCheckedAt" from address_tax_rates`
  return {
    rated: counted?.rated ?? 0,
    lastCheckedAt: counted?.lastCheckedAt ?? null,
    failed: await listUnrated(sql, limit),
  }
}

/** Merchants whose address has no rate after a look-up: their invoices have the rate of the table. */
export async function listUnrated(sql: Sql, limit: number): Promise<Unrated[]> {
  return await sql<Unrated[]>`
    select business_id as "businessId", b.doing_business_as as name, t.problem, t.checked_at as "checkedAt"
    from address_tax_rates as t join businesses as b using (business_id)
    where t.problem is not null and t.rates = '[]' and t.country = b.country
      and t.address is not distinct from b.address
    order by t.checked_at limit ${limit}`
}

function json(sql: Sql, address: RatedAddress['address']) {
  return sql`${address ? sql.json({ ...address }) : null}::jsonb`
}
