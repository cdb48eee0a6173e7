import { setTimeout } from 'node:timers/promises'
import type { Sql } from '../../src/platform/db/db.ts'

/** Until so many sessions of this database wait for a lock; at most 60 s. */
export async function untilWaiting(sql: Sql, sessions: number): Promise<void> {
  for (let poll = 0; poll < 3_000; poll++) {
    // Inside a transaction PostgreSQL would answer every poll from the snapshot of the first.
    await sql`select pg_stat_clear_snapshot()`
    const [row] = await sql<{ waiting: number }[]>`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row?.waiting === sessions) return
    await setTimeout(20)
  }
  throw new Error(`${sessions} calls never waited for a lock together`)
}

/** Polls until the condition holds; at most 60 s, which no test on a busy machine needs. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let poll = 0; poll < 3_000; poll++) {
    if (await holds()) return
    await setTimeout(20)
  }
  throw new Error(`never became true: ${holds}`)
}
