import { addDays } from '../../core/calendar.ts'
import { instantOfId } from '../../core/id.ts'
import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'

/** Any constant: processes that maintain partitions at the same time take turns. */
const PARTITIONS_LOCK = 7_461_019
const DAYS_AHEAD = 2
const KEEP_DAYS = 7
/** Writers wait behind a waiting drop. A drop that takes longer is retried an hour later. */
const WAIT_FOR_DROP = '1s'
const LOCK_NOT_AVAILABLE = '55P03'

/** Creates the partitions of yesterday, for ids of a clock that is behind, and of the next days. Runs at start and every hour. */
export async function createApiLogPartitions({ db, newId }: Pick<Ports, 'db' | 'newId'>): Promise<void> {
  // A row belongs to the day of its id.
  const now = instantOfId(newId())
  await db.transaction(async ({ sql }) => {
    await sql`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`
    const there = new Set(await findPartitions(sql))
    for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
      const [from, to] = [dayOf(addDays(now, ahead)), dayOf(addDays(now, ahead + 1))]
      const name = nameOf(from)
      if (there.has(name)) continue
      // Unlogged: the rows cost no WAL, and a crash of PostgreSQL may lose them.
      await sql`create unlogged table ${sql(name)} (like api_requests including constraints)`
      // A utility statement takes no parameters, so the dates are part of its text.
      await sql`
        alter table api_requests attach partition ${sql(name)}
          for values from (${sql.unsafe(`'${from}'`)}) to (${sql.unsafe(`'${to}'`)})`
    }
  })
}

/** Drops the days of more than 7 days ago. Returns 0: the next run is due after the idle interval. */
export async function maintainApiLog(ports: Pick<Ports, 'db' | 'newId'>): Promise<number> {
  await createApiLogPartitions(ports)
  const { db, newId } = ports
  const oldest = nameOf(dayOf(addDays(instantOfId(newId()), -KEEP_DAYS)))
  for (const name of await findPartitions(db.sql)) {
    if (name >= oldest) continue
    try {
      await db.transaction(async ({ sql }) => {
        await sql`select set_config('lock_timeout', ${WAIT_FOR_DROP}, true)`
        await sql`drop table if exists ${sql(name)}`
      })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE)) throw error
      return 0
    }
  }
  return 0
}

async function findPartitions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = 'api_requests'::regclass order by c.relname`
  return rows.map(row => row.name)
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const nameOf = (day: string) => `api_requests_${day.replaceAll('-', '_')}`
