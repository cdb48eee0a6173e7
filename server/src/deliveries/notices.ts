import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { listenTo } from '../db/listen.ts'

/** Tells the senders of all processes that something is due which nobody holds. Only haste: polling would find it. */
export interface Notices {
  announce(): void
  /** From now on, and once at once. */
  listen(onNotice: () => void): void
  close(): Promise<void>
}

const CHANNEL = 'tillhook_deliveries'
/** At most 20 a second. Inside the transactions that record, notices made commits take turns: 8,200 → 2,750 a second. */
const APART_MS = 50

/** A process does not hear itself: what it was told of, it knows. */
export function createNotices({ db, url, log }: { db: Db; url: string; log: Logger }): Notices {
  const own = randomUUID()
  let listening: { close(): Promise<void> } | undefined
  let resting: NodeJS.Timeout | undefined
  let isWaiting = false
  let isClosed = false

  function tell(): void {
    isWaiting = false
    resting = setTimeout(() => {
      resting = undefined
      if (isWaiting) tell()
    }, APART_MS).unref()
    db.sql`select pg_notify(${CHANNEL}, ${own})`.catch(error => log.debug({ err: error }, 'a notice was not told'))
  }

  return {
    announce: () => {
      if (isClosed) return
      isWaiting = true
      if (resting === undefined) tell()
    },
    listen: onNotice => {
      listening ??= listenTo({ url, channel: CHANNEL, onNotice: told => void (told === own || onNotice()) })
    },
    close: async () => {
      isClosed = true
      clearTimeout(resting)
      await listening?.close()
    },
  }
}
