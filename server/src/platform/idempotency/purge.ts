import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'
import { forgottenAt } from './kept.ts'
import { deleteKeptAnswers } from './store.ts'

/** Small enough that no request waits for it. */
const BATCH = 1_000
/** A run is bounded; what is left is for the next one. */
const MAX_BATCHES = 100

/** Deletes the answers that no request can get any more. Returns how many. */
export function purgeBatches({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purge(db.sql, forgottenAt(clock))
}

/** Deletes what was recorded at `before` or earlier, a batch a statement. Returns how many. */
export async function purge(sql: Sql, before: Date): Promise<number> {
  let purged = 0
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    const deleted = await deleteKeptAnswers(sql, before, BATCH)
    purged += deleted
    if (deleted < BATCH) break
  }
  return purged
}
