import { Type } from 'typebox'
import { readStatement, type StatementPart } from '../../money/ledger/statement.ts'
import { listBalances, listMonths, type MonthOfBalance, type PlanOfMonth } from '../../money/ledger/totals.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { emptyState, facts, notice } from '../../platform/web/components/content.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { stats } from '../../platform/web/components/stat.ts'
import { countColumn, sumColumn, table } from '../../platform/web/components/table.ts'
import { moneyWords, monthWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import {
  figuresOf,
  JOURNAL_QUERY,
  MONTH,
  monthBadge,
  noStatement,
  STATEMENT_FILES,
  statementLinks,
} from '../payouts/statement-files.ts'
import { devPage, framed, type Own } from './dev-page.ts'

const path = DEVELOPER_PATHS.statements
const params = Type.Object({ month: MONTH })

const isLive = ({ merchantType }: Own) => merchantType === 'MERCHANT'

/** The months of an organization in the ledger, and one by plan, with the statement as PDF and CSV and the general journal as CSV. */
export function statementPages({ clock }: Pick<Ports, 'clock'>): AnyPage[] {
  const files = Object.keys(FILE_PAGES) as (keyof typeof FILE_PAGES)[]
  return [monthsPage({ clock }), monthPage({ clock }), ...files.map(file => filePage({ clock }, file))]
}

function monthsPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return devPage({
    ...{ method: 'GET', path, name: 'showStatements', operation: 'ledger.read' },
    async handle(call, own) {
      const { sql } = call.db
      const of = { organizationId: own.organizationId, live: isLive(own) }
      const balances = await listBalances(sql, of)
      const months = await listMonths(sql, of)
      const now = clock.now()
      const main = html`${pageHead({ title: 'Statements', lead: 'What your apps collected, and what the operator owes you.', actions: linkButton('Payouts', '/dev/payouts', { kind: 'quiet' }) })}
${balances.length > 0 && stats(balances.map(({ currency, net }) => ({ label: `Owed to you, ${currency}`, value: moneyWords({ amount: net, currency }) })))}
${balances.filter(({ net }) => net < 0).map(({ net, currency }) => notice('warn', `You owe the operator ${moneyWords({ amount: -net, currency })}`, 'Refunds, disputes or fees came after the last payout. Later sales reduce the debt.'))}
${
  months.length === 0
    ? emptyState('No statements yet', 'The first payment of a merchant opens the statement of its month.')
    : table<MonthOfBalance>({
        caption: 'Months',
        rows: months,
        sortable: 'months',
        columns: [
          {
            name: 'Month',
            cell: ({ month }) => html`<a href="${`${path}/${month}`}">${monthWords(month)}</a>`,
            sort: ({ month }) => month,
          },
          ...moneyColumns(),
          {
            name: 'State',
            cell: ({ month }) => monthBadge(month, { live: of.live, now }),
          },
        ],
      })
}`
      return framed(call, { title: 'Statements', part: 'statements', main })
    },
  })
}

function monthPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return devPage({
    ...{ method: 'GET', path: `${path}/:month`, params, name: 'showStatement', operation: 'ledger.read' },
    async handle(call, own) {
      const { month } = call.params
      const of = { organizationId: own.organizationId, live: isLive(own), month }
      const statement = await readStatement({ db: call.db, clock }, of)
      if (statement.parts.length === 0) return noStatement()
      const { parts } = statement
      const months = await listMonths(call.db.sql, of)
      const main = html`${pageHead({
        above: [{ href: path, text: 'Statements' }],
        title: monthWords(month),
        badge: monthBadge(month, { live: of.live, now: clock.now() }),
        actions: statementLinks(path, months, month),
      })}
${parts.map(partOf)}`
      return framed(call, { title: monthWords(month), part: 'statements', main })
    },
  })
}

const FILE_PAGES = {
  'lines.csv': 'downloadStatementLines',
  'statement.pdf': 'downloadStatement',
  'journal.csv': 'downloadOwnJournal',
} as const

function filePage({ clock }: Pick<Ports, 'clock'>, file: keyof typeof FILE_PAGES): AnyPage {
  return devPage({
    ...{ method: 'GET', path: `${path}/:month/${file}`, params, query: JOURNAL_QUERY, name: FILE_PAGES[file] },
    operation: 'ledger.read',
    handle(call, own) {
      const of = { organizationId: own.organizationId, live: isLive(own), month: call.params.month }
      return STATEMENT_FILES[file]({ db: call.db, clock }, of, call)
    },
  })
}

function partOf(part: StatementPart): Html {
  const { currency, lines } = part
  return html`<h2>${currency}</h2>
<div class="section">${facts(figuresOf(part).map(([name, amount]) => [name, moneyWords({ amount, currency })]))}</div>
${
  lines.length > 0 &&
  table<PlanOfMonth>({
    caption: `By plan, ${currency}`,
    rows: lines,
    sortable: `plans-${currency}`,
    columns: [
      { name: 'Plan', cell: ({ planName }) => planName, sort: ({ planName }) => planName },
      { name: 'App', cell: ({ appName }) => appName, sort: ({ appName }) => appName },
      countColumn('Charges', ({ charges }) => charges),
      ...moneyColumns<PlanOfMonth>(),
    ],
  })
}`
}

type Amounts = Pick<MonthOfBalance, 'currency' | 'charged' | 'refunded' | 'chargedBack' | 'share' | 'net'>

function moneyColumns<Row extends Amounts>() {
  return [
    sumColumn<Row>('Charged', row => row.charged),
    sumColumn<Row>('Returned', row => row.refunded + row.chargedBack),
    sumColumn<Row>('Share', row => row.share),
    sumColumn<Row>('Net', row => row.net),
  ]
}
