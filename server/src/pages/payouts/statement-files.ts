import { Type } from 'typebox'
import { findSeller } from '../../catalog/organizations/seller-store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import type { Brand } from '../../core/brand.ts'
import type { Rejection } from '../../core/rejection.ts'
import { reject } from '../../core/rejection.ts'
import { endOfMonth, MONTH_PATTERN, monthStatus } from '../../core/statement.ts'
import { partsOfJournal, readJournal } from '../../money/ledger/journal.ts'
import type { StatementPart } from '../../money/ledger/statement.ts'
import { readStatement, statementCsv } from '../../money/ledger/statement.ts'
import type { MonthOfBalance } from '../../money/ledger/totals.ts'
import { bytes, type PageAnswer } from '../../platform/http/page.ts'
import { badge } from '../../platform/web/components/content.ts'
import { dayWords } from '../../platform/web/format.ts'
import type { Html } from '../../platform/web/html.ts'
import { html } from '../../platform/web/html.ts'
import { inLanguage } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { documentBrand } from '../merchant/invoice-files.ts'
import { sellerLines } from '../merchant/invoice-sheet.ts'

export const MONTH = Type.String({ pattern: MONTH_PATTERN })
export const JOURNAL_QUERY = Type.Object({ part: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,4}$' })) })

interface OfMonth {
  readonly organizationId: string
  readonly month: string
  /** False: money of test merchants. */
  readonly live: boolean
}

/** Links to the statement of a month as PDF and CSV, and to the general journal as CSV. A long journal has several parts. */
export function statementLinks(path: string, months: readonly MonthOfBalance[], month: string): Html {
  const bookings = months.reduce((sum, one) => sum + (one.month === month ? one.bookings : 0), 0)
  const parts = Array.from({ length: partsOfJournal(bookings) }, (_, n) => n + 1)
  const link = (text: string, file: string, about: string) =>
    html`<a ${{ class: 'whole', href: `${path}/${month}/${file}` }}>${text}<span class="unseen"> ${about} of ${month}</span></a>`
  return html`${link('PDF', 'statement.pdf', 'statement')} · ${link('CSV', 'lines.csv', 'statement')}${parts.map(
    part =>
      html` · ${link(parts.length === 1 ? 'Journal' : `Journal, part ${part}`, `journal.csv?part=${part}`, 'as CSV')}`,
  )}`
}

interface AskedFile {
  readonly brand: Brand
  readonly query: { readonly part?: string }
}

type FileOf = (ports: Pick<Ports, 'db' | 'clock'>, of: OfMonth, asked: AskedFile) => Promise<PageAnswer | Rejection>

/** The files of a month by the last segment of their addresses. */
export const STATEMENT_FILES: Readonly<Record<'lines.csv' | 'statement.pdf' | 'journal.csv', FileOf>> = {
  'lines.csv': statementLines,
  'statement.pdf': statementDocument,
  'journal.csv': journalPart,
}

export function noStatement(): Rejection {
  return reject('RESOURCE_NOT_FOUND', 'There is no statement of this month.')
}

async function statementLines(...[ports, of]: Parameters<FileOf>): ReturnType<FileOf> {
  const statement = await readStatement(ports, of)
  if (statement.parts.length === 0) return noStatement()
  return bytes('text/csv; charset=utf-8', statementCsv(of.month, statement), `statement-${of.month}.csv`)
}

/** In English like the pages of developers. */
async function statementDocument(...[ports, of, { brand }]: Parameters<FileOf>): ReturnType<FileOf> {
  const statement = await readStatement(ports, of)
  if (statement.parts.length === 0) return noStatement()
  const { sql } = ports.db
  const organization = await findOrganization(sql, of.organizationId)
  const seller = await findSeller(sql, of.organizationId)
  const named = await documentBrand(sql, brand)
  // Loaded with the first PDF: the library needs 15 MB of memory.
  const { statementPdf } = await import('./statement-pdf.ts')
  const file = await inLanguage('en', () => {
    const recipient = organization === null ? [] : sellerLines({ organization, seller })
    return statementPdf({ ...of, ...statement, recipient, at: ports.clock.now() }, named)
  })
  return bytes('application/pdf', file, `statement-${of.month}.pdf`)
}

/** A part without bookings is not found. */
async function journalPart(...[ports, of, { query }]: Parameters<FileOf>): ReturnType<FileOf> {
  const { part = '1' } = query
  const content = await readJournal(ports, { ...of, part: Number(part) })
  const isEmpty = !content.trimEnd().includes('\r\n')
  if (isEmpty) return noStatement()
  const name = part === '1' ? `journal-${of.month}.csv` : `journal-${of.month}-${part}.csv`
  return bytes('text/csv; charset=utf-8', content, name)
}

/** "Closed", or "Open until 1 December 2026". Months of test merchants stay open. */
export function monthBadge(month: string, { live, now }: { readonly live: boolean; readonly now: Date }): Html {
  if (monthStatus(month, { live, now }) === 'CLOSED') return badge('Closed', 'good')
  return badge(live ? `Open until ${dayWords(endOfMonth(month))}` : 'Open')
}

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
