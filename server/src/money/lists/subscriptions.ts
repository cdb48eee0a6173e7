import type { MerchantType } from '../../core/business.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import type { PaymentStatus, Phase, SubscriptionStatus } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findRecords, type SubscriptionRecord } from '../subscriptions/pages.ts'
import { appsOf, isOfFewMerchants, type ListFilter, ofScope } from './scope.ts'

/** `startAt` and `endAt` bound the creation. */
export interface SubscriptionsFilter extends ListFilter {
  readonly status?: SubscriptionStatus
  readonly phase?: Phase
  readonly paymentStatus?: PaymentStatus
  readonly planId?: string
}

export interface NamedSubscription {
  readonly subscription: SubscriptionRecord
  readonly appName: string
  readonly businessName: string
  readonly planName: string
  readonly merchantType: MerchantType
  readonly currency: string
}

/** Lists subscriptions of all apps in the scope, newest first by creation. */
export async function pageOfSubscriptions(
  { db }: Pick<Ports, 'db'>,
  filter: SubscriptionsFilter,
  slice: Slice,
): Promise<Listed<NamedSubscription>> {
  const ids = await idsOf(db.sql, filter, { ...slice, limit: slice.limit + 1 })
  const { items, ...more } = listed(ids, slice.limit, id => id)
  const [records, names] = await Promise.all([findRecords(db.sql, items), findNames(db.sql, items)])
  return {
    items: items.flatMap(id => {
      const [subscription, name] = [records.get(id), names.get(id)]
      return subscription && name ? [{ subscription, ...name }] : []
    }),
    ...more,
  }
}

async function idsOf(sql: Sql, filter: SubscriptionsFilter, slice: Slice): Promise<string[]> {
  const { scope } = filter
  const { limit } = slice
  const matches = matching(sql, filter, slice)
  const order = sql`order by created_at desc, subscription_id desc limit ${limit}`
  const rows = await (isOfFewMerchants(scope)
    ? sql<{ subscriptionId: string }[]>`
        select subscription_id as "subscriptionId" from subscriptions as r where true ${matches} ${order}`
    : sql<{ subscriptionId: string }[]>`
        select subscription_id as "subscriptionId"
        from ${appsOf(sql, scope)} as a
        cross join unnest(${statusesOf(filter) as string[]}::text[]) as of (status)
        cross join lateral (
          select created_at, subscription_id from subscriptions as r
          where r.app_id = a.app_id and r.status = of.status ${matches} ${order}) as s
        ${order}`)
  return rows.map(({ subscriptionId }) => subscriptionId)
}

const statusesOf = ({ status }: SubscriptionsFilter): readonly SubscriptionStatus[] =>
  status === undefined ? ['PENDING', 'ACTIVE', 'ENDED'] : [status]

function matching(sql: Sql, filter: SubscriptionsFilter, { after }: Slice) {
  const { status, phase, paymentStatus, planId, startAt, endAt } = filter
  return sql`
    ${ofScope(sql, filter.scope, ['subscription_id', 'business_id'])}
    ${status ? sql`and r.status = ${status}` : sql``}
    ${phase ? ofPhase(sql, status, phase) : sql``}
    ${paymentStatus ? ofPayment(sql, status, paymentStatus) : sql``}
    ${planId ? sql`and r.plan_id = ${planId}` : sql``}
    ${startAt ? sql`and r.created_at >= ${startAt}` : sql``}
    ${endAt ? sql`and r.created_at < ${endAt}` : sql``}
    ${after ? sql`and (r.created_at, r.subscription_id) < (${createdAtOf(sql, after)}, ${after}::uuid)` : sql``}`
}

/** Literals, so that every plan can use the index of trials. */
function ofPhase(sql: Sql, status: SubscriptionStatus | undefined, phase: Phase) {
  if (phase === 'FULL') return sql`and r.phase = 'FULL'`
  return status === 'ACTIVE' ? sql`and r.phase = 'TRIAL' and r.status = 'ACTIVE'` : sql`and r.phase = 'TRIAL'`
}

/** Literals, so that every plan can use the index of past-due subscriptions. */
function ofPayment(sql: Sql, status: SubscriptionStatus | undefined, payment: PaymentStatus) {
  if (payment === 'CURRENT') return sql`and r.payment_status = 'CURRENT'`
  return status === 'ACTIVE'
    ? sql`and r.payment_status = 'PAST_DUE' and r.status = 'ACTIVE'`
    : sql`and r.payment_status = 'PAST_DUE'`
}

const createdAtOf = (sql: Sql, subscriptionId: string) =>
  sql`(select created_at from subscriptions where subscription_id = ${subscriptionId})`

type Names = Omit<NamedSubscription, 'subscription'>

async function findNames(sql: Sql, subscriptionIds: readonly string[]): Promise<ReadonlyMap<string, Names>> {
  const rows = await sql<(Names & { subscriptionId: string })[]>`
    select s.subscription_id as "subscriptionId", a.name as "appName", p.name as "planName",
      coalesce(nullif(b.doing_business_as, ''), b.legal_name) as "businessName", s.merchant_type as "merchantType", s.currency
    from subscriptions as s join apps as a on a.app_id = s.app_id join plans as p on p.plan_id = s.plan_id
      join businesses as b on b.business_id = s.business_id
    where s.subscription_id = any(${subscriptionIds as string[]}::uuid[])`
  return new Map(rows.map(({ subscriptionId, ...names }) => [subscriptionId, names]))
}
