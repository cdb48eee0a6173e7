import type { Db, Sql, Tx } from './db.ts'
import { together } from './together.ts'

export interface PlannedOptions {
  /** Whether a commit waits for the disk. */
  readonly durability?: 'on' | 'off'
  /**
   * `anew` plans each statement for what the tables hold now. Not where rows are inserted that refer to others: PostgreSQL would plan
   * the check of each reference anew for each row, which took four times as long. `once` plans for any values, at the first
   * use of a connection: for statements that have one good plan, however much the tables hold. No row is then sorted that an
   * index could have given in order.
   */
  readonly plans?: 'kept' | 'anew' | 'once'
}

/**
 * A transaction on tables that are empty at one moment and hold 100,000 rows at the next, where a few rows of many are always
 * asked for by name. PostgreSQL keeps the plan of the first moment, and counts on what it knew of a table a minute ago: it then reads
 * whole tables, or an index of another order, for each row. So the ways to read everything are barred.
 */
export function plannedTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { durability = 'on', plans = 'kept' }: PlannedOptions = {},
): Promise<T> {
  return db.transaction(async tx => {
    const [, result] = await together([demandPlans(tx.sql, { durability, plans }), work(tx)])
    return result
  })
}

/** For the rest of a transaction. A function of its own: a statement is sent when it is waited for, and this one must be sent before those of the work. */
export async function demandPlans(sql: Sql, { durability = 'on', plans = 'kept' }: PlannedOptions): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_material', 'off', true),
      set_config('enable_sort', 'off', true),
      set_config('enable_incremental_sort', ${plans === 'once' ? 'off' : 'on'}, true),
      set_config('plan_cache_mode', ${PLAN_CACHE_MODES[plans]}, true),
      set_config('synchronous_commit', ${durability}, true)`
}

/**
 * For the rest of somebody else's transaction: a row that is asked for by its key, or the first in the order of an index, is found by that index.
 * Planned while the table was all but empty, another index that names fewer columns, and a sort, look as cheap: it would then read
 * thousands of rows for each one. As `demandPlans`, a function of its own.
 */
export async function keepToIndexes(sql: Sql): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`
}

/** Where a transaction goes on with other work. The durability that was demanded stays. */
export async function endDemands(sql: Sql): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'on', true), set_config('enable_hashjoin', 'on', true),
      set_config('enable_mergejoin', 'on', true), set_config('enable_material', 'on', true),
      set_config('enable_sort', 'on', true), set_config('enable_incremental_sort', 'on', true),
      set_config('plan_cache_mode', 'auto', true)`
}

const PLAN_CACHE_MODES = { kept: 'auto', anew: 'force_custom_plan', once: 'force_generic_plan' } as const
