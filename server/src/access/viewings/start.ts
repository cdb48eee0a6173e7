import { findOrganization } from '../../catalog/organizations/store.ts'
import type { SignedIn } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { VIEWING_MS, type ViewedWorkspace } from '../../core/viewing.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { endExpiredViewing, insertViewing } from './store.ts'

/** The session sees the workspace as its viewer for 30 minutes. A session with a viewing keeps that viewing. */
export function startViewing(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { userId, sessionId }: SignedIn,
  workspace: ViewedWorkspace,
): Promise<'started' | Rejection> {
  return db.transaction(async ({ sql }) => {
    if (workspace.kind === 'DEVELOPER' && (await findOrganization(sql, workspace.organizationId)) === null) {
      return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
    }
    if (workspace.kind === 'MERCHANT' && (await findBusiness(sql, workspace.businessId)) === null) {
      return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    }
    const startedAt = clock.now()
    const endsAt = new Date(startedAt.getTime() + VIEWING_MS)
    await endExpiredViewing(sql, sessionId, startedAt)
    await insertViewing(sql, { viewingId: newId(), sessionId, userId, workspace, startedAt, endsAt })
    return 'started'
  })
}
