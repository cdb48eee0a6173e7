import { monthlyAmount, rateOf } from '../../core/recurring.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import { endOfMonth, startOfMonth } from '../../core/statement.ts'
import type { Ports } from '../../ports.ts'
import {
  type RecoveryRow,
  type RecurringRow,
  readRecovery,
  readRecurring,
  readTrials,
  type TrialRow,
} from './revenue-store.ts'

/** Of one currency, of merchants and not of test merchants. Amounts in minor units, rates in basis points; no rate of nothing. */
export interface Revenue {
  readonly currency: string
  /** What the subscriptions that pay at the end of the month, or now, bring in a month. */
  readonly mrr: { readonly amount: number; readonly subscriptions: number }
  /** Of the trials that were over within the month: how many have paid an invoice since. */
  readonly trials: { readonly ended: number; readonly converted: number; readonly rate?: number }
  /** Of the subscriptions that paid when the month began: how many ended within it, and what they brought in a month. */
  readonly churn: {
    readonly before: number
    readonly churned: number
    readonly rate?: number
    readonly beforeAmount: number
    readonly churnedAmount: number
    readonly amountRate?: number
  }
  /** Of the invoices that became past due within the month: how many were paid since, and how many may still be. */
  readonly recovery: {
    readonly pastDue: number
    readonly recovered: number
    readonly open: number
    readonly rate?: number
    readonly pastDueAmount: number
    readonly recoveredAmount: number
  }
}

/**
 * How the business goes, for each currency. Refuses a month that has not begun. Prices are those that subscriptions have today: what a
 * changed plan cost before is told by invoices, not here.
 */
export async function readRevenue(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { month, currency }: { readonly month: string; readonly currency?: string },
): Promise<readonly Revenue[] | Rejection> {
  const now = clock.now()
  const [from, end] = [startOfMonth(month), endOfMonth(month)]
  if (from > now) return rejectField('month', 'must not lie in the future')
  // What happens at this instant has happened.
  const span = { firstDay: `${month}-01`, from, to: end <= now ? end : new Date(now.getTime() + 1) }
  const [recurring, trials, recovery] = [
    await readRecurring(db.sql, span),
    await readTrials(db.sql, span),
    await readRecovery(db.sql, span),
  ]
  const currencies = new Set([...recurring, ...trials, ...recovery].map(row => row.currency))
  return [...currencies]
    .filter(one => currency === undefined || one === currency)
    .sort()
    .map(one => ({
      currency: one,
      ...recurringOf(recurring.filter(row => row.currency === one)),
      trials: trialsOf(trials.find(row => row.currency === one)),
      recovery: recoveryOf(recovery.find(row => row.currency === one)),
    }))
}

function recurringOf(rows: readonly RecurringRow[]): Pick<Revenue, 'mrr' | 'churn'> {
  const total = (of: (row: RecurringRow) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  const before = total(row => row.before)
  const churned = total(row => row.churned)
  const beforeAmount = total(row => monthlyAmount(row.beforeAmount, row.interval))
  const churnedAmount = total(row => monthlyAmount(row.churnedAmount, row.interval))
  return {
    mrr: {
      amount: total(row => monthlyAmount(row.amount, row.interval)),
      subscriptions: total(row => row.subscriptions),
    },
    churn: {
      ...{ before, churned, ...rate('rate', churned, before) },
      ...{ beforeAmount, churnedAmount, ...rate('amountRate', churnedAmount, beforeAmount) },
    },
  }
}

function trialsOf(row: TrialRow | undefined): Revenue['trials'] {
  const { ended, converted } = row ?? { ended: 0, converted: 0 }
  return { ended, converted, ...rate('rate', converted, ended) }
}

function recoveryOf(row: RecoveryRow | undefined): Revenue['recovery'] {
  const { currency: _, ...found } = row ?? {
    pastDue: 0,
    recovered: 0,
    open: 0,
    pastDueAmount: 0,
    recoveredAmount: 0,
    currency: '',
  }
  return { ...found, ...rate('rate', found.recovered, found.pastDue) }
}

function rate<Name extends string>(name: Name, part: number, whole: number): { [K in Name]?: number } {
  const found = rateOf(part, whole)
  return (found === undefined ? {} : { [name]: found }) as { [K in Name]?: number }
}
