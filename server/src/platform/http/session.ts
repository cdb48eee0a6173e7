import type { Principal } from '../../core/principal.ts'

/** Filled by `sessions` in app.ts: http knows that people have sessions, not where they are kept. */
export interface WebSessions {
  /** The value of the session's cookie → whose it is. Unknown, ended, revoked → null. */
  find(cookie: string): Promise<WebSession | null>
}

/** A person who is signed in, as one of those they may be: the operator, a developer, a merchant. */
export interface WebSession {
  readonly sessionId: string
  readonly principal: Principal
  readonly person: { readonly name: string; readonly email: string }
  /** The business, the organization or the platform that they are signed in to. */
  readonly place: { readonly name: string }
}

/** Where nobody can sign in. */
export const noSessions: WebSessions = { find: async () => null }
