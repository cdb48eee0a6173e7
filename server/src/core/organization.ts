import type { Address } from './business-record.ts'
import { COUNTRIES } from './countries.ts'
import { type Rejection, rejectField } from './rejection.ts'

/** A developer's organization: it owns apps and test merchants, and issues the invoices of its apps. */
export interface Organization {
  readonly organizationId: string
  readonly name: string
  readonly email: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** How an organization is named on its invoices. Another one is another record: invoices keep theirs. */
export interface Seller {
  /** A UUIDv7 of real time, as those of invoices. */
  readonly sellerId: string
  readonly organizationId: string
  readonly legalName: string
  readonly address?: Address
  /** As the tax office writes it, with the name of the tax where one is usual: "VAT DE123456789". */
  readonly taxId?: string
  readonly createdAt: Date
}

/** Null when it can be printed. */
export function refuseSeller({ address }: Pick<Seller, 'address'>): Rejection | null {
  const { countryCode } = address ?? {}
  if (countryCode === undefined || COUNTRIES.has(countryCode)) return null
  return rejectField('address.countryCode', 'must be an ISO 3166-1 alpha-2 code')
}
