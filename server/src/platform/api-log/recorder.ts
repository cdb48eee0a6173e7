import type { Ports } from '../../ports.ts'
import type { AppRequest } from '../http/send.ts'
import { type ApiRequest, insertRequests } from './store.ts'

/** Rows that one statement writes. */
const BATCH = 1_000
/** Requests that wait for the database. About 3 MB; later requests are dropped. */
const MOST_WAITING = 10_000

export interface ApiRecorder {
  /** Never waits and never fails. */
  record(request: AppRequest): void
  /** Writes the waiting requests. Returns their number. */
  flush(): Promise<number>
}

/** Records requests of apps in memory and writes them in batches. A failed write keeps its requests for the next one. */
export function createApiRecorder({
  db,
  clock,
  newId,
  log,
}: Pick<Ports, 'db' | 'clock' | 'newId' | 'log'>): ApiRecorder {
  let waiting: ApiRequest[] = []
  let dropped = 0
  return {
    record(request) {
      if (waiting.length < MOST_WAITING) waiting.push({ apiRequestId: newId(), at: clock.now(), ...request })
      else dropped++
    },
    async flush() {
      if (dropped > 0) log.warn({ dropped }, 'requests were dropped from the API log')
      dropped = 0
      let written = 0
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH)
        await insertRequests(db.sql, batch)
        waiting = waiting.slice(batch.length)
        written += batch.length
      }
      return written
    },
  }
}
