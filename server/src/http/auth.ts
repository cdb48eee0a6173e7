import type { Principal } from '../core/principal.ts'
import type { Refusal } from '../core/refusal.ts'
import type { Operation, Subject } from '../core/rights.ts'

/** Filled by `tokens` in app.ts: http knows that callers have tokens, not what a token is. */
export interface Authenticator {
  /** The value of the Authorization header → who calls. Absent, malformed, unknown, expired → INVALID_ACCESS_TOKEN. */
  authenticate(authorization: string | undefined): Promise<Principal | Refusal>
}

/** Filled by `rights` in app.ts. Reads the table of decisions 3. */
export interface Authorizer {
  authorize(principal: Principal, operation: Operation, subject: Subject): Promise<'granted' | Refusal>
}
