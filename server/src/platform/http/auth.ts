import type { Principal, TerminalUser } from '../../core/principal.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'

/** Filled by `tokens` in app.ts: http knows that callers have tokens, not what a token is. */
export interface Authenticator {
  /**
   * The value of the Authorization header → who calls. Absent, malformed, unknown, expired → INVALID_ACCESS_TOKEN.
   * `userSession`: of the header Service-User-Session, which only a terminal sends.
   */
  authenticate(authorization: string | undefined, userSession?: string): Promise<Principal | Rejection>
}

/** Filled by `business-users` in app.ts: who is signed in on a terminal. */
export interface UserSessions {
  /** Counts as a use of the session. Null: it has ended, or is of another terminal. */
  find(session: { readonly token: string; readonly deviceId: string }): Promise<TerminalUser | null>
}

/** Filled by `rights` in app.ts. Reads the table of decisions 3. */
export interface Authorizer {
  authorize(principal: Principal, operation: Operation, subject: Subject): Promise<'granted' | Rejection>
}
