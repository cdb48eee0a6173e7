import { type Static, Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { CHARGE_STATUSES } from '../../core/charge.ts'
import { UUID_PATTERN } from '../../core/id.ts'
import { MONTH_PATTERN } from '../../core/statement.ts'
import { AppUrn, appUrn, DECLARED, PageCount, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import type { NextActionKey } from '../subscriptions/store.ts'
import { CHARGE_STATES, REFUND_STATES, type UnsettledCharge, type UnsettledRefund } from './unsettled.ts'
import type { Upcoming } from './upcoming.ts'

const Count = Type.Optional(PageCount)
export const Month = Type.String({ pattern: MONTH_PATTERN, description: 'Month (UTC), YYYY-MM' })
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' })

/** Cursor of upcoming charges: milliseconds and a subscription. */
const CURSOR = UUID_PATTERN.replace('^', '^\\d{1,13}\\.')

export const UpcomingQuery = Type.Object({
  days: Type.Optional(
    Type.String({
      pattern: '^([1-9]|[1-8]\\d|90)$',
      description: 'number from 1 to 90',
      [DECLARED]: { type: 'integer', minimum: 1, maximum: 90 },
    }),
  ),
  count: Count,
  after: Type.Optional(Type.String({ pattern: CURSOR, description: '`next` of the previous page of results' })),
})

/** Days and list of the subscriptions of this page of results. */
export const UpcomingJson = Type.Object({
  days: Type.Array(
    Type.Object({ day: Type.String(), currency: Currency, charges: Type.Integer(), amount: Type.Integer() }),
  ),
  list: Type.Array(
    Type.Object({
      subscriptionId: Uuid,
      appId: AppUrn,
      businessId: Uuid,
      planId: Uuid,
      currency: Currency,
      charges: Type.Integer(),
      amount: Type.Integer(),
      firstAt: Timestamp,
    }),
  ),
  count: Type.Integer(),
  next: Type.Optional(Type.String()),
})

export const ChargesQuery = Type.Object({
  state: Type.Optional(Type.Enum([...CHARGE_STATES])),
  count: Count,
  after: Type.Optional(Uuid),
})
export const RefundsQuery = Type.Object({
  state: Type.Optional(Type.Enum([...REFUND_STATES])),
  count: Count,
  after: Type.Optional(Uuid),
})
export const QuarantinedQuery = Type.Object({ count: Count })

const unsettled = {
  invoiceId: Uuid,
  businessId: Uuid,
  businessName: Type.String(),
  amount: Type.Integer(),
  currency: Currency,
  startedAt: Timestamp,
  pollCount: Type.Integer(),
  nextPollAt: Type.Optional(Timestamp),
  quarantined: Type.Optional(Type.Object({ failures: Type.Integer(), lastError: Type.String() })),
}

export const ChargeParams = Type.Object({ chargeId: Uuid })

export const ChargeJson = Type.Object({
  chargeId: Uuid,
  subscriptionId: Uuid,
  status: Type.Enum([...CHARGE_STATUSES]),
  reason: Type.Optional(Type.String()),
  waitsUntil: Type.Optional(Timestamp),
  gateway: Type.Optional(Type.String({ description: 'absent if the business had no payment method' })),
  ...unsettled,
})

export const ChargesJson = Type.Object({ list: Type.Array(ChargeJson), next: Type.Optional(Uuid) })

export const RefundsJson = Type.Object({
  list: Type.Array(Type.Object({ refundId: Uuid, reason: Type.String(), origin: Type.String(), ...unsettled })),
  next: Type.Optional(Uuid),
})

export const QuarantinedJson = Type.Object({
  list: Type.Array(
    Type.Object({
      kind: Type.String(),
      rowId: Uuid,
      failures: Type.Integer(),
      lastError: Type.String(),
      retryAt: Timestamp,
    }),
  ),
})

/** By the names of the OpenAPI document. */
export const UNSETTLED_SCHEMAS = {
  UnsettledCharge: ChargeJson,
  UnsettledCharges: ChargesJson,
  UnsettledRefunds: RefundsJson,
  QuarantinedList: QuarantinedJson,
}

export const RevenueQuery = Type.Object({ month: Type.Optional(Month), currency: Type.Optional(Currency) })

const BasisPoints = Type.Optional(Type.Integer({ description: 'basis points' }))

const RevenueOfCurrency = Type.Object({
  currency: Currency,
  /** The monthly amount of the subscriptions paying at the end of the month, or now. */
  mrr: Type.Object({ amount: Type.Integer(), subscriptions: Type.Integer() }),
  /** Trials that ended within the month, and those with a paid invoice since. */
  trials: Type.Object({ ended: Type.Integer(), converted: Type.Integer(), rate: BasisPoints }),
  /** Subscriptions paying at the start of the month, and those that ended within the month. */
  churn: Type.Object({
    before: Type.Integer(),
    churned: Type.Integer(),
    rate: BasisPoints,
    beforeAmount: Type.Integer(),
    churnedAmount: Type.Integer(),
    amountRate: BasisPoints,
  }),
  /** Invoices that became past due within the month: paid since, or still open. */
  recovery: Type.Object({
    pastDue: Type.Integer(),
    recovered: Type.Integer(),
    open: Type.Integer(),
    rate: BasisPoints,
    pastDueAmount: Type.Integer(),
    recoveredAmount: Type.Integer(),
  }),
})
/**
 * The numbers of one currency, without test merchants. Amounts in minor units, rates in basis points. A rate whose
 * denominator is 0 is absent.
 */
export type Revenue = Static<typeof RevenueOfCurrency>

/** Amounts in minor units. docs/operating.md has the definitions. */
export const RevenueJson = Type.Object({ month: Month, list: Type.Array(RevenueOfCurrency) })

export function cursorOf({ at, subscriptionId }: NextActionKey): string {
  return `${at.getTime()}.${subscriptionId}`
}

export function keyOf(cursor: string): NextActionKey {
  const [ms = '', subscriptionId = ''] = cursor.split('.')
  return { at: new Date(Number(ms)), subscriptionId }
}

export function upcomingToJson({ days, list, next }: Upcoming) {
  return {
    days,
    list: list.map(({ subscription, charges, amount, firstAt }) => {
      const { subscriptionId, appId, businessId, planId, currency } = subscription
      const of = { subscriptionId, appId: appUrn(appId), businessId, planId, currency }
      return { ...of, charges, amount, firstAt: toTimestamp(firstAt) }
    }),
    count: list.length,
    ...(next === undefined ? {} : { next: cursorOf(next) }),
  }
}

export function unsettledToJson(unsettled: (UnsettledCharge | UnsettledRefund) & { readonly leased?: boolean }) {
  const { failures, lastError, leased: _, ...row } = unsettled
  return { ...timestamped(row), ...(lastError === undefined ? {} : { quarantined: { failures, lastError } }) }
}
