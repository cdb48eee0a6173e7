import { type MonthStatus, monthStatus } from '../../core/statement.ts'
import type { Ports } from '../../ports.ts'
import { type MonthOfBalance, type PlanOfMonth, readMonth, type Sums } from './totals.ts'

export interface StatementInput {
  readonly organizationId: string
  /** `YYYY-MM`. */
  readonly month: string
  /** Of merchants, or of test merchants: their money is never in one statement. */
  readonly live: boolean
  readonly currency?: string
}

export interface Statement {
  readonly status: MonthStatus
  /** One a currency. */
  readonly parts: readonly StatementPart[]
}

export interface StatementPart extends Omit<MonthOfBalance, 'month'> {
  /** One a plan, in the order of the ids of app and plan, which no new name changes. */
  readonly lines: readonly PlanOfMonth[]
}

const NOTHING: Sums = { charges: 0, charged: 0, refunds: 0, refunded: 0, chargedBack: 0, share: 0, credited: 0, net: 0 }

/**
 * What a month brought an organization, plan by plan, from what was owed before it to what is owed after it. A month that is
 * CLOSED reads the same for ever, but for the names of apps, which are today's. Its bounds are UTC's; a booking is in the month in which the money moved, whatever the period
 * it pays for.
 */
export async function readStatement(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { month, live, ...of }: StatementInput,
): Promise<Statement> {
  // Read first: what is closed now was complete before it is read.
  const status = monthStatus(month, { live, now: clock.now() })
  const { openings, lines } = await readMonth(db.sql, { ...of, month, live })
  const parts = openings.map(({ currency, opening }) => {
    const ofCurrency = lines.filter(line => line.currency === currency)
    const sums = ofCurrency.reduce(add, NOTHING)
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
    net: a.net + b.net,
  }
}
