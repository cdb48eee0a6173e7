import type { Db, Sql } from '../db/db.ts'
import { together } from '../db/together.ts'

/**
 * A transaction on the queue. Its tables are empty at one moment and hold 100,000 rows at the next, while a prepared
 * statement keeps the plan of the first: so the plan that is good for many rows is demanded always.
 */
export function queueTransaction<T>(db: Db, work: (sql: Sql) => Promise<T>, durability = 'on'): Promise<T> {
  return db.transaction(async ({ sql }) => {
    const [, result] = await together([demandPlans(sql, durability), work(sql)])
    return result
  })
}

/** A function of its own: a statement is sent when it is waited for, and this one must be sent before those of the work. */
async function demandPlans(sql: Sql, durability: string): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('synchronous_commit', ${durability}, true)`
}
