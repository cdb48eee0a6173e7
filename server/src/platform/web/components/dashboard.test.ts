import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSurroundings } from '../surroundings.ts'
import { type ChartOptions, chart, MOST_POINTS } from './chart.ts'
import { codeBlock, codeTabs } from './code-block.ts'
import { badge, emptyState, toast } from './content.ts'
import { copyId } from './copy-id.ts'
import { count } from './count.ts'
import { dataTable } from './data-table.ts'
import { filterBar } from './filter-bar.ts'
import { confirmLink } from './form.ts'
import { menu } from './menu.ts'
import { relativeWords } from './relative-time.ts'
import { sparkline } from './sparkline.ts'
import { stats } from './stat.ts'
import { amountColumn, countColumn, table } from './table.ts'
import { timeline } from './timeline.ts'

const EVIL = `"><script>alert(1)</script><b x='`
const NOW = new Date('2026-03-12T13:05:00Z')

/** On the page of an address. */
const at = <T>(address: string, work: () => T) => inSurroundings({ address, workspaces: [], counts: {} }, work)

function chartOf(more: Partial<ChartOptions> = {}): string {
  const series = [
    { name: 'Paid', values: [10, 20] },
    { name: 'Failed', values: [5, -5] },
  ]
  return chart({ id: 'c', title: 'Charges', kind: 'stacked', unit: 'Day', labels: ['1 Mar', '2 Mar'], series, ...more })
    .text
}

test('no text passed to a dashboard component becomes markup', () => {
  const kinds = ['line', 'bar', 'stacked'] as const
  const column = { name: EVIL, cell: () => EVIL, sort: () => EVIL }
  const choosing = { csrf: EVIL, action: '/', idOf: () => EVIL, nameOf: () => EVIL, buttons: EVIL, hidden: { a: EVIL } }
  const list = { id: 'list', caption: EVIL, columns: [column], path: '/x', empty: emptyState(EVIL, EVIL) }
  const made = [
    stats([{ label: EVIL, value: EVIL, delta: { text: EVIL } }]),
    sparkline(EVIL, [1, 2]),
    ...kinds.map(kind =>
      chart({
        id: 'c',
        title: EVIL,
        kind,
        unit: EVIL,
        labels: [EVIL],
        series: [{ name: EVIL, values: [1] }],
        say: () => EVIL,
      }),
    ),
    timeline(EVIL, [{ at: NOW, title: EVIL, detail: EVIL }]),
    filterBar({
      path: '/x',
      label: EVIL,
      kept: { [EVIL]: EVIL },
      fields: [
        { kind: 'search', name: EVIL, label: EVIL, value: EVIL, placeholder: EVIL },
        { kind: 'select', name: EVIL, label: EVIL, value: EVIL, options: [{ value: EVIL, text: EVIL }] },
      ],
    }),
    dataTable({ ...list, rows: [1], choosing, kept: { [EVIL]: EVIL }, next: EVIL }),
    dataTable({ ...list, rows: [] }),
    at(`/x?q=${EVIL}&sort=${EVIL}&done=${EVIL}`, () => toast(EVIL, EVIL)),
    at(`/x?q=${EVIL}&sort=${EVIL}`, () => table({ caption: EVIL, columns: [column], rows: [1, 2], sortable: 'list' })),
    confirmLink(EVIL, '/x', { about: EVIL }),
    codeTabs('t', EVIL, [{ language: EVIL, text: EVIL }]),
    codeBlock('t', EVIL, EVIL),
    copyId('t', EVIL, EVIL),
    menu({ summary: EVIL, items: [badge(EVIL)] }),
  ]
  for (const { text } of made) {
    assert.ok(text.length > 0)
    assert.doesNotMatch(text, /<script>|<b |="[^"]*"[^\s/>]/)
  }
  const counted = count(3, EVIL)
  assert.ok(counted)
  assert.doesNotMatch(counted.text, /<script>/)
})

test('a chart has a name, a title for each mark and the same figures as a table', () => {
  const text = chartOf({ say: value => `${value} USD` })
  assert.match(text, /role="img" aria-labelledby="c"/)
  assert.match(text, /<h3 id="c">Charges<\/h3>/)
  assert.equal(text.match(/<title>/g)?.length, 4)
  assert.match(text, /<title>2 Mar, Failed: -5 USD<\/title>/)
  assert.match(text, /<td role="cell" data-label="Failed" class="number"><span>-5 USD<\/span>/)
})

test('stacked bars start where the previous bar ends, and negative values extend below zero', () => {
  const bars = [
    ...chartOf().matchAll(/<rect class="bar \w+" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g),
  ]
  const [paid1, paid2, failed1, failed2] = bars.map(([, y, height]) => ({
    top: Number(y),
    bottom: Number((Number(y) + Number(height)).toFixed(1)),
  }))
  assert.equal(failed1?.bottom, paid1?.top)
  assert.equal(failed2?.top, paid2?.bottom)
})

test('series are distinguishable without colour', () => {
  assert.match(chartOf(), /fill="url\(#c-1\)"/)
  assert.match(chartOf({ kind: 'line' }), /class="line soft series-1"/)
})

test('a chart without points says so, and a chart with too many points throws', () => {
  assert.match(chartOf({ labels: [], series: [] }), /No figures yet/)
  const labels = Array.from({ length: MOST_POINTS + 1 }, String)
  assert.throws(() => chartOf({ labels }), /at most 90 points/)
})

test('a chart of zeros has an axis', () => {
  assert.doesNotMatch(chartOf({ series: [{ name: 'None', values: [0, 0] }] }), /NaN|Infinity/)
})

test('a chip links to the list without its filter and keeps the other filters', () => {
  const { text } = filterBar({
    path: '/list',
    label: 'Filter',
    kept: { sort: 'name' },
    fields: [
      { kind: 'search', name: 'q', label: 'Search', value: 'café & bar' },
      {
        kind: 'select',
        name: 'status',
        label: 'State',
        value: 'FAILED',
        options: [{ value: 'FAILED', text: 'Failed' }],
      },
      { kind: 'date', name: 'from', label: 'From', value: '' },
    ],
  })
  assert.deepEqual(
    [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    ['/list?sort=name&amp;status=FAILED', '/list?sort=name&amp;q=caf%C3%A9+%26+bar', '/list?sort=name'],
  )
})

test('a required choice has no chip, and the links of the chips keep the choice', () => {
  const options = [{ value: 'one', text: 'One' }]
  const app = { kind: 'select', name: 'app', label: 'App', value: 'one', options, isRequired: true } as const
  const { text } = filterBar({
    ...{ path: '/list', label: 'Filter' },
    fields: [app, { kind: 'text', name: 'q', label: 'Text', value: 'a' }],
  })
  assert.deepEqual(
    [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    ['/list?app=one', '/list?app=one'],
  )
  assert.doesNotMatch(text, />Any</)
  assert.equal(filterBar({ path: '/list', label: 'Filter', fields: [app] }).text.includes('chips'), false)
})

interface Sale {
  readonly app: string
  readonly count: number
  readonly amount: number
  readonly currency: string
  readonly usedAt?: Date
}

const SALES: readonly Sale[] = [
  { app: 'b', count: 9, amount: 100, currency: 'USD', usedAt: new Date(2) },
  { app: 'a', count: 10, amount: 300, currency: 'EUR' },
  { app: 'C', count: 1, amount: 200, currency: 'USD', usedAt: new Date(1) },
]

function salesAt(address: string, { rows = SALES, isWhole = true } = {}) {
  const { text } = at(address, () =>
    table<Sale>({
      ...{ caption: 'Sales', rows, ...(isWhole && { sortable: 'sales' }) },
      columns: [
        { name: 'App', cell: ({ app }) => app, sort: ({ app }) => app },
        countColumn('Sold', ({ count }) => count),
        amountColumn('Owed now', sale => sale),
        { name: 'Used', cell: () => '', sort: ({ usedAt }) => usedAt },
        { name: 'Action', cell: () => '' },
      ],
    }),
  )
  const rowsOf = [...text.matchAll(/rowheader">(.)/g)].map(([, app]) => app).join('')
  return { rows: rowsOf, links: [...text.matchAll(/class="sort" href="([^"]*)"/g)].map(([, href]) => href), text }
}

test('a list of all rows sorts by text, numbers, money within its currency, and time, with missing values last', () => {
  for (const [sort, rows] of [
    ['sales.app', 'abC'],
    ['-sales.app', 'Cba'],
    ['sales.sold', 'Cba'],
    ['-sales.sold', 'abC'],
    ['sales.owed-now', 'abC'],
    ['-sales.owed-now', 'Cba'],
    ['sales.used', 'Cba'],
    ['-sales.used', 'bCa'],
    ['nonsense', 'baC'],
    ['sales.action', 'baC'],
    ['others.app', 'baC'],
    ['-', 'baC'],
  ]) {
    assert.equal(salesAt(`/reports?sort=${sort}`).rows, rows, sort)
  }
})

test('a heading sorts by its column, then in the other direction, and keeps the filters', () => {
  const { links, text } = salesAt('/reports?days=90&sort=sales.app')
  assert.deepEqual(links, [
    '/reports?days=90&amp;sort=-sales.app#sales.app',
    '/reports?days=90&amp;sort=-sales.sold#sales.sold',
    '/reports?days=90&amp;sort=-sales.owed-now#sales.owed-now',
    '/reports?days=90&amp;sort=sales.used#sales.used',
  ])
  assert.deepEqual(text.match(/aria-sort="\w+"/g), ['aria-sort="ascending"'])
  assert.match(salesAt('/reports?sort=-sales.app').text, /aria-sort="descending"/)
})

test('a page of a longer list, one row, and the answer to a form have no links that sort', () => {
  const part = salesAt('/reports?sort=sales.app', { isWhole: false })
  assert.deepEqual([part.rows, part.links], ['baC', []])
  assert.deepEqual(salesAt('/reports', { rows: SALES.slice(1, 2) }).links, [])
  assert.deepEqual(salesAt('/').links, [])
})

test('the close button of a toast leads to the page without the outcome, with its filters', () => {
  const { text } = at('/ops/money?state=UNSETTLED&done=retry', () => toast('Retry started'))
  assert.match(text, /href="\/ops\/money\?state=UNSETTLED" aria-label="Close"/)
})

test("relative times use people's words", () => {
  const words = (seconds: number) => relativeWords(new Date(NOW.getTime() + seconds * 1_000), NOW)
  assert.deepEqual([-3, -61, -7_300, 90_000, -86_400, -31 * 86_400].map(words), [
    'just now',
    '1 minute ago',
    '2 hours ago',
    'tomorrow',
    'yesterday',
    '9 February 2026',
  ])
})

test('zero needs no badge, and large numbers are shortened', () => {
  assert.equal(count(0, 'reviews'), false)
  assert.match((count(1_204, 'reviews') || badge('')).text, />99\+<span/)
})
