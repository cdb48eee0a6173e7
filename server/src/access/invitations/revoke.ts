import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findInvitation, markRevoked } from './store.ts'

/** Ends an invitation and its link. An ended or accepted invitation stays unchanged. */
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
