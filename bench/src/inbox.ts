import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ListenerMessage, ListenerOrder, ListenerUrls } from './listener.ts'
import { monotonicMs } from './monotonic.ts'
import { createStreams, type Stream } from './stream.ts'

/** The listener, and when it got what. */
export interface Inbox extends ListenerUrls, AsyncDisposable {
  /** When the first notification about each resource came. Waits until all have come, or none has for `quietMs`. */
  arrivalsOf(resourceIds: readonly string[], options: { quietMs: number; signal: AbortSignal }): Promise<Received>
  /** Opens a stream of notifications whose resource ids contain an instant. */
  openStream(): Stream
  /** How the listener at `unwellUrl` answers from now on. */
  tell(order: ListenerOrder): void
}

/** From a resource to the instant at which it came, on the monotonic clock. */
export type Received = ReadonlyMap<string, number>

const POLL_MS = 50

export async function openInbox(): Promise<Inbox> {
  // Detached: ctrl-C in a terminal reaches only this process, which ends the listener after the service.
  const listener = fork(fileURLToPath(new URL('listener.ts', import.meta.url)), { detached: true, execArgv: [] })
  const { promise, resolve, reject } = Promise.withResolvers<ListenerUrls>()
  const ended = once(listener, 'exit')
  listener.once('error', reject)
  listener.once('exit', code => reject(new Error(`The listener ended with code ${code}.`)))
  const received = new Map<string, number>()
  const streams = createStreams()
  let lastAtMs = 0
  listener.on('message', (message: ListenerMessage) => {
    if ('url' in message) return resolve(message)
    lastAtMs = monotonicMs()
    // At least once: a repeated one came when it first came.
    for (const [id, receivedAtMs] of message.arrivals) if (!received.has(id)) received.set(id, receivedAtMs)
    streams.take(message.timed)
  })
  return {
    ...(await promise),
    openStream: streams.open,
    tell: order => void listener.send(order),
    arrivalsOf: async (resourceIds, { quietMs, signal }) => {
      const from = monotonicMs()
      const isMissing = () => resourceIds.some(id => !received.has(id))
      while (isMissing() && monotonicMs() - Math.max(from, lastAtMs) < quietMs) {
        await wait(POLL_MS, undefined, { signal })
      }
      return received
    },
    [Symbol.asyncDispose]: async () => {
      if (listener.exitCode !== null || listener.signalCode !== null) return
      listener.kill()
      await ended
    },
  }
}
