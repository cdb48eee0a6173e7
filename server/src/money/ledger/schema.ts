import { Type } from 'typebox'
import { MONTH_PATTERN, MONTH_STATUSES } from '../../core/statement.ts'
import { AppUrn, appUrn, Uuid } from '../../platform/http/wire.ts'
import type { Statement } from './statement.ts'
import type { Balance, MonthOfBalance, OperatorBalance, PlanOfMonth, Sums } from './totals.ts'

export const Month = Type.String({ pattern: MONTH_PATTERN, description: 'Month (UTC), YYYY-MM' })
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' })

export const OrganizationParams = Type.Object({ organizationId: Uuid })
export const StatementParams = Type.Object({ organizationId: Uuid, month: Month })
export const BusinessParams = Type.Object({ businessId: Uuid })

/** Default: MERCHANT. Money of test merchants is listed apart. */
const MerchantType = Type.Optional(Type.Enum(['MERCHANT', 'TEST_MERCHANT']))
export const StatementListQuery = Type.Object({ merchantType: MerchantType })
export const JournalQuery = Type.Object({
  merchantType: MerchantType,
  part: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,4}$', description: 'number of a part, from 1' })),
})
export const StatementQuery = Type.Object({ merchantType: MerchantType, currency: Type.Optional(Currency) })

/** Amounts in minor units. `share` is the operator's; `credited` is the credit of merchants. */
const sums = {
  currency: Currency,
  charges: Type.Integer(),
  charged: Type.Integer(),
  refunds: Type.Integer(),
  refunded: Type.Integer(),
  chargedBack: Type.Integer({ description: 'By payers’ banks' }),
  share: Type.Integer(),
  credited: Type.Integer(),
  tax: Type.Optional(
    Type.Integer({
      description: 'Collected, less the tax of returned money and credit. Owed to the tax office. Absent: none',
    }),
  ),
}

/** Bookings of the organization itself. Absent: none. */
const own = {
  fees: Type.Optional(Type.Integer({ description: 'Fees of the gateway that the organization bears' })),
  paidOut: Type.Optional(Type.Integer()),
  adjusted: Type.Optional(Type.Integer({ description: 'Added by hand; below 0: taken' })),
}

/** `owed` to the developer: charged − refunded − chargedBack − share − credited − tax − fees − paidOut + adjusted. */
const BalanceJson = Type.Object({ ...sums, ...own, owed: Type.Integer() })

const both = { balances: Type.Array(BalanceJson), testBalances: Type.Array(BalanceJson) }
export const OrganizationBalanceJson = Type.Object({ organizationId: Uuid, ...both })
/** All organizations together: `share` is the operator's balance, `owed` the operator's debt to developers. */
const OfOperator = Type.Object({
  ...{ ...sums, ...own, owed: Type.Integer() },
  gatewayFees: Type.Optional(
    Type.Integer({ description: 'Fees of charges that the operator bears, out of its share. Absent: none' }),
  ),
})
export const OperatorBalanceJson = Type.Object({
  balances: Type.Array(OfOperator),
  testBalances: Type.Array(OfOperator),
})

export const BusinessBalanceJson = Type.Object({
  businessId: Uuid,
  balances: Type.Array(
    Type.Object({
      organizationId: Uuid,
      currency: Currency,
      charged: Type.Integer(),
      refunded: Type.Integer(),
      chargedBack: Type.Integer(),
      /** Used by the next invoices before a charge. */
      credit: Type.Integer(),
    }),
  ),
})

/** Balance before the month, net of the month, balance after. */
const month = { ...sums, ...own, opening: Type.Integer(), net: Type.Integer(), closing: Type.Integer() }
const status = Type.Enum([...MONTH_STATUSES])

export const StatementListJson = Type.Object({ list: Type.Array(Type.Object({ month: Month, status, ...month })) })

const LineJson = Type.Object({
  appId: AppUrn,
  appName: Type.String(),
  planId: Uuid,
  planName: Type.String(),
  ...sums,
  net: Type.Integer(),
})

export const StatementJson = Type.Object({
  organizationId: Uuid,
  month: Month,
  status,
  list: Type.Array(Type.Object({ ...month, lines: Type.Array(LineJson) })),
})

export function balanceToJson({ net, ...balance }: Balance) {
  return { ...withoutZeros(balance), owed: net }
}

export function operatorBalanceToJson({ gatewayFees, ...balance }: OperatorBalance) {
  return { ...balanceToJson(balance), ...(gatewayFees !== 0 && { gatewayFees }) }
}

export function monthToJson({ bookings: _, ...found }: MonthOfBalance, status: Statement['status']) {
  return { ...withoutZeros(found), status }
}

export function statementToJson(of: { organizationId: string; month: string }, { status, parts }: Statement) {
  return { ...of, status, list: parts.map(part => ({ ...withoutZeros(part), lines: part.lines.map(lineToJson) })) }
}

function withoutZeros<S extends Pick<Sums, 'tax' | 'fees' | 'paidOut' | 'adjusted'>>(all: S) {
  const { tax, fees, paidOut, adjusted, ...sums } = all
  return {
    ...sums,
    ...(tax !== 0 && { tax }),
    ...(fees !== 0 && { fees }),
    ...(paidOut !== 0 && { paidOut }),
    ...(adjusted !== 0 && { adjusted }),
  }
}

function lineToJson({ appId, fees: _, paidOut: __, adjusted: ___, tax, ...line }: PlanOfMonth) {
  return { appId: appUrn(appId), ...line, ...(tax !== 0 && { tax }) }
}

/** Amounts in minor units. */
export const TaxReportJson = Type.Object({
  month: Month,
  status: Type.Enum([...MONTH_STATUSES]),
  list: Type.Array(
    Type.Object({
      country: Type.String({ description: 'The country of the buyer' }),
      currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' }),
      name: Type.String(),
      rate: Type.String({ description: 'Percent' }),
      reverseCharge: Type.Boolean(),
      net: Type.Integer({ description: 'Without tax, less everything returned' }),
      collected: Type.Integer(),
      returned: Type.Integer({ description: 'Tax of refunds, chargebacks and credit' }),
      tax: Type.Integer({ description: 'Collected less returned' }),
    }),
  ),
  provider: Type.Optional(
    Type.Array(
      Type.Object({
        currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' }),
        recorded: Type.Integer({ description: 'Bookings in the books of the provider' }),
        waiting: Type.Integer({ description: 'Bookings that the provider has not recorded yet' }),
        tax: Type.Integer({ description: 'Tax of the recorded bookings by our books' }),
        providerTax: Type.Integer({ description: 'Tax of the recorded bookings by the books of the provider' }),
        difference: Type.Integer({ description: 'providerTax less tax' }),
      }),
      {
        description:
          'The books of the tax provider, of all organizations. Absent: no booking of the month has a rate by address',
      },
    ),
  ),
})
