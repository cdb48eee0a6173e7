import type { Sql } from '../../platform/db/db.ts'
import * as billing from './billing.ts'
import * as events from './events.ts'
import * as ledger from './ledger.ts'
import * as revenue from './revenue.ts'

/** A row that breaks a rule. */
export interface Violation {
  readonly id: string
  readonly problem: string
}

export interface Bounds {
  /** Violations to return: a sample is enough to start with. */
  readonly limit: number
  /** Real time. */
  readonly now: Date
  /** A row that has been due for longer is a violation. */
  readonly overdueMs: number
}

/** A reading statement that finds the rows that break a rule. */
export type Find = (sql: Sql, bounds: Bounds) => Promise<readonly Violation[]>

/** A new check is a function and an entry here. */
export const INVARIANT_CHECKS = {
  periodsContiguous: {
    rule: 'The periods of a term follow each other without gap or overlap.',
    find: billing.findPeriodGaps,
  },
  periodsBilled: {
    rule: 'The current period of a paid subscription has its invoice.',
    find: billing.findUnbilledPeriods,
  },
  chargedOnce: {
    rule: 'An invoice paid by charge has one successful charge; other invoices have none.',
    find: billing.findWrongPayments,
  },
  oneChargeObject: { rule: 'The gateway has one charge object per invoice.', find: billing.findSurplusChargeObjects },
  gatewayMatches: {
    rule: 'The gateway charged and refunded the amounts in our books.',
    find: billing.findGatewayMismatches,
  },
  chargedInTime: { rule: 'No charge starts in a trial or after the end.', find: billing.findChargesOutOfTime },
  ledgerBalances: { rule: 'The entries of each ledger transaction sum to zero.', find: ledger.findUnbalanced },
  totalsMatch: { rule: 'The ledger totals are the sums of the entries.', find: ledger.findTotalMismatches },
  revenueMatches: {
    rule: 'The sums of the revenue report match the subscriptions.',
    find: ledger.findRevenueMismatches,
  },
  revenueDaysMatch: {
    rule: 'The daily movements of revenue add up to the subscriptions that pay now.',
    find: revenue.findRevenueDayMismatches,
  },
  revenueCountriesMatch: {
    rule: 'The revenue by country adds up to the subscriptions that pay now and to the payments and refunds in the ledger.',
    find: revenue.findRevenueCountryMismatches,
  },
  shareReturned: {
    rule: 'The operator keeps no share of a completely refunded charge.',
    find: ledger.findShareMismatches,
  },
  taxMatches: {
    rule: 'The collected tax is the tax of the value that each invoice holds.',
    find: ledger.findTaxMismatches,
  },
  taxTotalsMatch: {
    rule: 'The tax by month, country and rate adds up to the bookings.',
    find: ledger.findTaxTotalMismatches,
  },
  linesAddUp: { rule: 'An invoice asks for the sum of its lines.', find: billing.findLineMismatches },
  creditMatches: {
    rule: 'A credit balance is the sum of its movements and matches the ledger.',
    find: ledger.findCreditMismatches,
  },
  creditWithinPaid: {
    rule: 'No invoice grants more credit than was paid for it and kept.',
    find: ledger.findExcessCredit,
  },
  moneyMatches: {
    rule: 'Charged less refunded and charged back is the same in the ledger and on the invoices.',
    find: ledger.findMoneyMismatches,
  },
  refundsWithinPaid: { rule: 'No more is refunded than was paid.', find: billing.findExcessRefunds },
  disputesMatch: {
    rule: 'The disputed amount of an invoice matches its disputes and the ledger.',
    find: ledger.findDisputeMismatches,
  },
  numbersWithoutGap: { rule: 'Invoice numbers of a series have no gap.', find: billing.findNumberGaps },
  eventsOnce: { rule: 'No event is recorded twice for a hook.', find: events.findDuplicateEvents },
  eventsComplete: { rule: 'Every change has exactly its notifications.', find: events.findMissingEvents },
  eventsInOrder: { rule: 'The events of a resource are in the order of time.', find: events.findEventsOutOfOrder },
  everythingScheduled: {
    rule: 'Every live subscription and open invoice is scheduled.',
    find: billing.findUnscheduled,
  },
  nothingOverdue: { rule: 'Due work is done.', find: billing.findOverdue },
} as const satisfies Record<string, { readonly rule: string; readonly find: Find }>

export type InvariantCheckName = keyof typeof INVARIANT_CHECKS
export const INVARIANT_CHECK_NAMES = Object.keys(INVARIANT_CHECKS) as InvariantCheckName[]
