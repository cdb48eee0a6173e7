import type { CreditHolder } from '../../core/credit.ts'
import type { Location, Subscription, SubscriptionStatus } from '../../core/subscription.ts'
import { isInTrial } from '../../core/trial.ts'
import type { Sql } from '../../platform/db/db.ts'
import { errorText, retryTime } from '../../platform/db/quarantine.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

export type Row = RowOf<Subscription>

export async function findSubscription(sql: Sql, subscriptionId: string): Promise<Subscription | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from subscriptions where subscription_id = ${subscriptionId}`
  return row ? present(row) : null
}

/** Subscriptions by id, without unknown ids. */
export async function findSubscriptions(sql: Sql, subscriptionIds: readonly string[]): Promise<Subscription[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions where subscription_id = any(${subscriptionIds as string[]}::uuid[])`
  return rows.map(row => present(row))
}

/** Reads the owner and the location of a subscription. */
export async function findOwner(
  sql: Sql,
  subscriptionId: string,
): Promise<({ appId: string; businessId: string } & Location) | null> {
  const [row] = await sql<{ appId: string; businessId: string; storeId: string | null; deviceId: string | null }[]>`
    select app_id as "appId", business_id as "businessId", store_id as "storeId", device_id as "deviceId"
    from subscriptions where subscription_id = ${subscriptionId}`
  return row ? present(row) : null
}

/** Locks a subscription until the transaction ends. Every decision about a subscription needs this lock. */
export async function lockSubscription(sql: Sql, subscriptionId: string): Promise<Subscription | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from subscriptions where subscription_id = ${subscriptionId} for no key update`
  return row ? present(row) : null
}

/** Locks subscriptions in the order of their ids. */
export async function lockSubscriptions(
  sql: Sql,
  subscriptionIds: readonly string[],
): Promise<Map<string, Subscription>> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions where subscription_id = any(${subscriptionIds as string[]}::uuid[])
    order by subscription_id for no key update`
  return new Map(rows.map(row => [row.subscriptionId, present(row)]))
}

/** Subscriptions of apps that the operator disabled: decisions 6, "renewals are held, not charged". */
export const notHeld = (sql: Sql) => sql`app_id <> all(array(select app_id from apps where held_since is not null))`

/**
 * Locks due subscriptions of real time. Rows that another process holds, quarantined rows and those of held apps are skipped. Each call
 * reads the due rows of held apps again. `after` and `until` bound the next action.
 */
export async function lockDue(
  sql: Sql,
  due: { readonly now: Date; readonly limit: number; readonly after?: Date; readonly until?: Date },
): Promise<Subscription[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions
    where next_action_at <= ${due.until ?? due.now} and test_clock_id is null
      ${due.after === undefined ? sql`` : sql`and next_action_at > ${due.after}`}
      and ${notQuarantined(sql, due.now)} and ${notHeld(sql)}
    order by next_action_at
    limit ${due.limit}
    for no key update of subscriptions skip locked`
  return rows.map((row): Subscription => present(row)).sort(byNextAction)
}

/** Whether a subscription of real time is due. */
export async function hasDue(sql: Sql, now: Date): Promise<boolean> {
  const rows = await sql`
    select 1 from subscriptions
    where next_action_at <= ${now} and test_clock_id is null and ${notQuarantined(sql, now)} and ${notHeld(sql)} limit 1`
  return rows.length > 0
}

/** Locks live subscriptions of an app in real time, in the order of their ids. */
export async function lockLiveOfApp(
  sql: Sql,
  of: { readonly appId: string; readonly after: string | null; readonly limit: number },
): Promise<Subscription[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions
    where app_id = ${of.appId} and status <> 'ENDED' and test_clock_id is null
      ${of.after === null ? sql`` : sql`and subscription_id > ${of.after}`}
    order by subscription_id
    limit ${of.limit}
    for no key update`
  return rows.map(row => present(row))
}

/**
 * Locks due subscriptions of a test clock. The clock waits for locked rows, in the order of locks, because settling
 * charges locks them too.
 */
export async function lockDueOnClock(
  sql: Sql,
  due: { testClockId: string; now: Date; realNow: Date; limit: number },
): Promise<Subscription[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions
    where next_action_at <= ${due.now} and test_clock_id = ${due.testClockId} and ${notQuarantined(sql, due.realNow)}
    order by subscription_id
    limit ${due.limit}
    for no key update`
  return rows.map((row): Subscription => present(row)).sort(byNextAction)
}

/** In the order of time, so the earlier subscription uses the credit first. `core/forecast.ts` sorts alike. */
function byNextAction(a: Subscription, b: Subscription): number {
  const sooner = (a.nextActionAt?.getTime() ?? 0) - (b.nextActionAt?.getTime() ?? 0)
  return sooner === 0 ? (a.subscriptionId < b.subscriptionId ? -1 : 1) : sooner
}

/** The next instant at which time changes a subscription of this clock. */
export async function findNextActionOnClock(
  sql: Sql,
  of: { testClockId: string; realNow: Date },
): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select min(next_action_at) as at from subscriptions
    where test_clock_id = ${of.testClockId} and next_action_at is not null and ${notQuarantined(sql, of.realNow)}`
  return row?.at ?? null
}

/** Locks the subscriptions that a new payment method could pay for: past due, or with an open charge. */
export async function lockUnpaidOfBusiness(sql: Sql, businessId: string): Promise<Subscription[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions
    where business_id = ${businessId} and status = 'ACTIVE'
      and (payment_status = 'PAST_DUE' or awaited_charge_id is not null)
    order by subscription_id
    for no key update`
  return rows.map(row => present(row))
}

/** The cursor of a list by next action. */
export interface NextActionKey {
  readonly at: Date
  readonly subscriptionId: string
}

/** Lists subscriptions of real merchants by next action, up to an instant. */
export async function listNextActions(
  sql: Sql,
  of: { until: Date; after?: NextActionKey; limit: number },
): Promise<Subscription[]> {
  const behind = of.after
    ? sql`and next_action_at >= ${of.after.at}
        and (next_action_at, subscription_id) > (${of.after.at}, ${of.after.subscriptionId}::uuid)`
    : sql``
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions
    where next_action_at < ${of.until} and test_clock_id is null and merchant_type = 'MERCHANT' and ${notHeld(sql)} ${behind}
    order by next_action_at, subscription_id
    limit ${of.limit}`
  return rows.map(row => present(row))
}

/** Live subscriptions that share the credit of these holders: for each holder the first `limit` by next action. */
export async function findDrawing(
  sql: Sql,
  holders: readonly CreditHolder[],
  { limit }: { limit: number },
): Promise<Subscription[]> {
  if (holders.length === 0) return []
  const given = holders.map(({ businessId, organizationId, currency }) => ({ businessId, organizationId, currency }))
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions
    where subscription_id in (
      select drawing.subscription_id
      from jsonb_to_recordset(${sql.json(given)}) as holder (
        "businessId" uuid, "organizationId" uuid, "currency" text)
      cross join lateral (
        select s.subscription_id from subscriptions as s
        where s.business_id = holder."businessId" and s.organization_id = holder."organizationId"
          and s.currency = holder."currency" and s.status = 'ACTIVE'
        order by s.next_action_at, s.subscription_id limit ${limit}) as drawing)
    order by subscription_id`
  return rows.map(row => present(row))
}

/** Locks the subscriptions of a test clock that have not ended. */
export async function lockLiveOnClock(sql: Sql, testClockId: string): Promise<Subscription[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions
    where test_clock_id = ${testClockId} and status <> 'ENDED'
    order by subscription_id
    for no key update`
  return rows.map(row => present(row))
}

/**
 * Finds the subscription that a new one would duplicate (decisions 5): ACTIVE, or PENDING. A pending plan counts, so that no plan change
 * at the end of a period can fail. The business must be locked.
 */
export async function findLive(
  sql: Sql,
  of: Location & { planId: string; businessId: string; beside?: string },
): Promise<string | null> {
  const [row] = await sql<{ subscriptionId: string }[]>`
    select subscription_id as "subscriptionId" from subscriptions
    where ${of.planId} in (plan_id, pending_plan_id) and business_id = ${of.businessId} and status <> 'ENDED'
      and subscription_id is distinct from ${of.beside ?? null}
      and store_id is not distinct from ${of.storeId ?? null}
      and device_id is not distinct from ${of.deviceId ?? null}`
  return row?.subscriptionId ?? null
}

/** Finds a live subscription of a store or its devices that has no scheduled cancellation. */
export async function findLiveOfStore(sql: Sql, of: { businessId: string; storeId: string }): Promise<string | null> {
  const [row] = await sql<{ subscriptionId: string }[]>`
    select subscription_id as "subscriptionId" from subscriptions
    where business_id = ${of.businessId} and store_id = ${of.storeId} and status <> 'ENDED' and cancel_at is null
    order by created_at, subscription_id limit 1`
  return row?.subscriptionId ?? null
}

/** Up to two live subscriptions of a business to an app, within the caller's view. */
export async function findLiveSeenFrom(
  sql: Sql,
  of: { appId: string; businessId: string; location: Location },
): Promise<string[]> {
  const rows = await sql<{ subscriptionId: string }[]>`
    select subscription_id as "subscriptionId" from subscriptions
    where app_id = ${of.appId} and business_id = ${of.businessId} and status = 'ACTIVE'
      and (${of.location.storeId ?? null}::uuid is null or store_id is null or store_id = ${of.location.storeId ?? null})
      and (${of.location.deviceId ?? null}::uuid is null or device_id is null or device_id = ${of.location.deviceId ?? null})
    order by created_at, subscription_id limit 2`
  return rows.map(row => row.subscriptionId)
}

/** Lists the live or the ended subscriptions of a business across apps, newest first. */
export async function listOfBusiness(
  sql: Sql,
  of: { businessId: string; status: SubscriptionStatus; limit: number },
): Promise<Subscription[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from subscriptions where business_id = ${of.businessId} and status = ${of.status}
    order by created_at desc, subscription_id desc limit ${of.limit}`
  return rows.map(row => present(row))
}

export async function hasSubscriptions(sql: Sql, businessId: string): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select 1 from subscriptions where business_id = ${businessId}) as has`
  return row?.has === true
}

/** Live subscriptions of an app in real time. */
export async function countLiveOfApp(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from subscriptions where app_id = ${appId} and status <> 'ENDED' and test_clock_id is null`
  return row?.total ?? 0
}

/** Whether the business has a live subscription that will be charged again. */
export async function hasLivePaid(sql: Sql, businessId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from subscriptions
    where business_id = ${businessId} and status <> 'ENDED' and (amount > 0 or pending_amount > 0)
      and (cancel_at is null or payment_status = 'PAST_DUE') limit 1`
  return rows.length > 0
}

export async function insertSubscription(sql: Sql, subscription: Subscription): Promise<void> {
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, store_id, device_id, test_clock_id,
      merchant_type, country, currency, amount, phase, status, payment_status, start_at, started_at, trial_end_at,
      trial_ending_at, anchor_at, term, period_index, current_period_start, current_period_end, awaited_charge_id, next_action_at,
      last_trigger_at, resource_seq, created_at, updated_at)
    values (
      ${subscription.subscriptionId}, ${subscription.appId}, ${subscription.organizationId}, ${subscription.businessId},
      ${subscription.planId}, ${subscription.bundleId}, ${subscription.storeId ?? null}, ${subscription.deviceId ?? null},
      ${subscription.testClockId ?? null}, ${subscription.merchantType}, ${subscription.country},
      ${subscription.currency}, ${subscription.amount}, ${subscription.phase}, ${subscription.status},
      ${subscription.paymentStatus}, ${subscription.startAt}, ${subscription.startedAt},
      ${subscription.trialEndAt ?? null}, ${subscription.trialEndingAt ?? null},
      ${subscription.anchorAt ?? null}, ${subscription.term},
      ${subscription.periodIndex ?? null}, ${subscription.currentPeriodStart}, ${subscription.currentPeriodEnd},
      ${subscription.awaitedChargeId ?? null}, ${subscription.nextActionAt ?? null}, ${subscription.lastTriggerAt},
      ${subscription.resourceSeq}, ${subscription.createdAt}, ${subscription.updatedAt})`
}

/** Writes the fields that decisions may change, in one statement. The rows must be locked. */
export async function saveSubscriptions(sql: Sql, subscriptions: readonly Subscription[]): Promise<void> {
  if (subscriptions.length === 0) return
  await sql`
    update subscriptions as s set
      plan_id = x."planId", amount = x."amount", pending_plan_id = x."pendingPlanId",
      pending_amount = x."pendingAmount", store_id = x."storeId", device_id = x."deviceId",
      trial_ending_at = x."trialEndingAt", phase = x."phase", status = x."status", payment_status = x."paymentStatus", anchor_at = x."anchorAt",
      term = x."term", period_index = x."periodIndex", current_period_start = x."currentPeriodStart",
      current_period_end = x."currentPeriodEnd", cancel_at = x."cancelAt", ended_at = x."endedAt",
      end_reason = x."endReason", first_declined_at = x."firstDeclinedAt", grace_end_at = x."graceEndAt",
      next_retry_at = x."nextRetryAt", awaited_charge_id = x."awaitedChargeId", next_action_at = x."nextActionAt",
      last_trigger_at = x."lastTriggerAt", resource_seq = x."resourceSeq", updated_at = x."updatedAt",
      failures = 0, last_error = null, retry_at = null
    from jsonb_to_recordset(${sql.json(subscriptions.map(changing) as never)}) as x (
      "subscriptionId" uuid, "planId" uuid, "amount" bigint, "pendingPlanId" uuid, "pendingAmount" bigint,
      "storeId" uuid, "deviceId" uuid, "trialEndingAt" timestamptz, "phase" text, "status" text, "paymentStatus" text, "anchorAt" timestamptz, "term" integer,
      "periodIndex" integer, "currentPeriodStart" timestamptz, "currentPeriodEnd" timestamptz, "cancelAt" timestamptz,
      "endedAt" timestamptz, "endReason" text, "firstDeclinedAt" timestamptz, "graceEndAt" timestamptz,
      "nextRetryAt" timestamptz, "awaitedChargeId" uuid, "nextActionAt" timestamptz, "lastTriggerAt" timestamptz,
      "resourceSeq" integer, "updatedAt" timestamptz)
    where s.subscription_id = x."subscriptionId"`
}

/** Schedules a retry and lists the subscription for the operator. `now` is real time. */
export async function quarantineSubscription(
  sql: Sql,
  of: { subscriptionId: string; error: unknown; now: Date },
): Promise<void> {
  await sql`
    update subscriptions set failures = failures + 1, last_error = ${errorText(of.error)}, retry_at = ${retryTime(sql, of.now)}
    where subscription_id = ${of.subscriptionId}`
}

/** Makes the retry of a quarantined subscription due. Real time. */
export async function retrySubscription(sql: Sql, of: { subscriptionId: string; now: Date }): Promise<void> {
  await sql`
    update subscriptions set retry_at = ${of.now} where subscription_id = ${of.subscriptionId} and retry_at > ${of.now}`
}

/** The fields that may change. The other fields would add a third to the statement. */
function changing(subscription: Subscription) {
  const { appId, organizationId, businessId, bundleId, testClockId, merchantType, ...others } = subscription
  const { country, currency, startAt, startedAt, trialEndAt, createdAt, ...changes } = others
  return changes
}

const notQuarantined = (sql: Sql, now: Date) => sql`(retry_at is null or retry_at <= ${now})`

/** Records the trials of these subscriptions. A trial that is recorded already stays. */
export async function recordTrials(sql: Sql, subscriptions: readonly Subscription[]): Promise<void> {
  const trials = subscriptions.filter(isInTrial).map(({ businessId, appId }) => ({ businessId, appId }))
  if (trials.length === 0) return
  await sql`
    insert into app_trials (business_id, app_id)
    select "businessId", "appId" from jsonb_to_recordset(${sql.json(trials)}) as x ("businessId" uuid, "appId" uuid)
    on conflict (business_id, app_id) do nothing`
}

/** Whether the business has had a trial of this app. The business must be locked. */
export async function hadTrial(sql: Sql, of: { appId: string; businessId: string }): Promise<boolean> {
  const rows = await sql`
    select 1 from app_trials where business_id = ${of.businessId} and app_id = ${of.appId}`
  return rows.length > 0
}

export const columns = (sql: Sql) => sql`
  subscription_id as "subscriptionId", app_id as "appId", organization_id as "organizationId",
  business_id as "businessId", plan_id as "planId", bundle_id as "bundleId", store_id as "storeId",
  device_id as "deviceId", test_clock_id as "testClockId", merchant_type as "merchantType", country, currency, amount,
  pending_plan_id as "pendingPlanId", pending_amount as "pendingAmount", phase, status, payment_status as "paymentStatus", start_at as "startAt", started_at as "startedAt",
  trial_end_at as "trialEndAt", trial_ending_at as "trialEndingAt", anchor_at as "anchorAt", term, period_index as "periodIndex",
  current_period_start as "currentPeriodStart", current_period_end as "currentPeriodEnd", cancel_at as "cancelAt",
  ended_at as "endedAt", end_reason as "endReason", first_declined_at as "firstDeclinedAt",
  grace_end_at as "graceEndAt", next_retry_at as "nextRetryAt", awaited_charge_id as "awaitedChargeId",
  next_action_at as "nextActionAt", last_trigger_at as "lastTriggerAt", resource_seq as "resourceSeq",
  created_at as "createdAt", updated_at as "updatedAt"`
