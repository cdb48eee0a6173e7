import { findBooksApart, findChargesOutOfTime, findSurplusChargeObjects, findWrongPayments } from './charges.ts'
import type { Checker } from './checker.ts'
import { findCreditApart, findExcessCredit, findLinesApart } from './credit.ts'
import { findDisputesApart } from './disputes.ts'
import { findForgotten, findOverdue } from './forgotten.ts'
import { findSharesApart, findTotalsApart, findUnbalanced } from './ledger.ts'
import { findExcessRefunds, findMoneyApart, findNumberGaps } from './money.ts'
import { findUnbilledPeriods, findUntiledPeriods } from './periods.ts'
import { findRevenueApart } from './revenue.ts'
import { findTimeGoingBack, findToldTwice, findUntold } from './told.ts'

/** What the books must always show. One more is one function and one line here. */
export const CHECKERS = {
  periodsTile: { holds: 'The periods of a term follow each other without gap or overlap.', find: findUntiledPeriods },
  periodsBilled: { holds: 'The current period of a paid subscription has its invoice.', find: findUnbilledPeriods },
  chargedOnce: {
    holds: 'An invoice paid by charge has one that succeeded; no other has any.',
    find: findWrongPayments,
  },
  oneChargeObject: { holds: 'The gateway knows an invoice by one charge object.', find: findSurplusChargeObjects },
  booksAgree: { holds: 'The gateway took and gave back what our books say.', find: findBooksApart },
  chargedInTime: { holds: 'No charge starts in a trial or after the end.', find: findChargesOutOfTime },
  ledgerBalances: { holds: 'The entries of each ledger transaction sum to zero.', find: findUnbalanced },
  totalsAgree: { holds: 'The kept totals of the ledger are the sums of its entries.', find: findTotalsApart },
  revenueAgrees: { holds: 'The sums of the revenue report are what subscriptions say.', find: findRevenueApart },
  shareGoesBack: { holds: 'Of what was wholly refunded the operator keeps no share.', find: findSharesApart },
  linesAddUp: { holds: 'An invoice asks for the sum of its lines.', find: findLinesApart },
  creditAgrees: { holds: 'A balance of credit is its movements, and what the ledger owes.', find: findCreditApart },
  creditWithinPaid: { holds: 'No invoice gives more credit than was paid for it and kept.', find: findExcessCredit },
  moneyAgrees: { holds: 'Charged less refunded and charged back is paid less gone back.', find: findMoneyApart },
  refundsWithinPaid: { holds: 'No more is given back than was paid.', find: findExcessRefunds },
  disputesAgree: { holds: 'What an invoice lost in disputes is what they say, and booked.', find: findDisputesApart },
  numbersWithoutGap: { holds: 'Invoice numbers of a series have no gap.', find: findNumberGaps },
  toldOnce: { holds: 'No event is recorded twice for a hook.', find: findToldTwice },
  toldAll: { holds: 'Every change has exactly its notifications.', find: findUntold },
  timeGoesOn: { holds: 'What happened to a thing is told in the order of time.', find: findTimeGoingBack },
  nothingForgotten: { holds: 'Whatever is live will be looked at again.', find: findForgotten },
  nothingOverdue: { holds: 'What is due is done, none is lost.', find: findOverdue },
} as const satisfies Record<string, Checker>

export type CheckerName = keyof typeof CHECKERS
export const CHECKER_NAMES = Object.keys(CHECKERS) as CheckerName[]
