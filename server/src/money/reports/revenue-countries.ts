import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { ALL, type DaysFilter, sumsOf } from './revenue-days.ts'
import type { CountryRevenue } from './revenue-schema.ts'

export interface CountriesFilter extends Pick<DaysFilter, 'organizationId' | 'appId' | 'currency' | 'merchantType'> {
  /** First and last month, `YYYY-MM`. Absent: without an end. */
  readonly from: string
  readonly to?: string
}

/** Sums and changes of one statement's snapshot, by currency, the most MRR first. */
export async function readCountries(sql: Sql, filter: CountriesFilter): Promise<CountryRevenue[]> {
  const { merchantType, currency, from, to } = filter
  const apps = sumsOf(sql, filter)
  const isOfAll = filter.organizationId === undefined && filter.appId === undefined
  const within = sql`month >= ${`${from}-01`}::date ${to === undefined ? sql`` : sql`and month <= ${`${to}-01`}::date`}`
  return await sql<CountryRevenue[]>`
    select currency, country, mrr, subscribers, collected, returned
    from (
      select currency, country, sum(mrr)::bigint as mrr, sum(subscribers)::bigint as subscribers,
        coalesce(sum(collected) filter (where ${within}), 0)::bigint as collected,
        coalesce(sum(returned) filter (where ${within}), 0)::bigint as returned
      from (
        select currency, country, month, mrr, subscribers, collected, returned from revenue_countries
        where app_id in ${apps} and merchant_type = ${merchantType}
        union all
        select currency, country, month, mrr, subscribers, collected, returned from revenue_country_changes
        where merchant_type = ${merchantType} ${isOfAll ? sql`` : sql`and app_id in ${apps}`}) as kept
      ${currency === undefined ? sql`` : sql`where currency = ${currency}`}
      group by currency, country) as summed
    where (mrr, subscribers, collected, returned) <> (0, 0, 0, 0)
    order by currency, mrr desc, collected desc, country`
}

const CHANGES_AT_ONCE = 10_000

/** Moves changes to the sums of their app and of all apps. Returns the number of changes; call again until 0. */
export async function foldRevenueCountries(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from revenue_country_changes
      where ctid = any(array(select ctid from revenue_country_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned),
    folded as (
      insert into revenue_countries as s (
        app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned)
      select coalesce(app_id, ${ALL}) as app, merchant_type, currency, country, month, sum(subscribers), sum(mrr),
        sum(collected), sum(returned)
      from taken
      group by grouping sets (
        (app_id, merchant_type, currency, country, month), (merchant_type, currency, country, month))
      order by app, merchant_type, currency, country, month
      on conflict (app_id, merchant_type, currency, country, month) do update set
        subscribers = s.subscribers + excluded.subscribers, mrr = s.mrr + excluded.mrr,
        collected = s.collected + excluded.collected, returned = s.returned + excluded.returned)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}

/** One row per currency and country. Amounts are decimal. */
export function countriesCsv(list: readonly CountryRevenue[]): string {
  const rows = list.map(({ currency, country, subscribers, mrr, collected, returned }): CsvValue[] => {
    const money = (amount: number) => ({ number: decimalOf(amount, currency) })
    return [country, currency, money(mrr), { number: String(subscribers) }, money(collected), money(returned)]
  })
  return csvOf([['country', 'currency', 'mrr', 'subscribers', 'collected', 'returned'], ...rows])
}
