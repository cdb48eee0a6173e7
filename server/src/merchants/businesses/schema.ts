import { type Static, Type } from 'typebox'
import {
  addressOf,
  BUSINESS_STATUSES,
  type BusinessRecord,
  DEVICE_STATUSES,
  type Device,
  type Phone,
  STORE_STATUSES,
  type Store,
} from '../../core/business-record.ts'
import { toTimestamp } from '../../core/calendar.ts'
import { given } from '../../core/given.ts'
import { LANGUAGES, OPTIONAL_MAIL_KINDS } from '../../core/mail-kind.ts'
import { TAX_ID_STATUSES } from '../../core/tax-id.ts'
import { Country, DeviceUrn, deviceUrn, Email, Line, PostalAddress, Timestamp, Uuid } from '../../platform/http/wire.ts'
import type { ActivationCode, NewDevice } from './devices.ts'
import type { BusinessWithStores } from './get.ts'

export const BusinessPath = Type.Object({ businessId: Uuid })
export const StorePath = Type.Object({ businessId: Uuid, storeId: Uuid })
export const DevicePath = Type.Object({ businessId: Uuid, deviceId: DeviceUrn })

export const BusinessQuery = Type.Object({ storeDeviceId: DeviceUrn })

export const MERCHANT_TYPES = ['MERCHANT', 'TEST_MERCHANT'] as const

const PhoneNumber = Type.Object({
  ituCountryCode: Type.Optional(Line(8)),
  areaCode: Type.Optional(Line(16)),
  localPhoneNumber: Type.Optional(Line(32)),
})

/** An empty text removes the value. */
const Emptiable = (pattern: string, maxLength: number) => Type.String({ maxLength, pattern: `^$|${pattern}` })

const editable = {
  language: Type.Optional(Type.Enum([...LANGUAGES])),
  mailsOff: Type.Optional(Type.Array(Type.Enum([...OPTIONAL_MAIL_KINDS]), { maxItems: OPTIONAL_MAIL_KINDS.length })),
  doingBusinessAs: Type.Optional(Line(255)),
  phone: Type.Optional(PhoneNumber),
  address: Type.Optional(PostalAddress),
  timezone: Type.Optional(Line(64)),
}

export const NewBusiness = Type.Object({
  legalName: Line(255),
  emailAddress: Email,
  country: Country,
  type: Type.Enum(MERCHANT_TYPES),
  organizationId: Type.Optional(Uuid),
  billingEmail: Type.Optional(Email),
  taxId: Type.Optional(Line(40)),
  ...editable,
})

export const BusinessChanges = Type.Object({
  legalName: Type.Optional(Line(255)),
  emailAddress: Type.Optional(Email),
  country: Type.Optional(Country),
  billingEmail: Type.Optional(
    Emptiable('^[^\\u0000-\\u0020\\uD800-\\uDFFF@]+@[^\\u0000-\\u0020\\uD800-\\uDFFF@]+$', 254),
  ),
  taxId: Type.Optional(Emptiable('^[A-Za-z0-9 .+*/-]+$', 40)),
  ...editable,
})

export const NewStore = Type.Object({ displayName: Line(255) })

export const NewDeviceBody = Type.Object({ name: Line(255), serialNumber: Line(255) })

const deviceFields = {
  deviceId: DeviceUrn,
  name: Type.String(),
  serialNumber: Type.String(),
  status: Type.Enum(DEVICE_STATUSES),
  lastSeenAt: Type.Optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

const storeFields = {
  storeId: Uuid,
  displayName: Type.String(),
  status: Type.Enum(STORE_STATUSES),
  devices: Type.Array(Type.Object(deviceFields)),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const StoreAnswer = Type.Object({ ...storeFields, businessId: Uuid })

const ACTIVATION_CODE =
  'Returned only once. A QR code with `service-store:activate?code=` and the code opens the store app with the code filled in'

export const NewDeviceAnswer = Type.Object({
  ...deviceFields,
  businessId: Uuid,
  storeId: Uuid,
  activationCode: Type.String({ description: ACTIVATION_CODE }),
  activationExpiresAt: Timestamp,
})

export const ActivationCodeAnswer = Type.Object({
  deviceId: DeviceUrn,
  activationCode: Type.String({ description: ACTIVATION_CODE }),
  activationExpiresAt: Timestamp,
})

const summaryFields = {
  businessId: Uuid,
  id: Uuid,
  legalName: Type.String(),
  doingBusinessAs: Type.String(),
  emailAddress: Type.String(),
  phone: Type.Optional(PhoneNumber),
  address: Type.Optional(PostalAddress),
  country: Type.String(),
  timezone: Type.String(),
  type: Type.Enum(MERCHANT_TYPES),
  organizationId: Type.Optional(Uuid),
  status: Type.Enum(BUSINESS_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const BusinessSummary = Type.Object(summaryFields)

/** Decisions 5, Business. */
export const BusinessAnswer = Type.Object({
  ...summaryFields,
  billingEmail: Type.Optional(Type.String()),
  taxId: Type.Optional(Type.String()),
  taxIdStatus: Type.Optional(
    Type.Enum(['UNVERIFIED', ...TAX_ID_STATUSES], {
      description: 'Answer of the service for tax ids. INVALID: future invoices have no reverse charge',
    }),
  ),
  language: Type.Optional(Type.Enum([...LANGUAGES])),
  mailsOff: Type.Optional(Type.Array(Type.Enum([...OPTIONAL_MAIL_KINDS]))),
  stores: Type.Array(Type.Object(storeFields)),
})

/** The editable fields that were sent. */
export function editsOf(body: Static<typeof BusinessChanges>) {
  const { legalName, emailAddress, country, doingBusinessAs, phone, address, timezone } = body
  const { billingEmail, taxId, language, mailsOff } = body
  return given({
    ...{ billingEmail, taxId, language, mailsOff: mailsOff && [...new Set(mailsOff)] },
    ...{ legalName, emailAddress, country, doingBusinessAs, timezone },
    phone: phone && phoneOf(phone),
    address: address && addressOf(address),
  })
}

function phoneOf({ ituCountryCode, areaCode, localPhoneNumber }: Phone) {
  return given({ ituCountryCode, areaCode, localPhoneNumber })
}

export function businessToJson(
  { business, stores, devices }: BusinessWithStores,
  { showsOwner, showsBilling }: { readonly showsOwner: boolean; readonly showsBilling: boolean },
) {
  const { organizationId, ...shown } = businessSummaryToJson(business)
  return {
    ...shown,
    ...(showsOwner ? given({ organizationId }) : {}),
    ...(showsBilling ? given({ billingEmail: business.billingEmail, taxId: business.taxId }) : {}),
    ...(showsBilling && business.taxId !== undefined ? { taxIdStatus: business.taxIdStatus ?? 'UNVERIFIED' } : {}),
    ...(showsBilling ? { language: business.language, mailsOff: [...business.mailsOff] } : {}),
    stores: stores.map(store => storeFieldsOf(store, devices)),
  }
}

export function businessSummaryToJson(business: BusinessRecord) {
  const { businessId, legalName, doingBusinessAs, emailAddress, phone, address, country, timezone } = business
  return {
    ...{ businessId, id: businessId, legalName, doingBusinessAs, emailAddress, country, timezone },
    ...given({ phone, address, organizationId: business.organizationId }),
    ...{ type: business.type, status: business.status, ...times(business) },
  }
}

export function storeToJson(store: Store) {
  return { ...storeFieldsOf(store, []), businessId: store.businessId }
}

export function newDeviceToJson({ device, activationCode, activationExpiresAt }: NewDevice) {
  const { businessId, storeId } = device
  const expires = toTimestamp(activationExpiresAt)
  return { ...deviceFieldsOf(device), businessId, storeId, activationCode, activationExpiresAt: expires }
}

export function activationCodeToJson({ deviceId, activationCode, activationExpiresAt }: ActivationCode) {
  return { deviceId: deviceUrn(deviceId), activationCode, activationExpiresAt: toTimestamp(activationExpiresAt) }
}

function storeFieldsOf({ businessId: _, ...store }: Store, devices: readonly Device[]) {
  const own = devices.filter(({ storeId }) => storeId === store.storeId)
  return { ...store, devices: own.map(deviceFieldsOf), ...times(store) }
}

function deviceFieldsOf({ businessId: _, storeId: __, lastSeenAt, ...device }: Device) {
  const seen = lastSeenAt && { lastSeenAt: toTimestamp(lastSeenAt) }
  return { ...device, deviceId: deviceUrn(device.deviceId), ...seen, ...times(device) }
}

function times({ createdAt, updatedAt }: Pick<BusinessRecord, 'createdAt' | 'updatedAt'>) {
  return { createdAt: toTimestamp(createdAt), updatedAt: toTimestamp(updatedAt) }
}
