import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './embedded-log.ts'
import { findPostmaster, isRunning, type Postmaster, startPostmaster } from './postmaster.ts'
import type { Settings } from './settings.ts'
import type { Site } from './unprivileged.ts'

const LOOK_EVERY_MS = 500
/** Between two starts that failed: a full disk is not mended in a hurry. */
const AFTER_FAILURE_MS = 5_000

export type Watch = {
  /** The server as it runs now. */
  postmaster(): Postmaster
  stop(): Promise<void>
}

/**
 * Brings PostgreSQL back when it dies under the service (killed, out of memory): on the same port, so that pools find it again
 * by themselves. Until then requests are answered 503.
 */
export function keepRunning(
  first: Postmaster,
  { site, logPath, settings, log }: { site: Site; logPath: string; settings: Settings; log: Log },
): Watch {
  const stopped = new AbortController()
  let postmaster = first

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const rested = await rest(LOOK_EVERY_MS)
      if (!rested || (await isRunning(postmaster, site.cluster))) continue
      log.error({ postgresPid: postmaster.pid }, 'PostgreSQL has died; starting it again')
      try {
        await bringBack()
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL does not start; trying again')
        await rest(AFTER_FAILURE_MS)
      }
    }
  }

  async function bringBack(): Promise<void> {
    const other = await findPostmaster(site)
    if (other !== null && other.port !== postmaster.port) {
      log.error(
        { postgresPid: other.pid },
        'another Tillhook has started PostgreSQL on this data meanwhile; stop one of the two',
      )
      return
    }
    postmaster = other ?? (await startPostmaster(site, logPath, settings, postmaster.port))
    log.info({ postgresPid: postmaster.pid, port: postmaster.port }, 'PostgreSQL is back')
  }

  /** False when the rest was cut short by the stop. */
  async function rest(ms: number): Promise<boolean> {
    return await wait(ms, true, { signal: stopped.signal, ref: false }).catch(() => false)
  }

  const ended = watch()
  return {
    postmaster: () => postmaster,
    stop: async () => {
      stopped.abort()
      await ended
    },
  }
}
