import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { type MonthStatus, monthStatus } from '../../core/statement.ts'
import { appUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { type MonthOfBalance, type PlanOfMonth, readMonth, type Sums } from './totals.ts'

export interface StatementInput {
  readonly organizationId: string
  /** `YYYY-MM`. */
  readonly month: string
  /** True: merchants. False: test merchants. */
  readonly live: boolean
  readonly currency?: string
}

export interface Statement {
  readonly status: MonthStatus
  /** One per currency. */
  readonly parts: readonly StatementPart[]
}

export interface StatementPart extends Omit<MonthOfBalance, 'month' | 'bookings'> {
  /** One per plan, ordered by the ids of app and plan, so that a new name does not change the order. */
  readonly lines: readonly PlanOfMonth[]
}

/** The sums of a statement, in the order of its columns. */
const SUMS = [
  ...(['charges', 'charged', 'refunds', 'refunded', 'chargedBack', 'share', 'credited', 'tax'] as const),
  ...(['fees', 'paidOut', 'adjusted', 'net'] as const),
] satisfies (keyof Sums)[]

/**
 * The bookings of a month (UTC) by plan, with the balance before and after. A booking belongs to the month in which the money moved, not to the
 * period of its invoice. A CLOSED month never changes, except for the names of apps.
 */
export async function readStatement(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { month, live, ...of }: StatementInput,
): Promise<Statement> {
  // Read first: a month that is CLOSED now is complete before its bookings are read.
  const status = monthStatus(month, { live, now: clock.now() })
  const { openings, lines, own } = await readMonth(db.sql, { ...of, month, live })
  const parts = openings.map(({ currency, opening }) => {
    const ofCurrency = lines.filter(line => line.currency === currency)
    const sums = sumOf([...ofCurrency, ...own.filter(one => one.currency === currency)])
    return { currency, opening, ...sums, closing: opening + sums.net, lines: ofCurrency }
  })
  return { status, parts }
}

function sumOf(parts: readonly Sums[]): Sums {
  const total = (name: keyof Sums) => parts.reduce((sum, part) => sum + part[name], 0)
  return Object.fromEntries(SUMS.map(name => [name, total(name)])) as unknown as Sums
}

const COLUMNS = ['line', 'month', 'status', 'currency', 'appId', 'app', 'planId', 'plan', ...SUMS, 'balance']

/**
 * A statement as CSV: per currency a line OPENING with the balance before, a line PLAN per plan, and a line CLOSING with the sums and the balance
 * after. Amounts are decimals, so that a spreadsheet can add them.
 */
export function statementCsv(month: string, { status, parts }: Statement): string {
  return csvOf([
    COLUMNS,
    ...parts.flatMap(part => rowsOf(part).map(([line, ...rest]) => [line, month, status, ...rest])),
  ])
}

function rowsOf(part: StatementPart): CsvValue[][] {
  const { currency, lines } = part
  const money = (amount: number) => ({ number: decimalOf(amount, currency) })
  const isCount = (name: keyof Sums) => name === 'charges' || name === 'refunds'
  const sums = (of: Sums) => SUMS.map(name => (isCount(name) ? { number: String(of[name]) } : money(of[name])))
  const noPlan = Array<undefined>(4).fill(undefined)
  return [
    ['OPENING', currency, ...noPlan, ...SUMS.map(() => undefined), money(part.opening)],
    ...lines.map(line => {
      const { appId, appName, planId, planName } = line
      return ['PLAN', currency, appUrn(appId), appName, planId, planName, ...sums(line), undefined]
    }),
    ['CLOSING', currency, ...noPlan, ...sums(part), money(part.closing)],
  ]
}
