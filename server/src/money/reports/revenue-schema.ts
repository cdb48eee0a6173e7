import { type Static, Type } from 'typebox'
import { MERCHANT_TYPES } from '../../merchants/businesses/schema.ts'
import { AppUrn, DECLARED, Uuid } from '../../platform/http/wire.ts'
import { Currency, Month } from './schema.ts'

/** The use case parses the text, so that its rejection names the field. */
const Day = Type.String({
  description: 'Day (UTC), YYYY-MM-DD, or an RFC 3339 instant of the day',
  [DECLARED]: { type: 'string', pattern: '^(19[7-9]\\d|[2-9]\\d{3})-\\d{2}-\\d{2}' },
})

const whose = { organizationId: Type.Optional(Uuid), appId: Type.Optional(AppUrn) }
const which = {
  currency: Type.Optional(Currency),
  merchantType: Type.Optional(Type.Enum(MERCHANT_TYPES)),
}

export const DailyQuery = Type.Object({
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  ...whose,
  planId: Type.Optional(Uuid),
  ...which,
})

export const CountriesQuery = Type.Object({ from: Type.Optional(Month), to: Type.Optional(Month), ...whose, ...which })

/** Subscriptions or payments, and their sum in minor units. */
const FigureJson = Type.Object({ count: Type.Integer(), amount: Type.Integer() })
export type Figure = Static<typeof FigureJson>

/** The revenue of one day. Contraction and churn are negative; their counts too. */
const RevenueDayJson = Type.Object({
  day: Type.String(),
  mrr: Type.Integer({ description: 'Monthly recurring revenue at the end of the day' }),
  /** At the end of the day. */
  subscribers: Type.Integer(),
  new: FigureJson,
  expansion: FigureJson,
  contraction: FigureJson,
  churn: FigureJson,
  trialsStarted: Type.Integer(),
  trialsConverted: Type.Integer(),
  trialsEnded: Type.Integer(),
  pastDue: FigureJson,
  recovered: FigureJson,
  lost: FigureJson,
  collected: FigureJson,
  refunded: FigureJson,
  chargedBack: FigureJson,
})
export type RevenueDay = Static<typeof RevenueDayJson>

const DailyRevenueOfCurrency = Type.Object({
  currency: Type.String(),
  /** Before the first day. */
  opening: Type.Object({ mrr: Type.Integer(), subscribers: Type.Integer() }),
  days: Type.Array(RevenueDayJson),
})
export type DailyRevenue = Static<typeof DailyRevenueOfCurrency>

/** Amounts in minor units. docs/operating.md has the definitions. */
export const DailyRevenueJson = Type.Object({
  from: Type.String(),
  to: Type.String(),
  merchantType: Type.Enum(MERCHANT_TYPES),
  list: Type.Array(DailyRevenueOfCurrency),
})

const RevenueOfCountry = Type.Object({
  currency: Type.String(),
  country: Type.String({ description: 'ISO 3166-1 alpha-2 code' }),
  mrr: Type.Integer({ description: 'Monthly recurring revenue now' }),
  subscribers: Type.Integer({ description: 'Paying subscriptions now' }),
  collected: Type.Integer({ description: 'Payments from `from` to `to`' }),
  returned: Type.Integer({ description: 'Refunds and chargebacks from `from` to `to`' }),
})
/** The revenue of one country in one currency. Amounts in minor units. */
export type CountryRevenue = Static<typeof RevenueOfCountry>

/** Amounts in minor units. The country is the country of the subscription. */
export const CountryRevenueJson = Type.Object({
  from: Month,
  to: Type.Optional(Month),
  merchantType: Type.Enum(MERCHANT_TYPES),
  list: Type.Array(RevenueOfCountry),
})
