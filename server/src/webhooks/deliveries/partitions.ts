import { addDays, startOfDay } from '../../core/calendar.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { ENDED_AT_ONCE } from './store.ts'

/** Tables that are partitioned by the UTC day of the notification's id. */
const PARTITIONED = ['notifications', 'attempts', 'outcomes'] as const

/** Any constant: processes that maintain partitions at the same time take turns. */
const PARTITIONS_LOCK = 7_461_006

/** Decisions 7: history shows 30 days; a redelivery on day 30 may still be retrying for 3, and a day has begun. */
export const KEEP_DAYS = 34

/** Readers and writers queue behind a waiting drop. After this time the drop yields; the job repeats it an hour later. */
const WAIT_FOR_DROP = '1s'
const [LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED] = ['55P03', '40P01']

/**
 * Makes the partitions of yesterday (an id made just before midnight, or by a clock that is behind), today and the days
 * ahead. At start and every minute; without it nothing can be recorded after the last day ahead.
 */
export async function ensurePartitions(db: Db, today: Date, daysAhead = 7): Promise<void> {
  await db.transaction(async ({ sql }) => {
    await sql`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`
    const there = new Set(await findPartitions(sql))
    for (const table of PARTITIONED) {
      for (let day = -1; day <= daysAhead; day++) {
        const name = nameOf(table, dayOf(addDays(today, day)))
        if (!there.has(name)) await attach(sql, table, name, startOfDay(addDays(today, day)))
      }
    }
  })
}

/**
 * Drops the partitions before the day of `before`. Deliveries of those days that are still queued end first, because their outcomes could
 * not be stored later. Returns the names of the partitions.
 */
export async function dropPartitions(db: Db, before: Date): Promise<string[]> {
  const dropped: string[] = []
  for (const name of await findPartitions(db.sql)) {
    if (dayIn(name) >= dayOf(before)) continue
    // A dump locks every partition, so waiting for each in turn would block writers many times.
    if (!(await drop(db, name))) break
    dropped.push(name)
  }
  return dropped
}

/** Database time: all processes share it, and a drop cannot be undone. */
export async function findDatabaseTime(sql: Sql): Promise<Date> {
  const [row] = await sql<{ at: Date }[]>`select statement_timestamp() as at`
  return row?.at ?? new Date(0)
}

/**
 * The last day up to which every day from today has a partition, or yesterday if today has none. Partitions that a process with a wrong
 * clock created far ahead do not count.
 */
export async function findLastDay(sql: Sql, today: Date): Promise<Date> {
  const names = new Set(await findPartitions(sql))
  const days = new Set([...names].map(dayIn).filter(day => PARTITIONED.every(table => names.has(nameOf(table, day)))))
  const past = [...days].filter(day => day <= dayOf(today)).toSorted()
  let last = new Date(past.at(-1) ?? 0)
  while (days.has(dayOf(addDays(last, 1)))) last = addDays(last, 1)
  return last
}

async function findPartitions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select child.relname as name
    from pg_inherits as i
    join pg_class as child on child.oid = i.inhrelid
    where i.inhparent in (${sql.unsafe(PARTITIONED.map(table => `'${table}'::regclass`).join(', '))})
    order by child.relname`
  return rows.map(row => row.name)
}

/** Creates a table and attaches it, because creating a partition in place would lock out every reader and writer of the whole table. */
async function attach(sql: Sql, table: string, name: string, day: Date): Promise<void> {
  await sql`create table if not exists ${sql(name)} (like ${sql(table)} including constraints)`
  await sql`
    alter table ${sql(table)} attach partition ${sql(name)}
    for values from (${sql.unsafe(`'${dayOf(day)}'`)}) to (${sql.unsafe(`'${dayOf(addDays(day, 1))}'`)})`
}

async function drop(db: Db, name: string): Promise<boolean> {
  const inTime = <Result>(work: (sql: Sql) => Promise<Result>) =>
    db.transaction(async ({ sql }) => {
      await sql`select set_config('lock_timeout', ${WAIT_FOR_DROP}, true)`
      return work(sql)
    })
  try {
    // After weeks without a running process there may be more deliveries than one statement can end in time.
    while ((await inTime(sql => endQueued(sql, dayIn(name)))) === ENDED_AT_ONCE);
    await inTime(async sql => {
      await endQueued(sql, dayIn(name))
      await sql`drop table if exists ${sql(name)}`
    })
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED) return false
    throw error
  }
}

/** Ends deliveries that expired days ago and were not ended, because no process ran or the hook was inactive. Returns their number. */
async function endQueued(sql: Sql, upToDay: string): Promise<number> {
  const ended = await sql`
    delete from deliveries where notification_id = any(array(
      select notification_id from deliveries where recorded_day <= ${upToDay}::date limit ${ENDED_AT_ONCE}))`
  return ended.count
}

function nameOf(table: string, day: string): string {
  return `${table}_${day.replaceAll('-', '_')}`
}

function dayIn(name: string): string {
  return name.slice(-'yyyy_mm_dd'.length).replaceAll('_', '-')
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
