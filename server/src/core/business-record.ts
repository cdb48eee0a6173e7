import type { Business } from './business.ts'
import { COUNTRIES } from './countries.ts'
import { given } from './given.ts'
import type { Language, OptionalMailKind } from './mail-kind.ts'
import { type Rejection, rejectField } from './rejection.ts'
import { isEuropean, type TaxIdStatus, taxIdProblem } from './tax-id.ts'

export const BUSINESS_STATUSES = ['ACTIVE', 'CLOSED'] as const
export const STORE_STATUSES = ['ACTIVE', 'CLOSED'] as const
/** NEW: not activated yet. */
export const DEVICE_STATUSES = ['NEW', 'ACTIVE', 'CLOSED'] as const

/** Decisions 5, Business: the merchant's record. `country` determines prices. */
export interface BusinessRecord extends Business {
  readonly status: (typeof BUSINESS_STATUSES)[number]
  readonly legalName: string
  readonly doingBusinessAs: string
  readonly emailAddress: string
  readonly phone?: Phone
  readonly address?: Address
  /** IANA name. For people's eyes: all billing is in UTC. */
  readonly timezone: string
  /** Gets the mails about money. Absent: emailAddress. */
  readonly billingEmail?: string
  /** Normalised: capital letters and digits. */
  readonly taxId?: string
  /** Absent: no service has answered yet. */
  readonly taxIdStatus?: TaxIdStatus
  /** The time of the next check of the tax id. Absent if no service checks tax ids. */
  readonly taxIdCheckAt?: Date
  /** The time of the next look-up of the address's tax rate. Absent for test merchants. */
  readonly taxRateCheckAt?: Date
  /** The language of mails. */
  readonly language: Language
  /** Kinds of mail that the business switched off. */
  readonly mailsOff: readonly OptionalMailKind[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The names and address on an invoice. */
export type BusinessNames = Pick<
  BusinessRecord,
  'legalName' | 'doingBusinessAs' | 'emailAddress' | 'address' | 'country' | 'taxId'
>

/** Selects the names of a record. */
export function namesOf(of: BusinessNames): BusinessNames {
  const { legalName, doingBusinessAs, emailAddress, address, country, taxId } = of
  const optional = { ...(address === undefined ? {} : { address }), ...(taxId === undefined ? {} : { taxId }) }
  return { legalName, doingBusinessAs, emailAddress, country, ...optional }
}

/**
 * The record with its check of the tax id. A new tax id or country makes the id unverified, and the id is due for a
 * check now. Test merchants may have invented ids, which no service sees.
 */
export function scheduleTaxIdCheck(business: BusinessRecord, before: BusinessRecord | null, now: Date): BusinessRecord {
  if (before !== null && before.taxId === business.taxId && before.country === business.country) return business
  const { taxIdStatus: _status, taxIdCheckAt: _checkAt, ...unverified } = business
  const { type, taxId, country } = unverified
  const isChecked = type === 'MERCHANT' && taxId !== undefined && isEuropean(country)
  return isChecked ? { ...unverified, taxIdCheckAt: now } : unverified
}

/**
 * The record with the look-up of its address's tax rate: due now if the country or the address is new. Addresses of test
 * merchants never leave the installation.
 */
export function scheduleTaxRateCheck(
  business: BusinessRecord,
  before: BusinessRecord | null,
  now: Date,
): BusinessRecord {
  const isSame = before?.country === business.country && textOf(before.address) === textOf(business.address)
  return isSame || business.type !== 'MERCHANT' ? business : { ...business, taxRateCheckAt: now }
}

function textOf(address: Address | undefined): string | undefined {
  return address && JSON.stringify(addressOf(address))
}

export interface Phone {
  readonly ituCountryCode?: string
  readonly areaCode?: string
  readonly localPhoneNumber?: string
}

export interface Address {
  readonly line1?: string
  readonly line2?: string
  readonly city?: string
  readonly territory?: string
  readonly postalCode?: string
  readonly countryCode?: string
}

/** Keeps the known fields only. */
export function addressOf({ line1, line2, city, territory, postalCode, countryCode }: Address): Address {
  return given({ line1, line2, city, territory, postalCode, countryCode })
}

export interface Store {
  readonly storeId: string
  readonly businessId: string
  readonly displayName: string
  readonly status: (typeof STORE_STATUSES)[number]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A terminal. Wire: device. */
export interface Device {
  readonly deviceId: string
  readonly businessId: string
  readonly storeId: string
  readonly name: string
  readonly serialNumber: string
  readonly status: (typeof DEVICE_STATUSES)[number]
  readonly lastSeenAt?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Returns null if the record is valid: an ISO country (decisions 4), a known time zone, and an organization only for test merchants
 * (decisions 5).
 */
export function rejectBusiness(
  business: Pick<BusinessRecord, 'type' | 'country' | 'timezone' | 'organizationId' | 'address' | 'taxId'>,
): Rejection | null {
  if (business.type === 'MERCHANT' && business.organizationId !== undefined) {
    return rejectField('organizationId', 'is allowed only for a TEST_MERCHANT')
  }
  if (!COUNTRIES.has(business.country)) return rejectField('country', NO_COUNTRY)
  const addressCountry = business.address?.countryCode
  if (addressCountry !== undefined && !COUNTRIES.has(addressCountry)) {
    return rejectField('address.countryCode', NO_COUNTRY)
  }
  const taxProblem = business.taxId === undefined ? null : taxIdProblem(business.taxId, business.country)
  if (taxProblem !== null) return rejectField('taxId', taxProblem)
  if (!isTimezone(business.timezone)) return rejectField('timezone', 'must be an IANA time zone such as Europe/Berlin')
  return null
}

const NO_COUNTRY = 'must be an ISO 3166-1 alpha-2 code in capitals'

function isTimezone(name: string): boolean {
  // An offset such as +02:00 is not a time zone, but would pass the check below.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
