import { Type } from 'typebox'
import { toTimestamp } from '../core/calendar.ts'
import type { Organization } from '../core/organization.ts'
import { Email, Text, Timestamp, Uuid } from '../http/wire.ts'

export const OrganizationPath = Type.Object({ organizationId: Uuid })

export const NewOrganization = Type.Object({ name: Text(255), email: Email })

export const OrganizationAnswer = Type.Object({
  organizationId: Uuid,
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export function organizationToJson(organization: Organization) {
  return {
    organizationId: organization.organizationId,
    name: organization.name,
    email: organization.email,
    createdAt: toTimestamp(organization.createdAt),
    updatedAt: toTimestamp(organization.updatedAt),
  }
}
