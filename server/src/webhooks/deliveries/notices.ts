import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../../platform/db/db.ts'
import { listenTo } from '../../platform/db/listen.ts'

/** What processes tell each other about queues. A lost notice costs time only: the owner of a shard reads the whole queue again and again. */
export interface Notices {
  announce(told: Partial<Told>): void
  listen(onNotice: (told: Told) => void): void
  close(): Promise<void>
}

export interface Told {
  /** A first attempt was recorded. */
  readonly queued: readonly { readonly hookId: string; readonly seq: number }[]
  /** Hooks that were changed, or whose retries or replays are due now. */
  readonly changed: readonly string[]
  /** Shards are free. */
  readonly isReleased: boolean
}

const CHANNEL = 'tillhook_deliveries'
/** Commits that notify take turns in PostgreSQL: notices of this time travel together. */
const APART_MS = 20
/** PostgreSQL allows 8,000 bytes. */
const MAX_NAMED = 140
const RELEASED = 'released'

/** A process does not hear its own notices. */
export function createNotices({ db, url, log }: { db: Db; url: string; log: Logger }): Notices {
  const own = randomUUID()
  /** Hook id, and the least `seq` recorded or 0 for a hook that was changed. */
  const named = new Map<string, number>()
  let isReleased = false
  let timer: NodeJS.Timeout | undefined
  let listening: { close(): Promise<void> } | undefined
  let isClosed = false

  function tell(): void {
    const words = [...named].slice(0, MAX_NAMED).map(([hookId, seq]) => {
      named.delete(hookId)
      return `${hookId}:${seq}`
    })
    if (isReleased) words.push(RELEASED)
    isReleased = false
    if (words.length === 0) return
    timer = setTimeout(() => {
      timer = undefined
      tell()
    }, APART_MS).unref()
    db.sql`select pg_notify(${CHANNEL}, ${[own, ...words].join(' ')})`.catch(error =>
      log.debug({ err: error }, 'a notice was not sent'),
    )
  }

  return {
    announce: told => {
      if (isClosed) return
      for (const { hookId, seq } of told.queued ?? []) named.set(hookId, Math.min(seq, named.get(hookId) ?? seq))
      for (const hookId of told.changed ?? []) named.set(hookId, 0)
      isReleased ||= told.isReleased ?? false
      if (timer === undefined) tell()
    },
    listen: onNotice => {
      listening ??= listenTo({
        url,
        channel: CHANNEL,
        onNotice: (told = '') => {
          const [from, ...words] = told.split(' ')
          if (from !== own) onNotice(parse(words))
        },
      })
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await listening?.close()
    },
  }
}

function parse(words: readonly string[]): Told {
  const hooks = words
    .filter(word => word !== RELEASED)
    .map(word => {
      const [hookId = '', seq] = word.split(':')
      return { hookId, seq: Number(seq) }
    })
  return {
    queued: hooks.filter(({ seq }) => seq > 0),
    changed: hooks.filter(({ seq }) => seq === 0).map(({ hookId }) => hookId),
    isReleased: words.includes(RELEASED),
  }
}
