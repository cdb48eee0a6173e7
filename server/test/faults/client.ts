import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of many shapes and asserts each.
export type Json = Record<string, any>

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

export interface SendOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A careful client with the operator key: repeats a request under the same key until it is answered. */
export interface Client {
  /** Until `serveAt` no service answers, and the client waits. */
  serveNowhere(): void
  /** The new address of the service. */
  serveAt(url: string): void
  /** One request and its response. Rejects without a response. */
  send(method: string, path: string, options?: SendOptions): Promise<Received>
  /** Repeats a request until its success. Fails when the request never succeeds. */
  post(path: string, body: unknown): Promise<Json>
  get(path: string): Promise<Json>
  /** Statuses of all responses to `post` and `get`. */
  readonly statuses: ReadonlySet<number>
  /** Ends the repetition. */
  stop(): void
}

/** After the service has been up for this time. */
const ANSWERED_WITHIN_MS = 60_000
/** Longer than the slowest request, 27 s without a database. */
const ONE_ANSWER_WITHIN_MS = 45_000
const AGAIN_MS = 20

export function createClient(operatorKey: string): Client {
  let url = ''
  let servedSince = performance.now()
  let stopped = false
  const statuses = new Set<number>()
  const client: Client = {
    statuses,
    stop: () => {
      stopped = true
    },
    serveNowhere: () => {
      servedSince = Number.POSITIVE_INFINITY
    },
    serveAt: given => {
      url = given
      servedSince = performance.now()
    },
    send: async (method, path, { body, headers } = {}) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${operatorKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(ONE_ANSWER_WITHIN_MS),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) }
    },
    post: async (path, body) => {
      const headers = { 'idempotency-key': randomUUID() }
      const received = await untilAnswered(`POST ${path}`, () => client.send('POST', path, { body, headers }))
      assert.equal(Math.floor(received.status / 100), 2, `POST ${path}: ${JSON.stringify(received.body)}`)
      return received.body
    },
    get: async path => {
      const received = await untilAnswered(`GET ${path}`, () => client.send('GET', path))
      assert.equal(received.status, 200, `GET ${path}: ${JSON.stringify(received.body)}`)
      return received.body
    },
  }
  return client

  async function untilAnswered(what: string, send: () => Promise<Received>): Promise<Received> {
    const askedAt = performance.now()
    for (;;) {
      const received = await send().catch((error: Error) => error)
      if (received instanceof Error) {
        if (received.name === 'TimeoutError') throw new Error(`${what} was accepted and not answered`)
      } else {
        statuses.add(received.status)
        // The transaction of a killed service may hold the key until PostgreSQL notices.
        const isAnswer = received.status !== 503 && received.body.code !== 'REQUEST_IN_PROGRESS'
        if (isAnswer) return received
      }
      if (stopped || performance.now() > Math.max(askedAt, servedSince) + ANSWERED_WITHIN_MS) {
        const last = received instanceof Error ? received : JSON.stringify(received.body)
        throw new Error(`No answer to ${what} before the end, last: ${last}`)
      }
      await wait(AGAIN_MS)
    }
  }
}
