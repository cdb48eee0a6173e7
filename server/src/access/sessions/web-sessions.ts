import type { WebSessions } from '../../platform/http/ports.ts'
import { english } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { findSession, principalOfSession } from './find.ts'

/** Name of the operator's workspace. */
export const OPERATOR_WORKSPACE = english('Operator')

/** Fills the port of the pages: a cookie holds the same token as a bearer does. */
export function createWebSessions(ports: Pick<Ports, 'db' | 'clock'>): WebSessions {
  return {
    async find(cookie) {
      const session = await findSession(ports, cookie)
      if (session === null) return null
      const { sessionId, userName: name, email, language, workspaceName } = session
      return {
        sessionId,
        principal: principalOfSession(session),
        person: { name, email, ...(language === null ? {} : { language }) },
        workspace: { name: workspaceName ?? OPERATOR_WORKSPACE },
      }
    },
  }
}
