import type { Address } from './business-record.ts'
import { COUNTRIES } from './countries.ts'
import { type Rejection, rejectField } from './rejection.ts'

/** A developer's organization: owner of apps and test merchants, seller on invoices. */
export interface Organization {
  readonly organizationId: string
  readonly name: string
  readonly email: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The seller on invoices. A change creates another record, and issued invoices keep theirs. */
export interface Seller {
  /** A UUIDv7 in real time, like invoice ids. */
  readonly sellerId: string
  readonly organizationId: string
  readonly legalName: string
  readonly address?: Address
  /** As the tax office writes it, with the name of the tax if usual: "VAT DE123456789". */
  readonly taxId?: string
  readonly createdAt: Date
}

/** Returns null if the seller can be printed. */
export function rejectSeller({ address }: Pick<Seller, 'address'>): Rejection | null {
  const { countryCode } = address ?? {}
  if (countryCode === undefined || COUNTRIES.has(countryCode)) return null
  return rejectField('address.countryCode', 'must be an ISO 3166-1 alpha-2 code')
}
