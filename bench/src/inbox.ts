import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ListenerCommand, ListenerMessage, ListenerUrls } from './listener.ts'
import { monotonicMs } from './monotonic.ts'
import { createStreams, type Stream } from './stream.ts'

/** The listener and the arrivals of its notifications. */
export interface Inbox extends ListenerUrls, AsyncDisposable {
  /** The instants at which the first notification of each resource arrived. Waits until all have arrived, or none has arrived for `quietMs`. */
  arrivalsOf(resourceIds: readonly string[], options: { quietMs: number; signal: AbortSignal }): Promise<Received>
  /** Opens a stream of notifications whose resource ids contain an instant. */
  openStream(): Stream
  /** Sets how the listener at `unwellUrl` answers from now on. */
  command(command: ListenerCommand): void
}

/** From a resource id to the arrival of its first notification, on the monotonic clock. */
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
    // Delivery is at least once: for a repeated notification the first arrival counts.
    for (const [id, receivedAtMs] of message.arrivals) if (!received.has(id)) received.set(id, receivedAtMs)
    streams.take(message.timed)
  })
  return {
    ...(await promise),
    openStream: streams.open,
    command: command => void listener.send(command),
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
