import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findInvitation, markRevoked } from './store.ts'

/** Ends an invitation: its link opens nothing any more. One that is over or accepted stays as it is. */
export function revokeInvitation(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  invitationId: string,
): Promise<'revoked' | Rejection> {
  return db.transaction(async ({ sql }) => {
    if ((await findInvitation(sql, invitationId)) === null) {
      return unknownInvitation()
    }
    await markRevoked(sql, invitationId, clock.now())
    return 'revoked'
  })
}

export function unknownInvitation(): Rejection {
  return reject('INVITATION_NOT_FOUND', 'There is no invitation with this id.')
}
