import { Type } from 'typebox'
import { BusinessSummary, MERCHANT_TYPES } from '../../merchants/businesses/schema.ts'
import { Link, listFields, Uuid } from '../../platform/http/wire.ts'

export const BusinessesQuery = Type.Object({
  organizationId: Type.Optional(Uuid),
  type: Type.Optional(Type.Enum(MERCHANT_TYPES)),
  ...listFields,
})

export const BusinessListAnswer = Type.Object({ businesses: Type.Array(BusinessSummary), links: Type.Array(Link) })
