import postgres from 'postgres'

interface ListenOptions {
  readonly url: string
  readonly channel: string
  /** Also called without a payload when listening begins or resumes, because earlier notices may be lost. Must not throw. */
  readonly onNotice: (payload?: string) => void
}

/** After a lost connection: long enough not to storm a database that is coming back. */
const AGAIN_MS = 1_000

/**
 * Listens for `pg_notify` on a separate connection and reconnects until `close`. The driver's own `listen` stops for good after one
 * failed reconnection, so this function watches the connection.
 */
export function listenTo({ url, channel, onNotice }: ListenOptions): { close(): Promise<void> } {
  const closing = Promise.withResolvers<void>()
  let isClosed = false
  const ended = run()

  async function run(): Promise<void> {
    while (!isClosed) {
      const lost = Promise.withResolvers<void>()
      const options = {
        max: 1,
        connect_timeout: 2,
        idle_timeout: 0,
        max_lifetime: null,
        fetch_types: false,
        connection: { application_name: 'tillhook notices' },
        onnotice: () => {},
        // The driver supports this option; its types omit it.
        onnotify: (_channel: string, payload: string) => onNotice(payload),
        onclose: () => lost.resolve(),
      }
      const driver = postgres(url, options)
      try {
        // A frozen database never answers, so closing does not wait for the answer.
        await Promise.race([driver`listen ${driver(channel)}`, closing.promise])
        if (!isClosed) onNotice()
        await Promise.race([lost.promise, closing.promise])
      } catch {
        // The database is unavailable. Polling finds the work until then.
      }
      await driver.end({ timeout: 0 }).catch(() => {})
      if (!isClosed) await Promise.race([rest(AGAIN_MS), closing.promise])
    }
  }

  return {
    close: async () => {
      isClosed = true
      closing.resolve()
      await ended
    },
  }
}

function rest(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
