import { APP, BUSINESS, ORGANIZATION, REDELIVERY } from './examples.ts'

const booking = {
  ...{
    bookingId: '01981a63-0000-7000-8000-0000000000b1',
    organizationId: ORGANIZATION,
    kind: 'PAYOUT',
    amount: 80_000,
  },
  ...{ currency: 'EUR', reference: 'SEPA 2026-02-01', createdAt: '2026-02-01T09:00:00Z' },
}

const rate = { country: 'DE', validFrom: '2026-01-01', behavior: 'EXCLUSIVE', name: 'VAT', rate: '19' }

const outage = {
  ...{ outageFrom: '2026-02-01T09:00:00Z', outageUntil: '2026-02-03T09:00:00Z', goesOnAt: '2026-02-03T13:00:00Z' },
  state: 'WAITING',
}

/** Bookings and tax settings of an organization, the balance of a business, and the end of an app's subscriptions. */
const transfer = {
  ...{ transferId: REDELIVERY, organizationId: ORGANIZATION, month: '2026-01', currency: 'USD', amount: 80_000 },
  ...{ status: 'SUCCEEDED', providerTransferId: 'tr_1', amountReversed: 0 },
  ...{ createdAt: '2026-02-01T09:00:00Z', updatedAt: '2026-02-01T09:00:05Z' },
}

export const BOOKING_EXAMPLES = {
  TaxRate: rate,
  TaxRateList: { list: [rate] },
  TaxReport: {
    ...{ month: '2026-01', status: 'CLOSED' },
    list: [
      {
        ...{ country: 'DE', currency: 'EUR', name: 'VAT', rate: '19', reverseCharge: false },
        ...{ net: 9_500, collected: 1_900, returned: 95, tax: 1_805 },
      },
    ],
  },
  TaxSettings: { organizationId: ORGANIZATION, source: 'OWN', rates: [rate] },
  OrganizationBooking: { ...booking, owed: 20_000 },
  BusinessBalance: {
    businessId: BUSINESS,
    balances: [
      { organizationId: ORGANIZATION, currency: 'USD', charged: 1500, refunded: 500, chargedBack: 0, credit: 0 },
    ],
  },
  CatchUp: { ...outage, state: 'SPREAD', decidedAt: '2026-02-03T10:00:00Z', spreadDays: 7 },
  CatchUpReport: {
    catchUp: outage,
    dryRun: [{ appId: APP, day: '2026-02-02T00:00:00Z', currency: 'USD', charges: 120, amount: 60_000 }],
    isCut: false,
  },
  AppEnding: {
    ...{ endingId: REDELIVERY, appId: APP, refundUnused: true, state: 'RUNNING' },
    progress: { percent: 40, total: 250, ended: 100, refunds: 80, failed: 0 },
    ...{ createdAt: '2026-02-01T09:00:00Z', updatedAt: '2026-02-01T09:00:00Z' },
  },
  PayoutAccount: { organizationId: ORGANIZATION, accountId: 'acct_1', status: 'READY' },
  OpenedPayoutAccount: {
    ...{ organizationId: ORGANIZATION, accountId: 'acct_1', status: 'PENDING' },
    onboardingUrl: 'https://connect.stripe.com/setup/e/acct_1/x',
  },
  PayoutTransferRequest: { month: '2026-01', currency: 'USD' },
  PayoutTransfer: transfer,
  PayoutTransferList: { list: [transfer], start: 0, total: 1, count: 1 },
  OrganizationBookingList: { list: [booking], start: 0, total: 1, count: 1 },
}
