import { assert } from '../../core/assert.ts'
import { type Principal, type SignedIn, signedIn } from '../../core/principal.ts'
import { principalOf, sessionExpiresAt, USE_NOTED_EACH_MS } from '../../core/session.ts'
import { hashSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { findSessionByToken, noteUse, type Session } from './store.ts'

/** Prefix of session tokens: distinguishes them from access tokens, and lets a scanner recognise a leaked token. */
export const SESSION_PREFIX = 'ses_'

/**
 * The session of a token, or null if the session is unknown or over. Read on each request, so that a sign-out, a removal or a new role
 * applies to the next request.
 */
export async function findSession({ db, clock }: Pick<Ports, 'db' | 'clock'>, token: string): Promise<Session | null> {
  if (!token.startsWith(SESSION_PREFIX)) return null
  const session = await findSessionByToken(db.sql, hashSecret(token))
  const now = clock.now()
  if (session === null || expiresAt(session) <= now) return null
  if (now.getTime() - session.usedAt.getTime() >= USE_NOTED_EACH_MS) await noteUse(db.sql, session.sessionId, now)
  return session
}

export function principalOfSession({ sessionId, membership, mfaVerifiedAt }: Session): Principal {
  return principalOf(membership, { sessionId, isMfaVerified: mfaVerifiedAt !== null })
}

export function expiresAt({ membership, createdAt, usedAt }: Session): Date {
  return sessionExpiresAt(membership.workspace.kind, { createdAt, usedAt })
}

/** The person of a request whose operation is `account.manage`. */
export function personOf(principal: Principal): SignedIn {
  const person = signedIn(principal)
  assert(person !== null, 'account.manage is only of who signed in')
  return person
}
