import type { Sql } from '../../platform/db/db.ts'
import {
  findChargesOutOfTime,
  findExcessRefunds,
  findGatewayMismatches,
  findLineMismatches,
  findNumberGaps,
  findOverdue,
  findPeriodGaps,
  findSurplusChargeObjects,
  findUnbilledPeriods,
  findUnscheduled,
  findWrongPayments,
} from './billing.ts'
import { findDuplicateEvents, findEventsOutOfOrder, findMissingEvents } from './events.ts'
import {
  findCreditMismatches,
  findDisputeMismatches,
  findExcessCredit,
  findMoneyMismatches,
  findRevenueMismatches,
  findShareMismatches,
  findTaxMismatches,
  findTaxTotalMismatches,
  findTotalMismatches,
  findUnbalanced,
} from './ledger.ts'
import { findRevenueCountryMismatches, findRevenueDayMismatches } from './revenue.ts'

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

/** A rule of the books, and a reading statement that finds the rows that break the rule. */
export interface InvariantCheck {
  readonly rule: string
  find(sql: Sql, bounds: Bounds): Promise<readonly Violation[]>
}

/** A new check is a function and an entry here. */
export const INVARIANT_CHECKS = {
  periodsContiguous: { rule: 'The periods of a term follow each other without gap or overlap.', find: findPeriodGaps },
  periodsBilled: { rule: 'The current period of a paid subscription has its invoice.', find: findUnbilledPeriods },
  chargedOnce: {
    rule: 'An invoice paid by charge has one successful charge; other invoices have none.',
    find: findWrongPayments,
  },
  oneChargeObject: { rule: 'The gateway has one charge object per invoice.', find: findSurplusChargeObjects },
  gatewayMatches: { rule: 'The gateway charged and refunded the amounts in our books.', find: findGatewayMismatches },
  chargedInTime: { rule: 'No charge starts in a trial or after the end.', find: findChargesOutOfTime },
  ledgerBalances: { rule: 'The entries of each ledger transaction sum to zero.', find: findUnbalanced },
  totalsMatch: { rule: 'The ledger totals are the sums of the entries.', find: findTotalMismatches },
  revenueMatches: { rule: 'The sums of the revenue report match the subscriptions.', find: findRevenueMismatches },
  revenueDaysMatch: {
    rule: 'The daily movements of revenue add up to the subscriptions that pay now.',
    find: findRevenueDayMismatches,
  },
  revenueCountriesMatch: {
    rule: 'The revenue by country adds up to the subscriptions that pay now and to the payments and refunds in the ledger.',
    find: findRevenueCountryMismatches,
  },
  shareReturned: { rule: 'The operator keeps no share of a completely refunded charge.', find: findShareMismatches },
  taxMatches: { rule: 'The collected tax is the tax of the value that each invoice holds.', find: findTaxMismatches },
  taxTotalsMatch: {
    rule: 'The tax by month, country and rate adds up to the bookings.',
    find: findTaxTotalMismatches,
  },
  linesAddUp: { rule: 'An invoice asks for the sum of its lines.', find: findLineMismatches },
  creditMatches: {
    rule: 'A credit balance is the sum of its movements and matches the ledger.',
    find: findCreditMismatches,
  },
  creditWithinPaid: { rule: 'No invoice grants more credit than was paid for it and kept.', find: findExcessCredit },
  moneyMatches: {
    rule: 'Charged less refunded and charged back is the same in the ledger and on the invoices.',
    find: findMoneyMismatches,
  },
  refundsWithinPaid: { rule: 'No more is refunded than was paid.', find: findExcessRefunds },
  disputesMatch: {
    rule: 'The disputed amount of an invoice matches its disputes and the ledger.',
    find: findDisputeMismatches,
  },
  numbersWithoutGap: { rule: 'Invoice numbers of a series have no gap.', find: findNumberGaps },
  eventsOnce: { rule: 'No event is recorded twice for a hook.', find: findDuplicateEvents },
  eventsComplete: { rule: 'Every change has exactly its notifications.', find: findMissingEvents },
  eventsInOrder: { rule: 'The events of a resource are in the order of time.', find: findEventsOutOfOrder },
  everythingScheduled: { rule: 'Every live subscription and open invoice is scheduled.', find: findUnscheduled },
  nothingOverdue: { rule: 'Due work is done.', find: findOverdue },
} as const satisfies Record<string, InvariantCheck>

export type InvariantCheckName = keyof typeof INVARIANT_CHECKS
export const INVARIANT_CHECK_NAMES = Object.keys(INVARIANT_CHECKS) as InvariantCheckName[]
