import { Readable } from 'node:stream'
import { UUID_PATTERN } from '../../core/id.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { disconnectStream, insertStream, type Position, readEvents, renewStream, type Stream } from './store.ts'

/** The interval between two reads. One statement reads for all connections of the process. */
const READ_EVERY_MS = 200
const AFTER_FAILURE_MS = 1_000
/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000
/** Clients reconnect after this time, so a revoked token soon stops working. */
const CONNECTED_MS = 300_000
/** How long a stream outlives its last connection. */
const KEPT_MS = 3_600_000

/** The id of a message: the stream and the position after the message. */
export const CURSOR_PATTERN = UUID_PATTERN.replace('$', '\\.[0-9]{1,15}\\.[0-9]{1,15}$')

export interface OpenOptions {
  /** The id of the last message that the client received. */
  readonly after?: string
  /** True: the response stays open for new events. False: the response ends after the events so far. */
  readonly isLive: boolean
}

/** The open connections of this process. */
export interface EventStreams {
  /**
   * The messages of the apps' events as text/event-stream. With `after`, the stream continues there, if it still exists. Rejects:
   * TOO_MANY_REQUESTS.
   */
  open(of: Omit<Stream, 'streamId'>, options: OpenOptions): Promise<Readable | Rejection>
  /** Ends all connections. */
  close(): void
}

interface Connection {
  readonly streamId: string
  readonly out: Readable
  readonly isLive: boolean
  readonly endsAtMs: number
  position: Position
  sentAtMs: number
  /** The client reads slower than events happen: nothing is read for it. */
  isFull: boolean
  /** The last read found that events are missing, and the client knows. */
  isMissReported: boolean
}

export function createEventStreams(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'log'>): EventStreams {
  const { db, clock, newId, log } = ports
  const connections = new Set<Connection>()
  let isReading = false
  let isClosed = false

  async function open(of: Omit<Stream, 'streamId'>, { after, isLive }: OpenOptions): Promise<Readable | Rejection> {
    const now = clock.now()
    const connectedUntil = isLive ? new Date(now.getTime() + CONNECTED_MS) : null
    const life = { now, expiresAt: new Date(now.getTime() + CONNECTED_MS + KEPT_MS), connectedUntil }
    const known = after === undefined ? null : parseCursor(after)
    const isResumed = known !== null && (await renewStream(db.sql, { ...of, ...known }, { ...known, ...life }))
    if (isResumed) return connect(known.streamId, known, { isLive, hasMissed: false })
    const streamId = newId()
    if (!(await insertStream(db.sql, { ...of, streamId }, life))) {
      const words = 'An app has the maximum number of connected event streams. Close one.'
      return reject('TOO_MANY_REQUESTS', words, { retryAfterSeconds: CONNECTED_MS / 1_000 })
    }
    return connect(streamId, { xid: 0, seq: 0 }, { isLive, hasMissed: after !== undefined })
  }

  function connect(streamId: string, position: Position, start: { isLive: boolean; hasMissed: boolean }): Readable {
    // The client has reconnected. Its previous connection may still look open here.
    for (const older of connections) if (older.streamId === streamId) end(older)
    const { isLive, hasMissed } = start
    const out = new Readable({
      encoding: 'utf8',
      read() {
        connection.isFull = false
      },
      destroy(error, done) {
        leave(connection)
        done(error)
      },
    })
    const nowMs = performance.now()
    const { xid, seq } = position
    const connection: Connection = {
      ...{ streamId, out, isLive, position: { xid, seq }, sentAtMs: nowMs, endsAtMs: nowMs + CONNECTED_MS },
      isFull: false,
      isMissReported: false,
    }
    connections.add(connection)
    push(connection, `retry: 1000\n${welcome(connection, hasMissed)}`)
    if (isClosed) end(connection)
    else if (!isReading) void readAll()
    return out
  }

  async function readAll(): Promise<void> {
    isReading = true
    while (connections.size > 0) {
      let restMs = READ_EVERY_MS
      try {
        await readOnce([...connections].filter(({ isFull }) => !isFull))
      } catch (error) {
        log.warn({ err: error }, 'event streams could not be read; the read is repeated')
        restMs = AFTER_FAILURE_MS
      }
      for (const connection of connections) keepUp(connection)
      if (connections.size > 0) await new Promise(resolve => setTimeout(resolve, restMs).unref())
    }
    isReading = false
  }

  async function readOnce(ready: readonly Connection[]): Promise<void> {
    if (ready.length === 0) return
    const unread = await readEvents(
      db.sql,
      ready.map(({ streamId, position }) => ({ streamId, ...position })),
    )
    for (const [index, connection] of ready.entries()) {
      const found = unread.get(index)
      if (found === undefined) {
        end(connection)
        continue
      }
      const { bodies, hasMissed, reached } = found
      connection.position = reached
      // `hasMissed` stays true while an older transaction holds the position back, so the client is notified only at the first read.
      const first = hasMissed && !connection.isMissReported ? welcome(connection, true) : ''
      connection.isMissReported = hasMissed
      const messages = bodies.map((body, at) => {
        // Within a batch the order differs from that of positions, so only the last message has an id.
        const id = at === bodies.length - 1 ? `id: ${cursorOf(connection)}\n` : ''
        return `${id}event: notification\ndata: ${body}\n\n`
      })
      if (first !== '' || messages.length > 0) push(connection, first + messages.join(''))
      if (!connection.isLive) end(connection)
    }
  }

  /** Sends a heartbeat on an idle connection, and ends an expired connection. */
  function keepUp(connection: Connection): void {
    const nowMs = performance.now()
    if (nowMs >= connection.endsAtMs) end(connection)
    else if (!connection.isFull && nowMs - connection.sentAtMs >= HEARTBEAT_MS) push(connection, ':\n\n')
  }

  function push(connection: Connection, text: string): void {
    if (!connections.has(connection)) return
    connection.sentAtMs = performance.now()
    connection.isFull = !connection.out.push(text)
  }

  function end(connection: Connection): void {
    if (!connections.has(connection)) return
    leave(connection)
    connection.out.push(null)
  }

  function leave(connection: Connection): void {
    if (!connections.delete(connection) || !connection.isLive) return
    if ([...connections].some(({ streamId }) => streamId === connection.streamId)) return
    disconnectStream(db.sql, connection.streamId).catch(error =>
      log.debug({ err: error }, 'the end of an event stream was not saved'),
    )
  }

  return {
    open,
    close: () => {
      isClosed = true
      for (const connection of connections) end(connection)
    },
  }
}

/** Every connection begins with this message. `missed`: events before it may be missing. */
function welcome(connection: Connection, missed: boolean): string {
  const { streamId } = connection
  return `id: ${cursorOf(connection)}\nevent: stream\ndata: ${JSON.stringify({ streamId, missed })}\n\n`
}

function cursorOf({ streamId, position }: Pick<Connection, 'streamId' | 'position'>): string {
  return `${streamId}.${position.xid}.${position.seq}`
}

function parseCursor(cursor: string): (Position & { readonly streamId: string }) | null {
  if (!new RegExp(CURSOR_PATTERN).test(cursor)) return null
  const [streamId = '', xid, seq] = cursor.split('.')
  return { streamId, xid: Number(xid), seq: Number(seq) }
}
