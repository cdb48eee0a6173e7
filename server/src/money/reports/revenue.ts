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

/**
 * The numbers of one currency, without test merchants. Amounts in minor units, rates in basis points. A rate whose denominator is 0 is absent.
 */
export interface Revenue {
  readonly currency: string
  /** Monthly amount of the subscriptions paying at the end of the month, or now. */
  readonly mrr: { readonly amount: number; readonly subscriptions: number }
  /** Trials that ended within the month, and those with a paid invoice since. */
  readonly trials: { readonly ended: number; readonly converted: number; readonly rate?: number }
  /** Subscriptions paying at the start of the month, and those that ended within the month. */
  readonly churn: {
    readonly before: number
    readonly churned: number
    readonly rate?: number
    readonly beforeAmount: number
    readonly churnedAmount: number
    readonly amountRate?: number
  }
  /** Invoices that became past due within the month: paid since, or still open. */
  readonly recovery: {
    readonly pastDue: number
    readonly recovered: number
    readonly open: number
    readonly rate?: number
    readonly pastDueAmount: number
    readonly recoveredAmount: number
  }
}

/** The revenue report of a month. Rejects a future month. Prices are today's prices of the subscriptions; earlier prices are on the invoices. */
export async function readRevenue(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { month, currency }: { readonly month: string; readonly currency?: string },
): Promise<readonly Revenue[] | Rejection> {
  const now = clock.now()
  const [from, end] = [startOfMonth(month), endOfMonth(month)]
  if (from > now) return rejectField('month', 'must not be in the future')
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
  const beforeAmount = total(row => monthlyAmount(row.beforeAmount, row))
  const churnedAmount = total(row => monthlyAmount(row.churnedAmount, row))
  return {
    mrr: {
      amount: total(row => monthlyAmount(row.amount, row)),
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
