import type { Subscription } from '../../core/subscription.ts'
import { isTrying } from '../../core/trial.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Notes which plans these are on trial with, by one statement. Most batches have none; what is noted already stays. */
export async function recordTrials(sql: Sql, subscriptions: readonly Subscription[]): Promise<void> {
  const trials = subscriptions.filter(isTrying).map(({ businessId, planId }) => ({ businessId, planId }))
  if (trials.length === 0) return
  await sql`
    insert into plan_trials (business_id, plan_id)
    select "businessId", "planId" from jsonb_to_recordset(${sql.json(trials)}) as x ("businessId" uuid, "planId" uuid)
    on conflict (business_id, plan_id) do nothing`
}

/** Whether the business has had this plan on trial. It must be locked for the answer to hold. */
export async function hadTrial(sql: Sql, of: { planId: string; businessId: string }): Promise<boolean> {
  const rows = await sql`
    select 1 from plan_trials where business_id = ${of.businessId} and plan_id = ${of.planId}`
  return rows.length > 0
}
