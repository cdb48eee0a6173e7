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
import type { Revenue } from './schema.ts'

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
  const none = { pastDue: 0, recovered: 0, open: 0, pastDueAmount: 0, recoveredAmount: 0 }
  const { currency: _, ...found } = { currency: '', ...(row ?? none) }
  return { ...found, ...rate('rate', found.recovered, found.pastDue) }
}

function rate<Name extends string>(name: Name, part: number, whole: number): { [K in Name]?: number } {
  const found = rateOf(part, whole)
  return (found === undefined ? {} : { [name]: found }) as { [K in Name]?: number }
}
