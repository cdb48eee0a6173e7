import type { CatchUp } from '../../core/catch-up.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present } from '../../platform/db/sql.ts'

/** When billing ran last, and the last catch-up. */
export interface BillingProgress {
  readonly lastRunAt: Date
  readonly catchUp: CatchUp | null
}

type Row = Pick<BillingProgress, 'lastRunAt'> & { [K in keyof CatchUp]-?: CatchUp[K] | null }

export async function findBillingProgress(sql: Sql): Promise<BillingProgress | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from billing_progress`
  return row ? toProgress(row) : null
}

/** Locks the row, which exists from the first call on. */
export async function lockBillingProgress(sql: Sql, now: Date): Promise<BillingProgress> {
  await sql`insert into billing_progress (last_run_at) values (${now}) on conflict do nothing`
  const [row] = await sql<Row[]>`select ${columns(sql)} from billing_progress for no key update`
  return row ? toProgress(row) : { lastRunAt: now, catchUp: null }
}

/** The row must be locked. */
export async function saveLastRun(sql: Sql, lastRunAt: Date): Promise<void> {
  await sql`update billing_progress set last_run_at = greatest(last_run_at, ${lastRunAt})`
}

/** The row must be locked. */
export async function saveCatchUp(sql: Sql, catchUp: CatchUp): Promise<void> {
  await sql`
    update billing_progress set outage_from = ${catchUp.outageFrom}, outage_until = ${catchUp.outageUntil},
      state = ${catchUp.state}, goes_on_at = ${catchUp.goesOnAt}, decided_at = ${catchUp.decidedAt ?? null},
      spread_days = ${catchUp.spreadDays ?? null}`
}

function toProgress({ lastRunAt, ...row }: Row): BillingProgress {
  const { outageFrom, outageUntil, state, goesOnAt } = row
  if (outageFrom === null || outageUntil === null || state === null || goesOnAt === null)
    return { lastRunAt, catchUp: null }
  const { decidedAt, spreadDays } = row
  return { lastRunAt, catchUp: present({ outageFrom, outageUntil, state, goesOnAt, decidedAt, spreadDays }) as CatchUp }
}

const columns = (sql: Sql) => sql`
  last_run_at as "lastRunAt", outage_from as "outageFrom", outage_until as "outageUntil", state, goes_on_at as "goesOnAt",
  decided_at as "decidedAt", spread_days as "spreadDays"`
