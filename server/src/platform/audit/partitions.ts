import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'

type PartitionPorts = Pick<Ports, 'db' | 'clock' | 'log'>

/** Any constant: processes that maintain partitions at the same time take turns. */
const PARTITIONS_LOCK = 7_461_012
const MONTHS_AHEAD = 2
/** Requests wait behind a waiting drop. A drop that takes longer is retried an hour later. */
const WAIT_FOR_DROP = '1s'

/** Creates the partitions of the current month and of the next two. Runs at start and every hour. */
export async function createAuditPartitions({ db, clock, log }: PartitionPorts): Promise<number> {
  const now = clock.now()
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const [from, to] = [monthOf(now, ahead), monthOf(now, ahead + 1)]
    try {
      await db.transaction(async ({ sql }) => {
        await sql`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`
        const name = nameOf(from)
        if ((await findPartitions(sql)).includes(name)) return
        await sql`create table ${sql(name)} (like audit_entries including constraints)`
        await sql`
          create trigger audit_entries_append_only before update or delete or truncate on ${sql(name)}
            for each statement execute function reject_change_of_audit_entries()`
        // A utility statement takes no parameters, so the dates are part of its text. monthOf made the dates.
        await sql`
          alter table audit_entries attach partition ${sql(name)}
            for values from (${sql.unsafe(`'${from}'`)}) to (${sql.unsafe(`'${to}'`)})`
      })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === CHECK_VIOLATION)) throw error
      // Harmless: every read finds these entries, and retention leaves them in place.
      log.warn({ month: from }, 'entries of this month are in audit_entries_default, so the month has no partition')
    }
  }
  return 0
}

/** Drops the months that ended more than `auditMonths` months ago. The clock of the database bounds a process whose clock is ahead. */
export async function dropOldAuditPartitions({
  db,
  clock,
  log,
  settings,
}: PartitionPorts & Pick<Ports, 'settings'>): Promise<number> {
  if (settings.auditMonths === undefined) return 0
  const [row] = await db.sql<{ now: Date }[]>`select least(${clock.now()}::timestamptz, statement_timestamp()) as now`
  const oldest = nameOf(monthOf(row?.now ?? new Date(0), -settings.auditMonths))
  for (const name of await findPartitions(db.sql)) {
    if (name >= oldest) continue
    try {
      await db.transaction(async ({ sql }) => {
        await sql`select set_config('lock_timeout', ${WAIT_FOR_DROP}, true)`
        await sql`drop table if exists ${sql(name)}`
      })
      log.info({ partition: name }, 'audit entries past their retention were dropped')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE)) throw error
      return 0
    }
  }
  return 0
}

const [CHECK_VIOLATION, LOCK_NOT_AVAILABLE] = ['23514', '55P03']

async function findPartitions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass and c.relname <> 'audit_entries_default' order by c.relname`
  return rows.map(row => row.name)
}

/** The first day of a UTC month, as PostgreSQL reads it. */
function monthOf(at: Date, monthsLater: number): string {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater)).toISOString().slice(0, 10)
}

function nameOf(month: string): string {
  return `audit_entries_${month.slice(0, 7).replace('-', '_')}`
}
