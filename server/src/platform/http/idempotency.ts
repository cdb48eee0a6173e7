import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Principal, principalName } from '../../core/principal.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Db } from '../db/db.ts'
import { sentRequestId } from './request-id.ts'
import type { AnyRoute } from './route.ts'
import type { WireAnswer } from './wire-answer.ts'

/** Filled by `idempotency` in app.ts: http knows that an answer may be kept, not how. */
export interface Idempotency {
  /** What a key was answered with, without doing anything; null while nothing is kept. Refuses another body under the same key. */
  find(request: KeyedRequest): Promise<WireAnswer | Rejection | null>
  /**
   * Does the work of one key once: the first time `work` runs, its database being the transaction that also keeps the
   * answer; then the kept answer is given again. Refuses another body under the same key, and a key still worked on.
   */
  once(request: KeyedRequest, work: (db: Db) => Promise<WireAnswer>): Promise<WireAnswer | Rejection>
}

/** Decisions 1: "same principal (app, business and user), path, key and body". */
export interface KeyedRequest {
  readonly principal: Principal
  readonly method: string
  /** The route's path and its parameters, so that two spellings of an address are the same. */
  readonly path: string
  readonly params: unknown
  readonly key: string
  readonly body: Buffer
}

/** One name for this request and its repeats, body included: another body under the same key is another request. */
export function nameOf({ principal, method, path, params, key, body }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([principalName(principal), method, path, params, key]))
    .update(body)
    .digest('hex')
}

/** The key of a request; none where the route takes none or the caller sent none. `Idempotency-Key` wins. */
export function idempotencyKeyOf(route: AnyRoute, headers: IncomingHttpHeaders): string | undefined | Rejection {
  if (route.method !== 'POST' || route.idempotent === false) return undefined
  const key = headers['idempotency-key']
  if (key === undefined) return sentRequestId(headers)
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  return rejectField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
}
