import type { Rejection } from '../../core/rejection.ts'
import { PROBLEMS } from './problems.ts'
import type { AnyRoute } from './route.ts'

/**
 * Decisions 2: "Token errors add RFC 6749 `error`": whatever refuses a request to a route that takes forms, http itself included.
 * A use case that knows a better word has said it. RFC 6749 has 5.2 for what the client did, and 4.1.2.1 for what it did not.
 */
export function withOauthError(route: AnyRoute | undefined, rejection: Rejection): Rejection {
  return route?.accepts === 'form'
    ? { oauthError: wordOf(PROBLEMS[rejection.rejected].status), ...rejection }
    : rejection
}

function wordOf(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
