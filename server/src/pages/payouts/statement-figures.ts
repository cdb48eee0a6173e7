import type { StatementPart } from '../../money/ledger/statement.ts'

const ALWAYS = ['Opening balance', 'Charged', 'Closing balance']

/** From the opening to the closing balance, as signed sums in minor units. Sums of nothing are left out. */
export function figuresOf(part: StatementPart): (readonly [name: string, amount: number])[] {
  const figures: readonly (readonly [string, number])[] = [
    ['Opening balance', part.opening],
    ['Charged', part.charged],
    ['Refunded', -part.refunded],
    ['Charged back', -part.chargedBack],
    ['Share of the operator', -part.share],
    ['Tax', -part.tax],
    ['Credit', -part.credited],
    ['Fees', -part.fees],
    ['Adjustments', part.adjusted],
    ['Paid out', -part.paidOut],
    ['Closing balance', part.closing],
  ]
  // No −0.
  return figures
    .filter(([name, amount]) => amount !== 0 || ALWAYS.includes(name))
    .map(([name, amount]) => [name, amount || 0])
}
