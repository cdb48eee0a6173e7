import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ListenerMessage, Receipt } from './listener.ts'

/** The listener and the deliveries that it received. */
export interface Inbox extends AsyncDisposable {
  readonly url: string
  readonly secret: string
  /** Every POST, in the order of arrival. */
  readonly receipts: readonly Receipt[]
  /** Waits until the listener has acknowledged `count` notifications. Returns false on timeout. */
  waitForAccepted(count: number, options: { withinMs: number; signal: AbortSignal }): Promise<boolean>
}

const POLL_MS = 20

/** Starts the listener process with the secret of the future hook. */
export async function openInbox(onReceipt: (receipt: Receipt) => void): Promise<Inbox> {
  const secret = randomBytes(24).toString('base64url')
  const receipts: Receipt[] = []
  // Detached, so that ctrl-C reaches only this process. This process stops the listener after the service.
  const listener = fork(fileURLToPath(new URL('listener.ts', import.meta.url)), { detached: true, execArgv: [] })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const ended = once(listener, 'exit')
  listener.once('error', reject)
  listener.once('exit', code => reject(new Error(`The listener ended with code ${code}.`)))
  listener.on('message', (message: ListenerMessage) => {
    if ('url' in message) return resolve(message.url)
    receipts.push(message.receipt)
    onReceipt(message.receipt)
  })
  listener.send({ secret })
  return {
    url: await promise,
    secret,
    receipts,
    waitForAccepted: async (count, { withinMs, signal }) => {
      const giveUpAt = performance.now() + withinMs
      while (countAccepted(receipts) < count) {
        if (performance.now() > giveUpAt) return false
        await wait(POLL_MS, undefined, { signal })
      }
      return true
    },
    [Symbol.asyncDispose]: async () => {
      if (listener.exitCode !== null || listener.signalCode !== null) return
      listener.kill()
      await ended
    },
  }
}

/** Counts each notification once, however often it is delivered. */
function countAccepted(receipts: readonly Receipt[]): number {
  return new Set(receipts.filter(({ status }) => status === 200).map(({ id }) => id)).size
}
