import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Db } from '../../platform/db/db.ts'
import { listenTo } from '../../platform/db/listen.ts'

/**
 * Notices between processes about queues. A lost notice delays deliveries and loses none, because the owner of a shard regularly reads its
 * whole queue again.
 */
export interface Notices {
  announce(notice: Partial<Notice>): void
  listen(onNotice: (notice: Notice) => void): void
  close(): Promise<void>
}

export interface Notice {
  /** A first attempt was recorded. */
  readonly queued: readonly { readonly hookId: string; readonly seq: number }[]
  /** Hooks that were changed, or whose retries or replays are due now. */
  readonly changed: readonly string[]
  /** Shards are free. */
  readonly isReleased: boolean
}

const CHANNEL = 'tillhook_deliveries'
/** PostgreSQL serializes commits that notify, so the notices of this interval share one commit. */
const APART_MS = 20
/** PostgreSQL allows 8,000 bytes; each hook takes at most 57 with its `seq`. */
const MAX_NAMED = Math.floor((8_000 - 36) / 57)
const RELEASED = 'released'

/** Sends notices to other processes and receives theirs; a process does not receive its own. */
export function createNotices({ db, url, log }: { db: Db; url: string; log: Logger }): Notices {
  const own = randomUUID()
  /** Hook id, and the least `seq` recorded or 0 for a hook that was changed. */
  const named = new Map<string, number>()
  let isReleased = false
  let timer: NodeJS.Timeout | undefined
  let listening: { close(): Promise<void> } | undefined
  let isClosed = false

  function sendNamed(): void {
    const words = [...named].slice(0, MAX_NAMED).map(([hookId, seq]) => {
      named.delete(hookId)
      return `${hookId}:${seq}`
    })
    if (isReleased) words.push(RELEASED)
    isReleased = false
    if (words.length === 0) return
    timer = setTimeout(() => {
      timer = undefined
      sendNamed()
    }, APART_MS).unref()
    db.sql`select pg_notify(${CHANNEL}, ${[own, ...words].join(' ')})`.catch(error =>
      log.debug({ err: error }, 'a notice was not sent'),
    )
  }

  return {
    announce: notice => {
      if (isClosed) return
      for (const { hookId, seq } of notice.queued ?? []) named.set(hookId, Math.min(seq, named.get(hookId) ?? seq))
      for (const hookId of notice.changed ?? []) named.set(hookId, 0)
      isReleased ||= notice.isReleased ?? false
      if (timer === undefined) sendNamed()
    },
    listen: onNotice => {
      listening ??= listenTo({
        url,
        channel: CHANNEL,
        onNotice: (payload = '') => {
          const [from, ...words] = payload.split(' ')
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

function parse(words: readonly string[]): Notice {
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
