import type { ApiError, Notification } from './contract.ts'
import { TillhookError } from './errors.ts'

export interface EventsOptions {
  /** By default the client's app. */
  readonly appId?: string
  /** The cursor of the last message that you handled. Without a cursor, the stream begins now. */
  readonly after?: string
  /** Called before each wait for the next connection. `error` is absent if the server ended the connection. */
  readonly onDisconnect?: (waitMs: number, error?: Error) => void
  readonly signal?: AbortSignal
}

export type EventMessage =
  /** The first message of each connection. `missed`: you were away for too long, and events before this message may be missing. */
  | { readonly type: 'stream'; readonly streamId: string; readonly missed: boolean; readonly cursor: string }
  /** `body` is the exact text that a webhook would have. */
  | { readonly type: 'notification'; readonly event: Notification; readonly body: string; readonly cursor: string }

type Connect = (cursor: string | undefined, signal: AbortSignal) => Promise<Response>

interface Progress {
  cursor: string | undefined
  failures: number
  /** Ids of the last notifications. */
  readonly seen: Set<string>
}

/** The server sends at least a heartbeat every 15 seconds. */
const SILENT_MS = 45_000
const LONGEST_WAIT_MS = 15_000
/** The server repeats fewer messages after a reconnect. */
const REMEMBERED = 1_000

/** Follows the events of an app, and reconnects until the signal aborts. Throws TillhookError if the server rejects the request. */
export async function* followEvents(connect: Connect, options: EventsOptions): AsyncGenerator<EventMessage> {
  const progress: Progress = { cursor: options.after, failures: 0, seen: new Set() }
  while (!options.signal?.aborted) {
    const error = yield* readConnection(connect, options, progress)
    if (options.signal?.aborted) return
    const waitMs = Math.min(LONGEST_WAIT_MS, 250 * 2 ** progress.failures++) * (0.75 + Math.random() / 2)
    options.onDisconnect?.(waitMs, error)
    await pause(waitMs, options.signal)
  }
}

/** Returns the reason why the connection ended. */
async function* readConnection(
  connect: Connect,
  { signal }: EventsOptions,
  progress: Progress,
): AsyncGenerator<EventMessage, Error | undefined> {
  const connection = new AbortController()
  const end = () => connection.abort()
  signal?.addEventListener('abort', end, { once: true })
  try {
    const response = await unlessSilent(connect(progress.cursor, connection.signal), end)
    if (!response.ok || response.body === null) throw await errorOf(response)
    for await (const message of messagesIn(response.body, end)) {
      progress.failures = 0
      progress.cursor = message.id ?? progress.cursor
      const cursor = progress.cursor ?? ''
      if (message.event === 'stream') yield { type: 'stream', ...JSON.parse(message.data), cursor }
      if (message.event !== 'notification') continue
      const event: Notification = JSON.parse(message.data)
      if (isNew(progress.seen, event.id)) yield { type: 'notification', event, body: message.data, cursor }
    }
    return undefined
  } catch (error) {
    const isFinal = error instanceof TillhookError && error.status < 500 && error.status !== 429
    if (isFinal) throw error
    return error as Error
  } finally {
    signal?.removeEventListener('abort', end)
    end()
  }
}

interface Message {
  readonly id?: string
  readonly event: string
  readonly data: string
}

/** The messages of a text/event-stream. */
async function* messagesIn(body: ReadableStream<Uint8Array>, end: () => void): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await unlessSilent(reader.read(), end)
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n').map(line => line.split(/: ?(.*)/s) as [name: string, value?: string])
      const { id, event = '', data = '' } = Object.fromEntries(lines)
      yield { ...(id !== undefined && { id }), event, data }
    }
  }
}

async function unlessSilent<T>(answer: Promise<T>, end: () => void): Promise<T> {
  const timer = setTimeout(end, SILENT_MS)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}

async function errorOf(response: Response): Promise<TillhookError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<ApiError>
  return new TillhookError(response.status, problem, response.headers.get('service-request-id') ?? undefined)
}

function isNew(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const [oldest] = seen
  if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest)
  return true
}

/** Ends early when the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const go = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    if (signal?.aborted) go()
    else signal?.addEventListener('abort', go, { once: true })
  })
}
