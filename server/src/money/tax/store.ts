import type { TaxRate, TaxSource } from '../../core/tax.ts'
import type { Sql } from '../../platform/db/db.ts'

/** The owner of a table of rates. Null: the operator. */
export type TableOwner = string | null

/** The rates of these organizations and of the operator, by owner. Owners without rates are missing. */
export async function findRates(sql: Sql, organizationIds: readonly string[]): Promise<Map<TableOwner, TaxRate[]>> {
  const rows = await sql<(TaxRate & { owner: TableOwner })[]>`
    select organization_id as owner, ${columns(sql)} from tax_rates
    where organization_id is null or organization_id = any(${organizationIds as string[]}::uuid[])`
  return Map.groupBy(rows, ({ owner }) => owner)
}

/** The sources that organizations chose. Organizations without a choice are missing: OPERATOR. */
export async function findSources(sql: Sql, organizationIds: readonly string[]): Promise<Map<string, TaxSource>> {
  const rows = await sql<{ organizationId: string; source: TaxSource }[]>`
    select organization_id as "organizationId", source from tax_settings
    where organization_id = any(${organizationIds as string[]}::uuid[])`
  return new Map(rows.map(({ organizationId, source }) => [organizationId, source]))
}

export async function saveSource(
  sql: Sql,
  { organizationId, source, at }: { organizationId: string; source: TaxSource; at: Date },
): Promise<void> {
  await sql`
    insert into tax_settings (organization_id, source, updated_at) values (${organizationId}, ${source}, ${at})
    on conflict (organization_id) do update set source = excluded.source, updated_at = excluded.updated_at`
}

/** A table of rates by country, latest date first. */
export async function listRates(sql: Sql, owner: TableOwner): Promise<TaxRate[]> {
  return await sql<TaxRate[]>`
    select ${columns(sql)} from tax_rates where organization_id is not distinct from ${owner}::uuid
    order by country, valid_from desc`
}

/** Adds a rate, or replaces the rate of the same country and date. */
export async function saveRate(
  sql: Sql,
  { owner, at, taxRateId, ...rate }: TaxRate & { taxRateId: string; owner: TableOwner; at: Date },
): Promise<TaxRate> {
  const [saved] = await sql<TaxRate[]>`
    insert into tax_rates (
      tax_rate_id, organization_id, country, valid_from, behavior, name, rate, by_address, created_at, updated_at)
    values (${taxRateId}, ${owner}, ${rate.country}, ${rate.validFrom}, ${rate.behavior}, ${rate.name}, ${rate.rate},
      ${rate.byAddress ?? false}, ${at}, ${at})
    on conflict (organization_id, country, valid_from) do update set
      behavior = excluded.behavior, name = excluded.name, rate = excluded.rate,
      by_address = excluded.by_address, updated_at = excluded.updated_at
    returning ${columns(sql)}`
  return saved ?? rate
}

/** The countries in which the address decides the rate, now or later. */
export async function findCountriesByAddress(sql: Sql): Promise<string[]> {
  const rows = await sql<{ country: string }[]>`
    select distinct country from tax_rates where by_address order by country`
  return rows.map(({ country }) => country)
}

/** Returns whether the table had the rate. */
export async function deleteRate(
  sql: Sql,
  { owner, country, validFrom }: { owner: TableOwner } & Pick<TaxRate, 'country' | 'validFrom'>,
): Promise<boolean> {
  const rows = await sql`
    delete from tax_rates
    where organization_id is not distinct from ${owner}::uuid and country = ${country} and valid_from = ${validFrom}
    returning 1`
  return rows.length > 0
}

const columns = (sql: Sql) => sql`
  country, valid_from::text as "validFrom", behavior, name, rate, by_address as "byAddress"`
