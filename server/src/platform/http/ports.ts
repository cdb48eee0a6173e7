import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { NewId } from '../../core/id.ts'
import type { Language } from '../../core/mail-kind.ts'
import { type Principal, principalName } from '../../core/principal.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'
import { pipeline } from '../db/sql.ts'
import type { AnyRoute } from './route.ts'
import type { WireAnswer } from './send.ts'

/** Implemented by `tokens` in app.ts: http knows that callers have tokens, not their format. */
export interface Authenticator {
  /**
   * The value of the Authorization header → who calls. Absent, malformed, unknown, expired → INVALID_ACCESS_TOKEN.
   * `userSession`: of the header Service-User-Session, which only a terminal sends.
   */
  authenticate(authorization: string | undefined, userSession?: string): Promise<Principal | Rejection>
}

/** Filled by `rights` in app.ts. Reads the table of decisions 3. */
export interface Authorizer {
  authorize(principal: Principal, operation: Operation, subject: Subject): Promise<'granted' | Rejection>
}

/** Filled by `sessions` in app.ts: http knows that people have sessions, not where they are kept. */
export interface WebSessions {
  /** The value of the session's cookie → whose it is. Unknown, ended, revoked → null. */
  find(cookie: string): Promise<WebSession | null>
}

/** A signed-in person in one workspace: the operator's, a developer's or a merchant's. */
export interface WebSession {
  readonly sessionId: string
  readonly principal: Principal
  /** `language`: of the person's pages. Absent: the browser's. */
  readonly person: { readonly name: string; readonly email: string; readonly language?: Language }
  /** The business, the organization or the platform that they are signed in to. */
  readonly workspace: { readonly name: string }
  /** The session is an operator's and sees the workspace as its viewer. */
  readonly viewing?: { readonly operator: Principal; readonly endsAt: Date }
}

/** Allows no sign-in. */
export const noSessions: WebSessions = { find: async () => null }

/** Implemented by `audit` in app.ts: http knows that changes are recorded, not how. */
export interface Auditor {
  /** Attributes the rest of the transaction to this action. Triggers record each changed row with the action. */
  attribute(tx: Db, act: AuditAction): Promise<void>
}

/** Who does what. */
export interface AuditAction {
  readonly principal: Principal
  readonly operation: Operation
  readonly method: string
  /** The route's path, with parameter names. */
  readonly path: string
  readonly requestId: string
}

/** A database whose transactions belong to one action. A statement outside a transaction is not attributed or recorded. */
export function auditedDb(db: Db, auditor: Auditor, act: AuditAction): Db {
  return {
    get sql() {
      return db.sql
    },
    transaction: work =>
      db.transaction(async tx => {
        // Sent first, so the action is set before any change. Waiting for the response would cost a round trip.
        const [, result] = await pipeline([auditor.attribute(tx, act), work(tx)])
        return result
      }),
  }
}

/** Filled by `idempotency` in app.ts: http knows that an answer may be kept, not how. */
export interface Idempotency {
  /** The stored response of the key, or null. Rejects another body under the same key. Changes nothing. */
  find(request: KeyedRequest): Promise<WireAnswer | Rejection | null>
  /**
   * Does the work of each key once: `work` gets the positions of the requests that have no stored response, in the transaction that also
   * stores their responses. A request without a key (null) always reaches `work`. Rejects another body under the same key, and a key in use.
   */
  onceEach(
    requests: readonly (KeyedRequest | null)[],
    work: (db: Db, asked: readonly number[]) => Promise<readonly WireAnswer[]>,
  ): Promise<(WireAnswer | Rejection)[]>
  /** Stores the final response of a key whose stored response is PROVISIONAL. Returns the response that was stored first. */
  finish(request: KeyedRequest, answer: WireAnswer): Promise<WireAnswer | Rejection>
}

/** The status of a stored response whose outcome is awaited after the commit (`Route.follow`). Never sent. */
export const PROVISIONAL = 102

/** Decisions 1: "same principal (app, business and user), path, key and body". */
export interface KeyedRequest {
  readonly principal: Principal
  readonly method: string
  /** The route's path and parameters, so two spellings of a URL are equal. */
  readonly path: string
  readonly params: unknown
  readonly key: string
  readonly body: Buffer
}

/** One name for this request and its repeats. Another body under the same key is another request. */
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

/** Decisions 1: `Service-Request-Id` is echoed. If absent or invalid, the server generates an id. */
export function requestIdOf(headers: IncomingHttpHeaders, newId: NewId): string {
  return sentRequestId(headers) ?? newId()
}

/** The caller's own request id: 1 to 128 visible ASCII characters. */
function sentRequestId(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['service-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : undefined
}
