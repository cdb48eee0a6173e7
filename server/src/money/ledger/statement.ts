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

const NOTHING: Sums = {
  charges: 0,
  charged: 0,
  refunds: 0,
  refunded: 0,
  chargedBack: 0,
  share: 0,
  credited: 0,
  tax: 0,
  fees: 0,
  paidOut: 0,
  adjusted: 0,
  net: 0,
}

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
    const sums = [...ofCurrency, ...own.filter(one => one.currency === currency)].reduce<Sums>(add, NOTHING)
    return { currency, opening, ...sums, closing: opening + sums.net, lines: ofCurrency }
  })
  return { status, parts }
}

function add(a: Sums, b: Sums): Sums {
  return {
    charges: a.charges + b.charges,
    charged: a.charged + b.charged,
    refunds: a.refunds + b.refunds,
    refunded: a.refunded + b.refunded,
    chargedBack: a.chargedBack + b.chargedBack,
    share: a.share + b.share,
    credited: a.credited + b.credited,
    tax: a.tax + b.tax,
    fees: a.fees + b.fees,
    paidOut: a.paidOut + b.paidOut,
    adjusted: a.adjusted + b.adjusted,
    net: a.net + b.net,
  }
}

const COLUMNS = [
  ...['line', 'month', 'status', 'currency', 'appId', 'app', 'planId', 'plan'],
  ...[
    'charges',
    'charged',
    'refunds',
    'refunded',
    'chargedBack',
    'share',
    'credited',
    'tax',
    'fees',
    'paidOut',
    'adjusted',
    'net',
    'balance',
  ],
]

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
  const sums = ({ charges, charged, refunds, ...amounts }: Sums) => [
    { number: String(charges) },
    money(charged),
    { number: String(refunds) },
    ...[amounts.refunded, amounts.chargedBack, amounts.share, amounts.credited, amounts.tax].map(money),
    ...[amounts.fees, amounts.paidOut, amounts.adjusted, amounts.net].map(money),
  ]
  const noPlan = Array<undefined>(4).fill(undefined)
  return [
    ['OPENING', currency, ...noPlan, ...Array<undefined>(12).fill(undefined), money(part.opening)],
    ...lines.map(line => {
      const { appId, appName, planId, planName } = line
      return ['PLAN', currency, appUrn(appId), appName, planId, planName, ...sums(line), undefined]
    }),
    ['CLOSING', currency, ...noPlan, ...sums(part), money(part.closing)],
  ]
}
