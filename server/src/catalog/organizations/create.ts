import type { Organization } from '../../core/organization.ts'
import type { Ports } from '../../ports.ts'
import { insertOrganization } from './store.ts'

/**
 * Creates an organization. Names may repeat: the id distinguishes organizations. A form that may be sent twice passes the id, and the
 * second submission creates nothing. Decisions 11.
 */
export async function createOrganization(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  {
    organizationId = newId(),
    ...input
  }: { readonly organizationId?: string; readonly name: string; readonly email: string },
): Promise<Organization> {
  const now = clock.now()
  const organization = { organizationId, ...input, createdAt: now, updatedAt: now }
  await db.transaction(tx => insertOrganization(tx.sql, organization))
  return organization
}
