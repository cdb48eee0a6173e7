import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { Ending } from './ending.ts'

type Row = RowOf<Ending>

/** False: the app has a running job. */
export async function insertEnding(sql: Sql, job: Ending): Promise<boolean> {
  const { count } = await sql`
    insert into app_endings (ending_id, app_id, refund_unused, state, total, ended, refunds, failed, created_at, updated_at)
    values (${job.endingId}, ${job.appId}, ${job.refundUnused}, ${job.state}, ${job.total}, ${job.ended}, ${job.refunds},
      ${job.failed}, ${job.createdAt}, ${job.updatedAt})
    on conflict (app_id) where state = 'RUNNING' do nothing`
  return count === 1
}

export async function findEnding(sql: Sql, endingId: string): Promise<Ending | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from app_endings where ending_id = ${endingId}`
  return row ? present(row) : null
}

/** The running job of an app, or the last one. */
export async function findLastEnding(sql: Sql, appId: string): Promise<Ending | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from app_endings where app_id = ${appId} order by created_at desc, ending_id desc limit 1`
  return row ? present(row) : null
}

/** Locks a running job. Jobs that another process holds are skipped. */
export async function lockRunningEnding(sql: Sql): Promise<Ending | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from app_endings where state = 'RUNNING'
    order by updated_at limit 1 for no key update skip locked`
  return row ? present(row) : null
}

export async function saveEnding(sql: Sql, job: Ending): Promise<void> {
  await sql`
    update app_endings set state = ${job.state}, ended = ${job.ended}, refunds = ${job.refunds}, failed = ${job.failed},
      reached_id = ${job.reachedId ?? null}, updated_at = ${job.updatedAt}
    where ending_id = ${job.endingId}`
}

const columns = (sql: Sql) => sql`
  ending_id as "endingId", app_id as "appId", refund_unused as "refundUnused", state, total, ended, refunds, failed,
  reached_id as "reachedId", created_at as "createdAt", updated_at as "updatedAt"`
