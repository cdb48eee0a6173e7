import { isRejection, type Rejection } from '../../core/rejection.ts'
import { invite } from './invite.ts'
import { type Invitation, markRevoked } from './store.ts'

/**
 * Sends a new link in place of one that was not used, also of one that is over: the old link opens nothing any more. One that
 * was accepted, revoked or renewed meanwhile stays as it is, so that pressing twice sends one.
 */
export function renewInvitation(
  ports: Parameters<typeof invite>[0],
  { invitationId, place, email, role }: Invitation,
  invitedBy: string,
): Promise<'renewed' | Rejection> {
  return ports.db.transaction(async db => {
    if (!(await markRevoked(db.sql, invitationId, ports.clock.now()))) return 'renewed' as const
    const made = await invite({ ...ports, db }, { place, email, role, invitedBy })
    return isRejection(made) ? made : 'renewed'
  })
}
