import { addDays } from '../core/calendar.ts'
import { dropPartitions, ensurePartitions, findDatabaseTime, KEEP_DAYS } from '../deliveries/partitions.ts'
import type { Ports } from '../ports.ts'

/**
 * Makes the days ahead and drops the days that are over: retention is a drop of tables, never a delete of rows. A process whose
 * date is ahead drops nothing that is not over by the database's, too.
 */
export async function keepPartitions({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>): Promise<number> {
  const now = clock.now()
  await ensurePartitions(db, now)
  const databaseTime = await findDatabaseTime(db.sql)
  const dropped = await dropPartitions(db, addDays(now < databaseTime ? now : databaseTime, -KEEP_DAYS))
  if (dropped.length > 0) log.info({ dropped }, 'days of notifications older than history were dropped')
  // Nothing is left to do for an hour, whatever was dropped.
  return 0
}
