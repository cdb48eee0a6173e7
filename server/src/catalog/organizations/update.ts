import type { Organization } from '../../core/organization.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findOrganization, lockOrganization, saveOrganization } from './store.ts'

export interface OrganizationChanges {
  readonly name?: string
  /** Receives the mails about endpoints, reviews, disputes and payouts. */
  readonly email?: string
}

/** Changes the name or the e-mail of an organization. Issued invoices keep the old values. Sending the same values again changes nothing. */
export async function updateOrganization(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { organizationId, ...changes }: OrganizationChanges & { readonly organizationId: string },
): Promise<Organization | Rejection> {
  return db.transaction(async ({ sql }) => {
    const before = (await lockOrganization(sql, organizationId)) ? await findOrganization(sql, organizationId) : null
    if (before === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
    const organization: Organization = { ...before, ...changes, updatedAt: clock.now() }
    if (organization.name === before.name && organization.email === before.email) return before
    await saveOrganization(sql, organization, newId())
    return organization
  })
}
