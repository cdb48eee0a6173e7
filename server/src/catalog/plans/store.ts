import type { Plan, PlanStatus } from '../../core/plan.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** A plan in any state. */
export async function findPlan(sql: Sql, planId: string): Promise<Plan | null> {
  const [row] = await sql<RowOf<Plan>[]>`select ${columns(sql)} from plans where plan_id = ${planId}`
  return row ? present(row) : null
}

/** Plans in any state. Unknown ids are missing from the result. */
export async function findPlans(sql: Sql, planIds: readonly string[]): Promise<Plan[]> {
  if (planIds.length === 0) return []
  const rows = await sql<RowOf<Plan>[]>`
    select ${columns(sql)} from plans where plan_id = any(${planIds as string[]}::uuid[]) order by created_at, plan_id`
  return rows.map(row => present(row))
}

/** The plans of the releases in any state, in upload order. */
export async function findPlansOfReleases(sql: Sql, releaseIds: readonly string[]): Promise<Plan[]> {
  if (releaseIds.length === 0) return []
  const rows = await sql<RowOf<Plan>[]>`
    select ${columns(sql)} from plans where release_id = any(${releaseIds as string[]}::uuid[])
    order by created_at, plan_id`
  return rows.map(row => present(row))
}

/** Locks the plan until the transaction ends. */
export async function lockPlan(sql: Sql, planId: string): Promise<Plan | null> {
  const [row] = await sql<RowOf<Plan>[]>`select ${columns(sql)} from plans where plan_id = ${planId} for no key update`
  return row ? present(row) : null
}

/**
 * The approved plans of an app in list order: active ones and those retired with live subscriptions (`listed`), or all of one status. An
 * app has at most 500 plans (decisions 4), so the list is read whole. The statement reads the subscriptions of another slice: one
 * read-only question is better than passing ids through every caller.
 */
export async function listPlans(sql: Sql, of: { appId: string; status: PlanStatus | 'listed' }): Promise<Plan[]> {
  const wanted = {
    ACTIVE: sql`p.status = 'ACTIVE'`,
    INACTIVE: sql`p.status = 'INACTIVE'`,
    listed: sql`(p.status = 'ACTIVE' or exists (
      select 1 from subscriptions as s where s.plan_id = p.plan_id and s.status = 'ACTIVE'))`,
  }
  const rows = await sql<RowOf<Plan>[]>`
    select ${columns(sql)} from plans as p
    where p.app_id = ${of.appId} and p.approved_at is not null and ${wanted[of.status]}
    order by p.created_at, p.plan_id`
  return rows.map(row => present(row))
}

/** The plans of the apps on sale in the country. */
export async function findPlansSoldIn(
  sql: Sql,
  { appIds, country }: { readonly appIds: readonly string[]; readonly country: string },
): Promise<Plan[]> {
  if (appIds.length === 0) return []
  const rows = await sql<RowOf<Plan>[]>`
    select ${columns(sql)} from plans
    where app_id = any(${appIds as string[]}::uuid[]) and status = 'ACTIVE'
      and amounts @> ${JSON.stringify([{ country }])}::text::jsonb
    order by created_at, plan_id`
  return rows.map(row => present(row))
}

/** How many plans an app has had, those of rejected and withdrawn releases apart. The app must be locked for the number to hold. */
export async function countPlans(sql: Sql, appId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from plans as p join releases as r on r.release_id = p.release_id
    where p.app_id = ${appId} and r.status in ('SUBMITTED', 'APPROVED')`
  return row?.count ?? 0
}

/** Inserts unapproved plans in one statement. */
export async function insertPlans(sql: Sql, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  await sql`
    insert into plans (
      plan_id, app_id, release_id, name, description, amounts, interval, interval_count, trial_period_days, trial_eligibility,
      start_policy, cancel_policy, grace_period_days, scope, status, created_at, updated_at)
    select
      x."planId", x."appId", x."releaseId", x."name", x."description", x."amounts", x."interval", x."intervalCount",
      x."trialPeriodDays", x."trialEligibility", x."startPolicy", x."cancelPolicy", x."gracePeriodDays", x."scope", x."status",
      x."createdAt", x."updatedAt"
    from jsonb_to_recordset(${sql.json(plans as never)}) as x (
      "planId" uuid, "appId" uuid, "releaseId" uuid, "name" text, "description" text, "amounts" jsonb,
      "interval" text, "intervalCount" integer, "trialPeriodDays" integer, "trialEligibility" text,
      "startPolicy" text, "cancelPolicy" text, "gracePeriodDays" integer, "scope" text, "status" text, "createdAt" timestamptz, "updatedAt" timestamptz)`
}

/** Decisions 4: approval makes all plans of a release ACTIVE and readable at one instant. */
export async function approvePlansOfRelease(sql: Sql, of: { releaseId: string; now: Date }): Promise<void> {
  await sql`
    update plans set status = 'ACTIVE', approved_at = ${of.now}, updated_at = ${of.now}
    where release_id = ${of.releaseId}`
}

/** Decisions 4: no new subscribers from now on. The row must be locked. */
export async function retirePlan(sql: Sql, of: { planId: string; now: Date }): Promise<void> {
  await sql`
    update plans set status = 'INACTIVE', retired_at = ${of.now}, updated_at = ${of.now}
    where plan_id = ${of.planId}`
}

const columns = (sql: Sql) => sql`
  plan_id as "planId", app_id as "appId", release_id as "releaseId", name, description, amounts, interval,
  interval_count as "intervalCount", trial_period_days as "trialPeriodDays", trial_eligibility as "trialEligibility", start_policy as "startPolicy",
  cancel_policy as "cancelPolicy", grace_period_days as "gracePeriodDays", scope, status,
  created_at as "createdAt", updated_at as "updatedAt", approved_at as "approvedAt", retired_at as "retiredAt"`
