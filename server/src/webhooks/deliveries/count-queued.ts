import type { Sql } from '../../platform/db/db.ts'

/** An endpoint that was off for days has more. The count ends here, so that a list of endpoints stays fast. */
export const MOST_COUNTED = 1_000

/** The unfinished deliveries of each hook. `MOST_COUNTED + 1` stands for more. */
export async function countQueued(sql: Sql, hookIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ hookId: string; queued: number }[]>`
    select h.hook_id as "hookId", counted.queued
    from unnest(${hookIds as string[]}::uuid[]) as h (hook_id) cross join lateral (
      select count(*)::integer as queued
      from (select from deliveries as d where d.hook_id = h.hook_id limit ${MOST_COUNTED + 1}) as first_rows) as counted`
  return new Map(rows.map(({ hookId, queued }) => [hookId, queued]))
}
