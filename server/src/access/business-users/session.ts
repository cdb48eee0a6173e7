import { createHash, randomBytes } from 'node:crypto'
import { TERMINAL_SESSION_IDLE_MS } from '../../core/business-user.ts'
import type { UserSessions } from '../../platform/http/ports.ts'
import type { Ports } from '../../ports.ts'
import { purgeTerminalSessions, useTerminalSession } from './session-store.ts'

/** 256 random bits, so a plain hash protects the stored token. The prefix identifies a leaked token. */
export function makeSessionToken(): string {
  return `tus_${randomBytes(32).toString('base64url')}`
}

export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Finds the signed-in user of a terminal for the authenticator. Each lookup counts as a use, so that only idle sessions end. Decisions 9.
 */
export function createUserSessions({ db, clock }: Pick<Ports, 'db' | 'clock'>): UserSessions {
  return {
    find: ({ token, deviceId }) => {
      const now = clock.now()
      const idleSince = new Date(now.getTime() - TERMINAL_SESSION_IDLE_MS)
      return useTerminalSession(db.sql, { tokenHash: hashSessionToken(token), deviceId }, { now, idleSince })
    },
  }
}

/** Long enough for questions about who was signed in. */
const KEPT_MS = 30 * 24 * 3_600_000
const BATCH = 1_000

/** Deletes one batch of sessions that ended long ago. Returns how many. */
export function forgetTerminalSessions({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeTerminalSessions(db.sql, new Date(clock.now().getTime() - KEPT_MS), BATCH)
}
