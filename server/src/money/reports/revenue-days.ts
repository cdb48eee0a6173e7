import type { MerchantType } from '../../core/business.ts'
import type { Sql } from '../../platform/db/db.ts'
import { appsOf } from '../lists/scope.ts'

/** Sums of one kind on one day, or on all days before the span (`day` is null). */
export interface DayRow {
  readonly currency: string
  readonly day: string | null
  readonly kind: DayKind
  readonly count: number
  /** Minor units. */
  readonly amount: number
}

export type DayKind =
  | 'NEW'
  | 'EXPANSION'
  | 'CONTRACTION'
  | 'CHURN'
  | 'TRIAL_STARTED'
  | 'TRIAL_CONVERTED'
  | 'TRIAL_ENDED'
  | 'PAST_DUE'
  | 'RECOVERED'
  | 'LOST'
  | 'COLLECTED'
  | 'REFUNDED'
  | 'CHARGED_BACK'

export interface DaysFilter {
  /** Absent with `appId`: the whole platform. */
  readonly organizationId?: string
  readonly appId?: string
  readonly planId?: string
  readonly currency?: string
  readonly merchantType: MerchantType
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
}

/** The id that stands for all apps, and for all plans of an app. */
export const ALL = '00000000-0000-0000-0000-000000000000'

/** Sums and changes of one statement's snapshot. Before the span, only the movements of MRR count. */
export async function readDays(sql: Sql, filter: DaysFilter): Promise<DayRow[]> {
  const { merchantType, currency, planId, from, to } = filter
  return await sql<DayRow[]>`
    select currency, case when day < ${from}::date then null else day::text end as day, kind, sum(count)::bigint as count,
      sum(amount)::bigint as amount
    from (
      select currency, day, kind, count, amount from revenue_days
      where app_id in ${sumsOf(sql, filter)} and merchant_type = ${merchantType}
        and plan_id = ${planId ?? ALL}
      union all
      select currency, day, kind, count, amount from revenue_day_changes
      where merchant_type = ${merchantType} ${isOfAll(filter) ? sql`` : sql`and app_id in ${sumsOf(sql, filter)}`}
        ${planId ? sql`and plan_id = ${planId}` : sql``}) as kept
    where day <= ${to}::date and (day >= ${from}::date or kind in ('NEW', 'EXPANSION', 'CONTRACTION', 'CHURN'))
      ${currency ? sql`and currency = ${currency}` : sql``}
    group by 1, 2, 3
    order by 1, 2 nulls first, 3`
}

/** The last day with figures of the organization's apps, `YYYY-MM-DD`; null without figures. */
export async function findLastDay(
  sql: Sql,
  filter: Pick<DaysFilter, 'organizationId' | 'merchantType'>,
): Promise<string | null> {
  const apps = sumsOf(sql, filter)
  const [row] = await sql<{ day: string | null }[]>`
    select max(day)::text as day from (
      select day from revenue_days where app_id in ${apps} and merchant_type = ${filter.merchantType}
      union all
      select day from revenue_day_changes where app_id in ${apps} and merchant_type = ${filter.merchantType}) as days`
  return row?.day ?? null
}

/** MRR in minor units and paying subscribers. */
interface Mrr {
  readonly appId: string
  readonly mrr: number
  readonly subscribers: number
}

/** The current MRR of apps in a currency. Apps that never had a subscriber are absent. */
export async function readMrrOfApps(
  sql: Sql,
  {
    appIds,
    currency,
    merchantType,
  }: Pick<DaysFilter, 'merchantType'> & { appIds: readonly string[]; currency: string },
): Promise<Mrr[]> {
  return await sql<Mrr[]>`
    select app_id as "appId", sum(amount)::bigint as mrr, sum(count)::bigint as subscribers
    from (
      select app_id, kind, count, amount from revenue_days
      where app_id = any(${appIds as string[]}::uuid[]) and merchant_type = ${merchantType} and currency = ${currency}
        and plan_id = ${ALL}
      union all
      select app_id, kind, count, amount from revenue_day_changes
      where app_id = any(${appIds as string[]}::uuid[]) and merchant_type = ${merchantType} and currency = ${currency}) as kept
    where kind in ('NEW', 'EXPANSION', 'CONTRACTION', 'CHURN')
    group by app_id`
}

type Owned = Pick<DaysFilter, 'organizationId' | 'appId' | 'planId'>

/** Sums over all apps are kept beside the sums of each app, so that the operator's report reads one sum per day. */
const isOfAll = ({ organizationId, appId, planId }: Owned) =>
  organizationId === undefined && appId === undefined && planId === undefined

/** The app ids of the sums that a filter reads. */
export function sumsOf(sql: Sql, filter: Owned) {
  return isOfAll(filter) ? sql`(${ALL})` : appsOf(sql, filter)
}

const CHANGES_AT_ONCE = 10_000

/** Moves changes to the sums of their plan, of their app and of all apps. Returns the number of changes; call again until 0. */
export async function foldRevenueDays(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from revenue_day_changes
      where ctid = any(array(select ctid from revenue_day_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning app_id, plan_id, merchant_type, currency, day, kind, count, amount),
    folded as (
      insert into revenue_days as s (app_id, plan_id, merchant_type, currency, day, kind, count, amount)
      select coalesce(app_id, ${ALL}) as app, coalesce(plan_id, ${ALL}) as plan, merchant_type, currency, day, kind, sum(count),
        sum(amount)
      from taken
      group by grouping sets (
        (app_id, plan_id, merchant_type, currency, day, kind), (app_id, merchant_type, currency, day, kind),
        (merchant_type, currency, day, kind))
      order by app, merchant_type, currency, day, kind, plan
      on conflict (app_id, merchant_type, currency, day, kind, plan_id) do update set
        count = s.count + excluded.count, amount = s.amount + excluded.amount)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}
