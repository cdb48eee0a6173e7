import { isRejection, type Rejection } from '../../core/rejection.ts'
import { invite } from './invite.ts'
import { type Invitation, markRevoked } from './store.ts'

/**
 * Sends a new link in place of an open or expired one, which stops working. An accepted, revoked or renewed invitation stays unchanged, so
 * pressing twice sends one mail.
 */
export function renewInvitation(
  ports: Parameters<typeof invite>[0],
  { invitationId, workspace, email, role }: Invitation,
  invitedBy: string,
): Promise<'renewed' | Rejection> {
  return ports.db.transaction(async db => {
    if (!(await markRevoked(db.sql, invitationId, ports.clock.now()))) return 'renewed' as const
    const made = await invite({ ...ports, db }, { workspace, email, role, invitedBy })
    return isRejection(made) ? made : 'renewed'
  })
}
