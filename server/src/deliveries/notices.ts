import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import { listenTo } from '../db/listen.ts'

/**
 * Tells the senders of all processes that something is due which nobody holds, and which hooks were changed. Only haste: polling would
 * find it, and what was read of a hook is good for a second.
 */
export interface Notices {
  announce(changedHooks?: readonly string[]): void
  /** From now on, and once at once. */
  listen(onNotice: (changedHooks: readonly string[]) => void): void
  close(): Promise<void>
}

const CHANNEL = 'tillhook_deliveries'
/** At most 20 a second. Inside the transactions that record, notices made commits take turns: 8,200 → 2,750 a second. */
const APART_MS = 50
/** A notice has 8,000 bytes at most. */
const NAMED_AT_MOST = 200

/** A process does not hear itself: what it was told of, it knows. */
export function createNotices({ db, url, log }: { db: Db; url: string; log: Logger }): Notices {
  const own = randomUUID()
  let listening: { close(): Promise<void> } | undefined
  let resting: NodeJS.Timeout | undefined
  const changed = new Set<string>()
  let isWaiting = false
  let isClosed = false

  function tell(): void {
    const named = [...changed].slice(0, NAMED_AT_MOST)
    for (const hookId of named) changed.delete(hookId)
    isWaiting = changed.size > 0
    resting = setTimeout(() => {
      resting = undefined
      if (isWaiting) tell()
    }, APART_MS).unref()
    db.sql`select pg_notify(${CHANNEL}, ${[own, ...named].join(' ')})`.catch(error =>
      log.debug({ err: error }, 'a notice was not told'),
    )
  }

  return {
    announce: (changedHooks = []) => {
      if (isClosed) return
      for (const hookId of changedHooks) changed.add(hookId)
      isWaiting = true
      if (resting === undefined) tell()
    },
    listen: onNotice => {
      listening ??= listenTo({
        url,
        channel: CHANNEL,
        onNotice: (told = '') => {
          const [from, ...changedHooks] = told.split(' ')
          if (from !== own) onNotice(changedHooks)
        },
      })
    },
    close: async () => {
      isClosed = true
      clearTimeout(resting)
      await listening?.close()
    },
  }
}
