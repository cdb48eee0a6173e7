import type { CountryRevenue } from '../../money/reports/revenue-schema.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { share } from '../../platform/web/components/share.ts'
import { amountColumn, countColumn, table } from '../../platform/web/components/table.ts'
import { monthWords } from '../../platform/web/format.ts'
import type { Html } from '../../platform/web/html.ts'
import { countryName } from '../countries.ts'

/** Beyond this the smallest countries share a row. The CSV has all countries. */
const MOST = 26

type Figures = Omit<CountryRevenue, 'country' | 'currency'>
type Row = Figures & { readonly name: string }

interface Shown {
  readonly currency: string
  /** The first month, `YYYY-MM`. */
  readonly since: string
  /** The address of the CSV. */
  readonly file: string
}

/** The revenue of a currency by country, the most MRR first. */
export function countryTable(list: readonly CountryRevenue[], { currency, since, file }: Shown): Html | false {
  const found = list.filter(one => one.currency === currency)
  if (found.length === 0) return false
  const total = sumOf(found).mrr
  const named = found.length > MOST ? found.slice(0, MOST - 1) : found
  const others = found.slice(named.length)
  const column = (name: string, of: (row: Row) => number) =>
    amountColumn<Row>(name, row => ({ amount: of(row), currency }))
  return table<Row>({
    caption: `Revenue by country since ${monthWords(since)}, ${currency}`,
    aside: linkButton('Export CSV', file, { size: 'small', kind: 'quiet' }),
    rows: [
      ...named.map(one => ({ ...one, name: countryName(one.country) })),
      ...(others.length === 0 ? [] : [{ ...sumOf(others), name: `${others.length} other countries` }]),
    ],
    ...(others.length === 0 && { sortable: 'countries' }),
    columns: [
      { name: 'Country', cell: ({ name }) => name, sort: ({ name }) => name },
      { name: 'Share of MRR', cell: ({ mrr }) => share(mrr, total) },
      column('MRR', ({ mrr }) => mrr),
      countColumn('Subscribers', ({ subscribers }) => subscribers),
      column('Collected', ({ collected }) => collected),
      column('Returned', ({ returned }) => returned),
    ],
  })
}

function sumOf(rows: readonly Figures[]): Figures {
  const sum = (of: (row: Figures) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    ...{ mrr: sum(row => row.mrr), subscribers: sum(row => row.subscribers) },
    ...{ collected: sum(row => row.collected), returned: sum(row => row.returned) },
  }
}
