import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../../platform/db/db.ts'
import { listenTo } from '../../platform/db/listen.ts'

/**
 * Tells the senders of all processes that something is due which nobody holds, and of which hooks; which hooks were changed; and to which
 * nothing is sent for now. Only haste: polling would find it, and what was read of a hook is good for a second.
 */
export interface Notices {
  announce(told?: Partial<Told>): void
  /** From now on, and once at once. */
  listen(onNotice: (told: Told) => void): void
  close(): Promise<void>
}

/** Hooks. */
export interface Told {
  readonly changed: readonly string[]
  /** Something of these was left in the queue. */
  readonly left: readonly string[]
  /** Their breakers have just opened, or they were disabled: nothing is due. */
  readonly parked: readonly string[]
}

const CHANNEL = 'tillhook_deliveries'
/** At most 20 a second. Inside the transactions that record, notices made commits take turns: 8,200 → 2,750 a second. */
const APART_MS = 50
/** A notice has 8,000 bytes at most. */
const NAMED_AT_MOST = 200
/** What a second has notices for: by then nothing of them waits in any memory (`SenderOptions.freshForMs`), however many breakers open at once. */
const PARKED_AT_MOST = (NAMED_AT_MOST * 1_000) / APART_MS
/** Before those that were left. Who does not know of it takes them for others that were changed, which does no harm. */
const LEFT = '+'
/** So are those that are parked: in braces PostgreSQL reads the same id, should it be asked for a hook of that name. */
const PARKED = '{'
const parkedName = (hookId: string) => `{${hookId}}`

/** A process does not hear itself: what it was told of, it knows. */
export function createNotices({ db, url, log }: { db: Db; url: string; log: Logger }): Notices {
  const own = randomUUID()
  let listening: { close(): Promise<void> } | undefined
  let resting: NodeJS.Timeout | undefined
  /** As they are named. */
  const changed = new Set<string>()
  const left = new Set<string>()
  const parked = new Set<string>()
  let isWaiting = false
  let isClosed = false

  function tell(): void {
    const named = [...changed, ...left, ...parked].slice(0, NAMED_AT_MOST)
    for (const name of named) if (!changed.delete(name) && !left.delete(name)) parked.delete(name)
    isWaiting = changed.size + left.size + parked.size > 0
    resting = setTimeout(() => {
      resting = undefined
      if (isWaiting) tell()
    }, APART_MS).unref()
    db.sql`select pg_notify(${CHANNEL}, ${[own, ...named].join(' ')})`.catch(error =>
      log.debug({ err: error }, 'a notice was not told'),
    )
  }

  return {
    announce: (told = {}) => {
      if (isClosed) return
      for (const hookId of told.changed ?? []) changed.add(hookId)
      for (const hookId of told.left ?? []) left.add(LEFT + hookId)
      for (const hookId of told.parked ?? []) if (parked.size < PARKED_AT_MOST) parked.add(parkedName(hookId))
      isWaiting = true
      if (resting === undefined) tell()
    },
    listen: onNotice => {
      listening ??= listenTo({
        url,
        channel: CHANNEL,
        onNotice: (told = '') => {
          const [from, ...named] = told.split(' ')
          if (from !== own) onNotice(read(named))
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

function read(named: readonly string[]): Told {
  const told = { changed: [] as string[], left: [] as string[], parked: [] as string[] }
  for (const name of named) {
    if (name.startsWith(LEFT)) told.left.push(name.slice(LEFT.length))
    else if (name.startsWith(PARKED)) told.parked.push(name.slice(PARKED.length, -1))
    else told.changed.push(name)
  }
  return told
}
