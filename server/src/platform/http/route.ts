import type { Static, TObject, TSchema } from 'typebox'
import type { Principal } from '../../core/principal.ts'
import type { Rejection, RejectionCode } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'

/**
 * One route, as data. The server built from these (`server.ts`) does, in this order and for each request:
 * authenticate → validate against the schemas → `subject` → authorize (`operation`, subject) → take in a file → idempotency →
 * audit → `handle` → send.
 */
export interface Route<P extends TObject, Q extends TObject, B extends TSchema, H extends TObject = TObject> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As find-my-way writes it: `/apps/:appId/plans`. */
  readonly path: string
  /** What clients made from the contract call it: a verb and a noun, unlike any other's. */
  readonly name: string
  readonly operation: Operation
  /** What a caller without the right to `operation` may have instead; `call.operation` then says so. */
  readonly orElse?: Operation
  readonly summary: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly headers?: H
  /** `form`: application/x-www-form-urlencoded. Default: JSON. */
  readonly accepts?: 'json' | 'form'
  /** The body may also come as multipart/form-data, together with a file. */
  readonly upload?: UploadParts
  /** By status: the schema of the body, or null where there is none. Answers are serialized by it. */
  readonly answers: Readonly<Record<number, TSchema | null>>
  /** Of answers that are no JSON; `image/*` for any picture. */
  readonly contentType?: string
  /** Headers of its answers below 400 beside those of every answer, as the contract names them. */
  readonly sends?: readonly SentHeader[]
  /** What it can refuse with beyond what follows from its shape (rejections.ts). In tests, any other rejection is a bug. */
  readonly rejections?: readonly RejectionCode[]
  /** Callers are known by what they sign: only those who are refused are slowed down, as strangers, also where others share their address. */
  readonly signed?: true
  /** `false`: request ids repeat here and mean nothing (decisions 1: /token, /hooks). Default: true for POST. */
  readonly idempotent?: boolean
  /** `false`: what it changes is not recorded as the caller's act; audit/trail.test.ts says why. Default: true but for GET. */
  readonly audited?: false
  /** What the request is about, for `authorize`. May look the thing up; a rejection ends the request. Default: {}. */
  subject?(call: Call<Static<P>, Static<Q>, Static<B>>): Subject | Rejection | Promise<Subject | Rejection>
  /**
   * What must speak to the network before the work: it runs outside the transaction of the idempotency key, after authorize,
   * and its result is `call.prepared`. Not where the key was answered before; but again with a repeat of a request that was
   * not, so it must itself be idempotent by `call.once`.
   */
  prepare?(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<unknown>
  /**
   * Takes back what `prepare` did where nothing came of it: another request of the same key is answered meanwhile, or still
   * worked on, and `handle` is not called.
   */
  unprepare?(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<void>
  handle(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<Answer | Rejection>
}

type SentHeader =
  | 'Content-Disposition'
  | 'Content-Security-Policy'
  | 'Cross-Origin-Resource-Policy'
  | 'ETag'
  | 'Pragma'
  | 'X-Content-Type-Options'

/** Names of parts, which come in this order: what `body` describes, and the file. */
export interface UploadParts {
  readonly json: string
  readonly file: string
  /** Of the file; what the server takes at the most, where nothing is said. */
  readonly maxBytes?: number
}

/** A file as it was sent, kept until the request is answered. */
export interface UploadedFile {
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** As the sender said. */
  readonly contentType: string
  /** From its beginning, in pieces of 1 MiB at most. */
  chunks(): AsyncIterable<Buffer>
  /** Exactly so many bytes from a position. Throws a RangeError beyond the end. */
  read(position: number, length: number): Promise<Buffer>
}

export interface Call<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as it came, where a signature is over its bytes. */
  readonly bytes: Buffer
  /** Absent: the body came by itself. */
  readonly file?: UploadedFile
  readonly principal: Principal
  /** What was granted: the route's `operation`, or its `orElse`. */
  readonly operation: Operation
  readonly requestId: string
  /** The caller's address. */
  readonly address: string
  /**
   * On an idempotent route: the transaction that also keeps the answer. Where the route changes something, its transactions
   * are the caller's act: a change outside of one is recorded for nobody. Pass it on: `{ ...ports, db: call.db }`.
   */
  readonly db: Db
  /** Names this request and its repeats, and no other: made from the caller, the route and the idempotency key. */
  readonly once: string
  /** What `prepare` gave. */
  readonly prepared?: unknown
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  /** In place of the body: its JSON, as `writerOf` its schema writes it. */
  readonly json?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is, with its own content type (metrics, PEM). */
  readonly text?: { readonly type: string; readonly content: string }
  /** The same, for what no process should hold whole. Read while it is sent, after the route has returned. */
  readonly stream?: { readonly type: string; readonly size: number; readonly chunks: AsyncIterable<Buffer> }
}

// biome-ignore lint/suspicious/noExplicitAny: a list of routes of many shapes; each was checked by `route` when it was made.
export type AnyRoute = Route<any, any, any, any>

/** Checks a route's shape at compile time and gives it to a list. */
export function route<P extends TObject, Q extends TObject, B extends TSchema, H extends TObject = TObject>(
  definition: Route<P, Q, B, H>,
): AnyRoute {
  return definition
}

export function answer(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) }
}
