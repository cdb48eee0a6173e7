import type { Sql } from '../../platform/db/db.ts'

/** Returns false if the person has the summary of the day already. `day`: YYYY-MM-DD. */
export async function insertSummary(sql: Sql, { userId, day }: { userId: string; day: string }): Promise<boolean> {
  const rows = await sql`
    insert into daily_summaries (user_id, day) values (${userId}, ${day}) on conflict do nothing returning 1`
  return rows.length === 1
}

export async function deleteSummariesBefore(sql: Sql, day: string): Promise<void> {
  await sql`delete from daily_summaries where day < ${day}`
}

export interface OrganizationNeeds {
  readonly organizationId: string
  readonly name: string
  /** Apps whose latest release is rejected. */
  readonly rejected: number
  /** Endpoints that were disabled because they failed. */
  readonly disabled: number
}

export async function findOrganizationNeeds(sql: Sql): Promise<OrganizationNeeds[]> {
  return await sql<OrganizationNeeds[]>`
    with rejected as (
      select app_id from (
        select distinct on (app_id) app_id, status from releases order by app_id, created_at desc, release_id desc) as latest
      where status = 'REJECTED'),
    disabled as (select app_id from hooks where not active and disabled_reason is not null),
    needs as (
      select a.organization_id, count(r.app_id) as rejected, 0 as disabled
      from rejected as r join apps as a using (app_id) group by 1
      union all
      select a.organization_id, 0, count(d.app_id) from disabled as d join apps as a using (app_id) group by 1)
    select organization_id as "organizationId", o.name, sum(rejected)::integer as rejected, sum(disabled)::integer as disabled
    from needs join organizations as o using (organization_id)
    group by organization_id, o.name order by organization_id`
}
