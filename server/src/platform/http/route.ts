import type { Static, TObject, TSchema } from 'typebox'
import type { Principal } from '../../core/principal.ts'
import type { Rejection, RejectionCode } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'

/**
 * One route, as data. The server built from these (`server.ts`) does, in this order and for each request: authenticate → validate against the
 * schemas → `subject` → authorize (`operation`, subject) → receive a file → idempotency → audit → `handle` → send.
 */
export interface Route<P extends TObject, Q extends TObject, B extends TSchema, H extends TObject = TObject> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As find-my-way writes it: `/apps/:appId/plans`. */
  readonly path: string
  /** The operation id in the contract, from which generated clients take names: a unique verb and noun. */
  readonly name: string
  readonly operation: Operation
  /** The operation for callers without the right to `operation`; `call.operation` then has this value. */
  readonly orElse?: Operation
  readonly summary: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly headers?: H
  /** `form`: application/x-www-form-urlencoded. Default: JSON. */
  readonly accepts?: 'json' | 'form'
  /** Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** The body may also come as multipart/form-data, together with a file. */
  readonly upload?: UploadParts
  /** By status: the schema of the body, or null without a body. Answers are serialized by it. */
  readonly answers: Readonly<Record<number, TSchema | null>>
  /** The content type of a response that is not JSON; `image/*` for any picture. */
  readonly contentType?: string
  /** Headers of responses below 400 beside the common ones, as in the contract. */
  readonly sends?: readonly SentHeader[]
  /** Rejections beside those that follow from the route's shape (problems.ts). In tests, any other rejection is a bug. */
  readonly rejections?: readonly RejectionCode[]
  /** Callers are authenticated by a signature, so the limit per address counts only rejected signatures. */
  readonly signed?: true
  /** `false`: callers reuse request ids here, so the ids identify nothing (decisions 1: /token, /hooks). Default: true for POST. */
  readonly idempotent?: boolean
  /** `false`: changes are not attributed to the caller; audit/trail.test.ts gives the reason. Default: true except for GET. */
  readonly audited?: false
  /** The resource of the request, for `authorize`. May read the database; a rejection ends the request. Default: {}. */
  subject?(call: Call<Static<P>, Static<Q>, Static<B>>): Subject | Rejection | Promise<Subject | Rejection>
  /**
   * Network calls before the work. Runs after authorize, outside the transaction of the idempotency key; the result is `call.prepared`.
   * Skipped if the response is stored. Runs again if the request is repeated before a response is stored, so a network call must be
   * idempotent, with `call.once` as its key.
   */
  prepare?(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<unknown>
  /** Undoes `prepare` if `handle` is not called, because another request with the same key has been answered or is in progress. */
  unprepare?(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<void>
  handle?(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<Answer | Rejection>
  /**
   * In place of `handle`, for a hot write: concurrent requests of the route share one transaction (group.ts). Returns one result per call,
   * and records the audit entries itself, because each call is another action. May run again, alone, after an error.
   */
  handleGroup?(
    db: Db,
    calls: readonly Call<Static<P>, Static<Q>, Static<B>>[],
  ): Promise<readonly (Answer | Rejection)[]>
  /**
   * Waits for the outcome of what `handle` committed, and gives the final response. A repeated request waits as well, also after a crash,
   * and gets the response that was stored first. `body` is the body of `handle`, as sent.
   */
  follow?(
    call: Call<Static<P>, Static<Q>, Static<B>>,
    answer: Pick<Answer, 'status' | 'body'>,
  ): Promise<Answer | Rejection>
  /** The status of `handle` that `follow` waits for. */
  readonly follows?: number
}

type SentHeader =
  | 'Content-Disposition'
  | 'Content-Security-Policy'
  | 'Cross-Origin-Resource-Policy'
  | 'ETag'
  | 'Pragma'
  | 'X-Accel-Buffering'
  | 'X-Content-Type-Options'

/** The names of the parts, in order: the JSON that `body` describes, then the file. */
export interface UploadParts {
  readonly json: string
  readonly file: string
  /** The largest accepted file. Default: the server's limit. */
  readonly maxBytes?: number
}

/** The uploaded file, available until the request ends. */
export interface UploadedFile {
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
  /** As the sender said. */
  readonly contentType: string
  /** From its beginning, in pieces of 1 MiB at most. */
  chunks(): AsyncIterable<Buffer>
  /** Exactly this many bytes from a position. Throws a RangeError beyond the end. */
  read(position: number, length: number): Promise<Buffer>
}

export interface Call<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as received, for signatures over its bytes. */
  readonly bytes: Buffer
  /** Absent: the body came by itself. */
  readonly file?: UploadedFile
  readonly principal: Principal
  /** The granted operation: the route's `operation` or its `orElse`. */
  readonly operation: Operation
  readonly requestId: string
  /** The caller's address. */
  readonly address: string
  /**
   * On an idempotent route, the transaction that also stores the response. On a changing route its transactions are attributed to the
   * caller, and changes outside them are not recorded. Pass it on: `{ ...ports, db: call.db }`.
   */
  readonly db: Db
  /** Names this request and its repeats only: derived from the caller, the route and the idempotency key. */
  readonly once: string
  /** The result of `prepare`. */
  readonly prepared?: unknown
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged with its own content type (metrics, PEM). */
  readonly text?: { readonly type: string; readonly content: string }
  /**
   * Like `text`, for content too large to hold in memory or not there yet. Read while being sent, after the route has returned. A `Readable`
   * is destroyed when the caller disconnects. Without a size, the content ends when `chunks` ends.
   */
  readonly stream?: { readonly type: string; readonly size?: number; readonly chunks: AsyncIterable<Buffer | string> }
}

// biome-ignore lint/suspicious/noExplicitAny: a list of routes of many shapes; each was checked by `route` when it was made.
export type AnyRoute = Route<any, any, any, any>

/** Checks a route's shape at compile time, and returns the route with the type of a list of routes. */
export function route<P extends TObject, Q extends TObject, B extends TSchema, H extends TObject = TObject>(
  definition: Route<P, Q, B, H>,
): AnyRoute {
  return definition
}

/** The shape of a route that answers with CSV. */
export const CSV_ROUTE = {
  method: 'GET',
  contentType: 'text/csv',
  sends: ['Content-Disposition'],
  answers: { 200: null },
} as const

/** Source: RFC 4180, 3. */
export function csvAnswer(filename: string, content: string): Answer {
  const headers = { 'content-disposition': `attachment; filename="${filename}"` }
  return { status: 200, headers, text: { type: 'text/csv; charset=utf-8; header=present', content } }
}

/** The headers of answers with tokens (RFC 6749, 5.1), which are not cached. */
export const NOT_KEPT = { 'cache-control': 'no-store', pragma: 'no-cache' }

export function answer(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) }
}
