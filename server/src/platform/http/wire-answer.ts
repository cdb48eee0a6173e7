import type { Readable } from 'node:stream'
import { type Rejection, reject } from '../../core/rejection.ts'
import { PROBLEMS } from './problems.ts'

/** An answer as its bytes go out, without the headers that every answer has. What an idempotency key keeps. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** In place of the body. Only of what is not kept. */
  readonly stream?: Readable
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Interface, Versioning: "`api-version` with value `1.2`". Decisions 1: an unknown value is served as 1.2. */
const API_VERSION = '1.2'

/** Headers of every answer, whatever its status. One with secrets in it must not be kept by a cache on the way. */
export function everyAnswerHeaders(requestId: string): Record<string, string> {
  return {
    ...{ 'service-request-id': requestId, 'api-version': API_VERSION, 'cache-control': 'no-store' },
    // A JSON or CSV answer has texts of other people in it, which no browser shall take for a page.
    'x-content-type-options': 'nosniff',
  }
}

/** Decisions 1: the one body of every status from 400 up. */
export function rejectionAnswer(rejection: Rejection, requestId: string): WireAnswer {
  const { status, message } = PROBLEMS[rejection.rejected]
  const body = {
    code: rejection.rejected,
    httpStatus: status,
    message,
    developerMessage: rejection.developerMessage,
    requestId,
    ...(rejection.fields && { fields: rejection.fields }),
    // RFC 6749, 5.2.
    ...(rejection.oauthError && { error: rejection.oauthError, error_description: rejection.developerMessage }),
  }
  return {
    status,
    headers: { 'content-type': JSON_TYPE, ...rejectionHeaders(rejection, status) },
    body: JSON.stringify(body),
  }
}

export function internalError(): Rejection {
  return reject(
    'INTERNAL_ERROR',
    'It was logged under the requestId. Repeat it later, a POST with the same request id.',
  )
}

export function rejectionHeaders(rejection: Rejection, status: number): Record<string, string> {
  return {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(rejection.retryAfterSeconds !== undefined && { 'retry-after': String(rejection.retryAfterSeconds) }),
  }
}
