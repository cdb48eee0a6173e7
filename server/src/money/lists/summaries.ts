import type { MerchantType } from '../../core/business.ts'
import { given } from '../../core/given.ts'
import type { Sql } from '../../platform/db/db.ts'
import { appsOf } from './scope.ts'

/** Numbers of subscriptions. TRIAL and PAST_DUE are parts of ACTIVE. */
export type SubscriptionCounts = Readonly<Record<'PENDING' | 'ACTIVE' | 'TRIAL' | 'PAST_DUE' | 'ENDED', number>>

/**
 * Counts the subscriptions of an organization's apps, or of all apps. The kept counts and the indexes of trials and past-due subscriptions hold all
 * merchants, so an index alone counts them. Test merchants, which have few subscriptions, are counted apart and subtracted.
 */
export async function countSubscriptions(
  sql: Sql,
  {
    organizationId,
    appId,
    merchantType,
  }: {
    readonly organizationId: string | undefined
    /** Counts one app alone. */
    readonly appId?: string | undefined
    readonly merchantType: MerchantType
  },
): Promise<SubscriptionCounts> {
  const apps = appsOf(sql, given({ organizationId, appId }))
  const rows = await sql<{ status: keyof SubscriptionCounts; isTest: boolean; count: number }[]>`
    with test as materialized (
      select status, phase, payment_status, count(*) as count from subscriptions
      where app_id in ${apps} and merchant_type = 'TEST_MERCHANT' group by status, phase, payment_status)
    select status, false as "isTest", sum(count)::integer as count
    from (
      select status, count from subscription_counts where list_id in ${apps} and span = 'ALL'
      union all
      select status, change from subscription_count_changes where app_id in ${apps}) as kept
    group by status
    union all
    select 'TRIAL', false, count(*)::integer from subscriptions
    where app_id in ${apps} and phase = 'TRIAL' and status = 'ACTIVE'
    union all
    select 'PAST_DUE', false, count(*)::integer from subscriptions
    where app_id in ${apps} and payment_status = 'PAST_DUE' and status = 'ACTIVE'
    union all
    select status, true, sum(count)::integer from test group by status
    union all
    select 'TRIAL', true, coalesce(sum(count), 0)::integer from test where phase = 'TRIAL' and status = 'ACTIVE'
    union all
    select 'PAST_DUE', true, coalesce(sum(count), 0)::integer from test
    where payment_status = 'PAST_DUE' and status = 'ACTIVE'`
  const of = (name: keyof SubscriptionCounts, isTest: boolean) =>
    rows.find(row => row.status === name && row.isTest === isTest)?.count ?? 0
  const isTest = merchantType === 'TEST_MERCHANT'
  const kept = (name: keyof SubscriptionCounts) => (isTest ? of(name, true) : of(name, false) - of(name, true))
  return {
    PENDING: kept('PENDING'),
    ACTIVE: kept('ACTIVE'),
    TRIAL: kept('TRIAL'),
    PAST_DUE: kept('PAST_DUE'),
    ENDED: kept('ENDED'),
  }
}

/** A merchant's payments to an organization minus refunds, by currency in minor units, and the date of the first payment. */
export interface LifetimeValue {
  readonly since: Date | null
  readonly paid: readonly { readonly currency: string; readonly amount: number }[]
}

export async function findLifetimeValue(
  sql: Sql,
  { organizationId, businessId }: { readonly organizationId: string; readonly businessId: string },
): Promise<LifetimeValue> {
  const [began] = await sql<{ since: Date | null }[]>`
    select min(created_at) as since from subscriptions
    where business_id = ${businessId} and organization_id = ${organizationId}`
  const paid = await sql<{ currency: string; amount: number }[]>`
    select currency, sum(amount_paid - amount_refunded - least(lost_in_disputes, amount_paid - amount_refunded))::bigint as amount
    from invoices where business_id = ${businessId} and organization_id = ${organizationId}
    group by currency order by currency`
  return { since: began?.since ?? null, paid }
}
