import type { Statement, StatementPart } from '../../money/ledger/statement.ts'
import type { PlanOfMonth } from '../../money/ledger/totals.ts'
import { moneyWords, monthWords } from '../../platform/web/format.ts'
import {
  type DocumentBrand,
  drawn,
  LEFT,
  type Paper,
  type PaperColumn,
  parties,
  remarks,
  row,
  rule,
  titled,
} from '../paper.ts'
import { figuresOf } from './statement-files.ts'

export interface StatementSheet extends Statement {
  readonly month: string
  /** False: money of test merchants. */
  readonly live: boolean
  /** The name of the organization first. */
  readonly recipient: readonly string[]
  /** The date of the file. */
  readonly at: Date
}

const FIGURES: readonly PaperColumn[] = [{ x: LEFT }, { x: 440, isNumber: true }]
const PLANS: readonly PaperColumn[] = [{ x: LEFT }, ...[185, 235, 312, 389, 466].map(x => ({ x, isNumber: true }))]
const PLAN_SIZE = 8

/** The statement of a month as a PDF: per currency the balance before, the sums, the balance after, and the sums of each plan. */
export function statementPdf(sheet: StatementSheet, brand: DocumentBrand): Promise<Buffer> {
  const title = `Statement ${monthWords(sheet.month)}`
  const info = { Title: title, Author: brand.name }
  return drawn({ brand, info, at: sheet.at }, paper => {
    const state = sheet.status === 'CLOSED' ? 'Closed' : 'Open'
    const top = titled(paper, {
      title,
      state,
      under: sheet.live ? 'Sales of your apps' : 'Test data: no real money moved',
    })
    const from = { title: 'From', lines: [brand.name] }
    let y = parties(paper, top, from, { title: 'To', lines: sheet.recipient })
    for (const part of sheet.parts) y = partOf(paper, y, part)
    remarks(paper, y, [
      'A booking belongs to the month in which the money moved, in UTC.',
      sheet.status === 'CLOSED'
        ? 'This statement is final.'
        : 'The month is open: later bookings change this statement.',
    ])
  })
}

function partOf(paper: Paper, from: number, part: StatementPart): number {
  const { currency, lines } = part
  let y = row(paper, from, [{ x: LEFT }], [currency], { look: 'bold', size: 13 })
  for (const [name, amount] of figuresOf(part)) {
    const isBalance = name === 'Closing balance'
    if (isBalance) y = rule(paper, y)
    y = row(paper, y, FIGURES, [name, moneyWords({ amount, currency })], { look: isBalance ? 'bold' : 'plain' })
  }
  if (lines.length === 0) return y + 16
  const names = ['By plan', 'Charges', 'Charged', 'Returned', 'Share', 'Net']
  y = rule(paper, row(paper, y + 12, PLANS, names, { look: 'head', size: PLAN_SIZE }))
  for (const line of lines) y = row(paper, y, PLANS, planRow(line), { size: PLAN_SIZE })
  return y + 16
}

function planRow({ planName, appName, charges, currency, ...line }: PlanOfMonth): string[] {
  const amounts = [line.charged, line.refunded + line.chargedBack, line.share, line.net]
  const money = amounts.map(amount => moneyWords({ amount, currency }))
  return [`${planName} (${appName})`, String(charges), ...money]
}
