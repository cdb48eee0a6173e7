import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import { appUrn } from '../../platform/http/wire.ts'
import type { Statement, StatementPart } from './statement.ts'
import type { Sums } from './totals.ts'

const COLUMNS = [
  ...['line', 'month', 'status', 'currency', 'appId', 'app', 'planId', 'plan'],
  ...['charges', 'charged', 'refunds', 'refunded', 'chargedBack', 'share', 'credited', 'net', 'balance'],
]

/**
 * A statement as a table: for each currency a line OPENING with what was owed before, one line PLAN for each plan, and one
 * CLOSING with the sums and what is owed after. Amounts are decimals of the currency, as a spreadsheet adds them up.
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
  const sums = ({ charges, charged, refunds, refunded, chargedBack, share, credited, net }: Sums) => [
    { number: String(charges) },
    money(charged),
    { number: String(refunds) },
    ...[refunded, chargedBack, share, credited, net].map(money),
  ]
  const noPlan = Array<undefined>(4).fill(undefined)
  return [
    ['OPENING', currency, ...noPlan, ...Array<undefined>(8).fill(undefined), money(part.opening)],
    ...lines.map(line => {
      const { appId, appName, planId, planName } = line
      return ['PLAN', currency, appUrn(appId), appName, planId, planName, ...sums(line), undefined]
    }),
    ['CLOSING', currency, ...noPlan, ...sums(part), money(part.closing)],
  ]
}
