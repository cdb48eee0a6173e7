import type { WebSessions } from '../http/session.ts'
import type { Ports } from '../ports.ts'
import { findSession, principalOfSession } from './find.ts'

/** Whose session the cookie of a page is. */
export function createWebSessions(ports: Pick<Ports, 'db' | 'clock'>): WebSessions {
  return {
    async find(cookie) {
      const session = await findSession(ports, cookie)
      if (session === null) return null
      const { sessionId, userName, email, placeName } = session
      return {
        sessionId,
        principal: principalOfSession(session),
        person: { name: userName, email },
        place: { name: placeName ?? 'Tillhook' },
      }
    },
  }
}
