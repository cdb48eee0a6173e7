import { addDays } from '../../core/calendar.ts'
import type { Ports } from '../../ports.ts'
import { dropPartitions, ensurePartitions, findDatabaseTime, KEEP_DAYS } from '../../webhooks/deliveries/partitions.ts'

/**
 * Makes the days ahead. The date may be weeks on from one look to the next, as that of a machine that slept, and until the days are there nothing
 * can be recorded: so it is looked each minute.
 */
export async function makePartitions({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  await ensurePartitions(db, clock.now())
  // Nothing is left to do for a minute, whatever was made.
  return 0
}

/**
 * Drops the days that are over: retention is a drop of tables, never a delete of rows. A process whose date is ahead drops nothing that is not
 * over by the database's, too.
 */
export async function dropOldPartitions({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>): Promise<number> {
  const now = clock.now()
  const databaseTime = await findDatabaseTime(db.sql)
  const dropped = await dropPartitions(db, addDays(now < databaseTime ? now : databaseTime, -KEEP_DAYS))
  if (dropped.length > 0) log.info({ dropped }, 'days of notifications older than history were dropped')
  // Nothing is left to do for an hour, whatever was dropped.
  return 0
}
