import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import type { Organization, Seller } from '../../core/organization.ts'
import { Email, Line, Link, listFields, PostalAddress, Timestamp, Uuid } from '../../platform/http/wire.ts'

export const OrganizationPath = Type.Object({ organizationId: Uuid })

export const NewOrganization = Type.Object({ name: Line(255), email: Email })

export const OrganizationChanges = Type.Object({ name: Type.Optional(Line(255)), email: Type.Optional(Email) })

export const OrganizationAnswer = Type.Object({
  organizationId: Uuid,
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const OrganizationsQuery = Type.Object({ organizationId: Type.Optional(Uuid), ...listFields })

export const OrganizationListAnswer = Type.Object({
  organizations: Type.Array(OrganizationAnswer),
  links: Type.Array(Link),
})

export function organizationToJson({ createdAt, updatedAt, ...organization }: Organization) {
  return { ...organization, createdAt: toTimestamp(createdAt), updatedAt: toTimestamp(updatedAt) }
}

const seller = {
  legalName: Line(255),
  address: Type.Optional(PostalAddress),
  taxId: Type.Optional(Line(64)),
}

export const SellerBody = Type.Object(seller)
export const SellerJson = Type.Object({ ...seller, organizationId: Uuid, createdAt: Timestamp })

export function sellerToJson({ sellerId: _, createdAt, ...seller }: Seller) {
  return { ...seller, createdAt: toTimestamp(createdAt) }
}
