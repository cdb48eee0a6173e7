import { endOfMonth, monthOf } from '../../core/statement.ts'
import { type AppRevenue, type Debt, readDebts, readRevenueByApp } from '../../money/reports/by-app.ts'
import type { DaysFilter } from '../../money/reports/revenue-days.ts'
import type { Db } from '../../platform/db/db.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { amountColumn, countColumn, table } from '../../platform/web/components/table.ts'
import { dayWords, monthWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'

/** The largest; the CSV has all debts. */
const MOST = 25

interface Asked {
  readonly now: Date
  readonly asked: DaysFilter
  readonly currency: string
  readonly debtsFile: string
}

/** The apps with the most revenue, and the amounts owed to developers. */
export async function reportTables(db: Db, { now, asked, currency, debtsFile }: Asked): Promise<Html> {
  const { merchantType, from } = asked
  const since = from.slice(0, 7)
  const apps = await readRevenueByApp(db, { merchantType, currency, since, limit: MOST })
  // Nothing is owed for test merchants.
  const debts = merchantType === 'MERCHANT' ? await readDebts(db, { currency, limit: MOST }) : []
  return html`${apps.length > 0 && appTable(apps, { currency, since })}
${debts.length > 0 && debtTable(debts, debtsFile)}
${debts.length > 0 && html`<p class="fine">${monthWords(monthOf(now))} is open until ${dayWords(endOfMonth(monthOf(now)))}. A month closes by itself an hour after its end (UTC), and its statements never change again.</p>`}`
}

function appTable(apps: readonly AppRevenue[], { currency, since }: { currency: string; since: string }): Html {
  const column = (name: string, of: (row: AppRevenue) => number) =>
    amountColumn<AppRevenue>(name, row => ({ amount: of(row), currency }))
  return table<AppRevenue>({
    caption: `Revenue by app since ${monthWords(since)}, ${currency}`,
    rows: apps,
    ...(apps.length < MOST && { sortable: 'apps' }),
    columns: [
      {
        name: 'App',
        cell: one => html`<a href="${`${OPERATOR_PATHS.apps}/${one.appId}`}">${one.appName}</a>`,
        sort: ({ appName }) => appName,
      },
      { name: 'Developer', cell: developerLink, sort: ({ organizationName }) => organizationName },
      column('MRR', ({ mrr }) => mrr),
      countColumn('Subscribers', ({ subscribers }) => subscribers),
      column('Collected', ({ collected }) => collected),
      column('Returned', ({ returned }) => returned),
      column('Your share', ({ share }) => share),
    ],
  })
}

function debtTable(debts: readonly Debt[], file: string): Html {
  const column = (name: string, of: (row: Debt) => number) =>
    amountColumn<Debt>(name, row => ({ amount: of(row), currency: row.currency }))
  return table<Debt>({
    caption: `Owed to developers, ${debts[0]?.currency}`,
    rows: debts,
    ...(debts.length < MOST && { sortable: 'debts' }),
    aside: linkButton('Export CSV', file, { size: 'small', kind: 'quiet' }),
    columns: [
      {
        name: 'Developer',
        cell: one =>
          html`<a href="${`${OPERATOR_PATHS.organizations}/${one.organizationId}/payouts`}">${one.organizationName}</a>`,
        sort: ({ organizationName }) => organizationName,
      },
      column('Collected', ({ charged, refunded, chargedBack }) => charged - refunded - chargedBack),
      column('Your share', ({ share }) => share),
      column('Paid out', ({ paidOut }) => paidOut),
      column('Owed now', ({ net }) => net),
    ],
  })
}

function developerLink({ organizationId, organizationName }: AppRevenue): Html {
  return html`<a href="${`${OPERATOR_PATHS.organizations}/${organizationId}`}">${organizationName}</a>`
}
