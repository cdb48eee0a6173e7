import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { ORGANIZATION_BOOKING_KINDS, type OrganizationBooking } from '../../core/ledger.ts'
import { Line, PageCount, PageStart, Timestamp, Uuid } from '../../platform/http/wire.ts'

/** One transfer of a bank; far below the limit of exact integers. */
const LARGEST = 99_999_999_999_999

const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' })

export const OrganizationPath = Type.Object({ organizationId: Uuid })

export const PayoutBody = Type.Object({
  amount: Type.Integer({ minimum: 1, maximum: LARGEST }),
  currency: Currency,
  reference: Line(140),
})

export const AdjustmentBody = Type.Object({
  kind: Type.Enum(['FEE', 'ADJUSTMENT']),
  amount: Type.Integer({ minimum: -LARGEST, maximum: LARGEST, description: 'Below 0 only for an ADJUSTMENT' }),
  currency: Currency,
  reason: Line(140),
})

const fields = {
  bookingId: Uuid,
  organizationId: Uuid,
  kind: Type.Enum([...ORGANIZATION_BOOKING_KINDS]),
  amount: Type.Integer(),
  currency: Currency,
  reference: Type.String(),
  createdAt: Timestamp,
}

export const BookedJson = Type.Object({ ...fields, owed: Type.Integer({ description: 'After the booking' }) })

export const BookingPageJson = Type.Object({
  list: Type.Array(Type.Object(fields)),
  start: Type.Integer(),
  total: Type.Integer(),
  count: Type.Integer(),
})

export const BookingQuery = Type.Object({ start: Type.Optional(PageStart), count: Type.Optional(PageCount) })

export function bookingToJson<B extends OrganizationBooking>(booking: B) {
  return { ...booking, createdAt: toTimestamp(booking.createdAt) }
}
