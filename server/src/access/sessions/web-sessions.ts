import { type Principal, signedIn } from '../../core/principal.ts'
import { viewerOf } from '../../core/viewing.ts'
import type { WebSessions } from '../../platform/http/ports.ts'
import { english } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { findViewing } from '../viewings/store.ts'
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
      const principal = principalOfSession(session)
      const viewing = await viewingOf(ports, principal)
      return {
        sessionId,
        principal: viewing?.viewer ?? principal,
        person: { name, email, ...(language === null ? {} : { language }) },
        workspace: { name: viewing?.workspaceName ?? workspaceName ?? OPERATOR_WORKSPACE },
        ...(viewing && { viewing: { operator: principal, endsAt: viewing.endsAt } }),
      }
    },
  }
}

/** The current viewing of an administrator of the operator. */
async function viewingOf({ db, clock }: Pick<Ports, 'db' | 'clock'>, principal: Principal) {
  const person = signedIn(principal)
  if (principal.kind !== 'operator' || principal.role !== 'ADMIN' || person === null) return null
  const viewing = await findViewing(db.sql, person.sessionId)
  if (viewing === null || viewing.endsAt <= clock.now()) return null
  return { ...viewing, viewer: viewerOf(viewing.workspace, person) }
}
