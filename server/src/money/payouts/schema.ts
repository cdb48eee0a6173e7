import { Type } from 'typebox'
import { ORGANIZATION_BOOKING_KINDS } from '../../core/ledger.ts'
import { MONTH_PATTERN } from '../../core/statement.ts'
import { Line, PageCount, PageStart, pageOf, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import { type PayoutTransfer, TRANSFER_STATUSES } from './transfers.ts'

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

export const PayoutAccountJson = Type.Object({
  organizationId: Uuid,
  accountId: Type.Optional(Type.String({ description: 'At the payout provider' })),
  status: Type.Enum(['NONE', 'PENDING', 'READY'], { description: 'READY: the provider accepts transfers' }),
})

export const OpenedAccountJson = Type.Object({
  organizationId: Uuid,
  accountId: Type.String(),
  status: Type.Enum(['PENDING', 'READY']),
  onboardingUrl: Type.String({ description: 'The owner opens the link once, within minutes' }),
})

export const TransferBody = Type.Object({
  month: Type.String({ pattern: MONTH_PATTERN, description: 'Closed month (UTC), YYYY-MM' }),
  currency: Currency,
})

export const TransferJson = Type.Object({
  transferId: Uuid,
  organizationId: Uuid,
  month: Type.String(),
  currency: Currency,
  amount: Type.Integer(),
  status: Type.Enum([...TRANSFER_STATUSES]),
  providerTransferId: Type.Optional(Type.String()),
  failure: Type.Optional(Type.String()),
  amountReversed: Type.Integer({ description: 'Taken back from the payout account' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const TransferPageJson = pageOf(TransferJson)

/** By their names in the contract. */
export const PAYOUT_SCHEMAS = {
  PayoutAccount: PayoutAccountJson,
  OpenedPayoutAccount: OpenedAccountJson,
  PayoutTransferRequest: TransferBody,
  PayoutTransfer: TransferJson,
  PayoutTransferList: TransferPageJson,
}

export function transferToJson({ accountId: _, ...transfer }: PayoutTransfer) {
  return timestamped(transfer)
}

export const BookingPageJson = pageOf(Type.Object(fields))

export const BookingQuery = Type.Object({ start: Type.Optional(PageStart), count: Type.Optional(PageCount) })
