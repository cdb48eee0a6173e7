import { moneyWords } from '../format.ts'
import { type Html, html, type Part } from '../html.ts'
import { say } from '../say.ts'
import { surroundings } from '../surroundings.ts'
import { linkButton } from './form.ts'

export interface Column<Row> {
  readonly name: string
  cell(row: Row): Part
  /** Figures stand under each other. */
  readonly isNumber?: boolean
  /** What a list of all rows sorts by. */
  sort?(row: Row): SortValue
}

/** A list compares its items in turn: a currency, then an amount. */
type SortValue = string | number | Date | undefined | readonly (string | number)[]

export interface TableOptions<Row> {
  readonly caption: string
  /** The first column names the row. A column that this reader does not get is `false` or absent. */
  readonly columns: readonly (Column<Row> | false | undefined)[]
  readonly rows: readonly Row[]
  /** Beside the caption: a link to the same list in another form. */
  readonly aside?: Html
  /**
   * The name of the list in the address, if the rows are the whole list. The headings of columns with `sort` are links to
   * `?sort=name.column` and `?sort=-name.column`. A page of a longer list does not sort: its first row would not be the first of the list.
   */
  readonly sortable?: string | undefined
  /** The link in a row's first cell opens a drawer beside the list. On a phone and without script the link leads to the page. */
  readonly hasDrawers?: boolean
}

/** A table that becomes cards on a phone. Roles are explicit, because browsers drop them with `display`. */
export function table<Row>({ caption, rows, aside, sortable, hasDrawers, ...options }: TableOptions<Row>): Html {
  const columns = options.columns.filter(column => column !== undefined && column !== false)
  const { address } = surroundings()
  // The answer to a form has no address, and one row has no order.
  const sorting =
    sortable !== undefined && address !== '/' && rows.length > 1 ? sortingOf(sortable, address) : undefined
  const look = { class: sorting ? 'table sortable' : 'table', role: 'table', 'data-drawer': hasDrawers }
  return html`${aside && html`<div class="table-aside">${aside}</div>`}<table ${look}>
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(column => headOf(column, sorting))}</tr></thead>
<tbody role="rowgroup">${(sorting ? sorted(rows, columns, sorting) : rows).map(
    row => html`
<tr role="row">${columns.map((column, i) => cellOf(column, row, i))}</tr>`,
  )}
</tbody>
</table>`
}

interface Sorting {
  readonly list: string
  readonly path: string
  readonly kept: Readonly<Record<string, string>>
  /** `list.column` */
  readonly by: string
  readonly isDescending: boolean
}

function sortingOf(list: string, address: string): Sorting {
  const [path = '', query] = address.split('?')
  const { sort = '', ...kept } = Object.fromEntries(new URLSearchParams(query))
  return { list, path, kept, by: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') }
}

/** The column's name in the address. */
function sortNameOf<Row>({ name }: Column<Row>, { list }: Sorting): string {
  return `${list}.${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
}

/** An unknown name sorts nothing. */
function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting): readonly Row[] {
  const column = columns.find(one => one.sort !== undefined && sortNameOf(one, sorting) === sorting.by)
  const direction = sorting.isDescending ? -1 : 1
  return column === undefined ? rows : rows.toSorted((a, b) => compare(column.sort?.(a), column.sort?.(b), direction))
}

/** Rows without a value come last in both directions. */
function compare(a: SortValue, b: SortValue, direction: 1 | -1): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [i, item] of a.entries()) {
      const order = compare(item, b[i], direction)
      if (order !== 0) return order
    }
    return 0
  }
  if (typeof a === 'string' && typeof b === 'string') return direction * WORDS.compare(a, b)
  return direction * (Number(a) - Number(b))
}

const WORDS = new Intl.Collator('en', { numeric: true })

function headOf<Row>(column: Column<Row>, sorting?: Sorting): Html {
  const { name, isNumber } = column
  const own = { scope: 'col', role: 'columnheader', class: isNumber ? 'number' : undefined }
  if (sorting === undefined || column.sort === undefined) return html`<th ${own}>${name}</th>`
  const { path, kept, by, isDescending } = sorting
  const id = sortNameOf(column, sorting)
  const direction = id !== by ? undefined : isDescending ? 'descending' : 'ascending'
  // The largest number first, the first word of the alphabet first.
  const isNextDescending = direction === undefined ? isNumber : !isDescending
  const href = `${addressOf(path, { ...kept, sort: isNextDescending ? `-${id}` : id })}#${id}`
  return html`<th ${{ ...own, 'aria-sort': direction }}><a ${{ id, class: 'sort', href }}>${name}</a></th>`
}

function cellOf<Row>({ name, cell, isNumber }: Column<Row>, row: Row, i: number): Html {
  if (i === 0) return html`<th scope="row" role="rowheader">${cell(row)}</th>`
  return html`<td ${{ role: 'cell', 'data-label': name, class: isNumber ? 'number' : undefined }}><span>${cell(row)}</span></td>`
}

/** Amounts of money, sorted within their currency. */
export function amountColumn<Row>(name: string, of: (row: Row) => Amount): Column<Row> {
  const sort = (row: Row) => {
    const { currency, amount } = of(row)
    return [currency, amount]
  }
  return { name, isNumber: true, cell: row => moneyWords(of(row)), sort }
}

/** Amounts in the currency of their row. */
export function sumColumn<Row extends { readonly currency: string }>(
  name: string,
  of: (row: Row) => number,
): Column<Row> {
  return amountColumn(name, row => ({ amount: of(row), currency: row.currency }))
}

export function countColumn<Row>(name: string, of: (row: Row) => number): Column<Row> {
  return { name, isNumber: true, cell: row => of(row).toLocaleString('en'), sort: of }
}

interface Amount {
  readonly amount: number
  readonly currency: string
}

interface FilterLink {
  readonly text: string
  readonly href: string
  readonly isCurrent: boolean
}

/** Links that filter a list. `label` is for screen readers. */
export function filter(label: string, links: readonly FilterLink[]): Html {
  return html`<nav class="filter" aria-label="${label}"><ul>${links.map(
    ({ text, href, isCurrent }) => html`
<li><a ${{ href, 'aria-current': isCurrent ? 'true' : undefined }}>${text}</a></li>`,
  )}
</ul></nav>`
}

interface FilterBy {
  readonly path: string
  /** The other filters in the address. */
  readonly kept?: Readonly<Record<string, string | undefined>>
  /** The parameter of the address, its value and the words of each value. */
  readonly name: string
  readonly value: string | undefined
  readonly texts: Readonly<Record<string, string>>
  /** The words of the list without this filter. Absent: the list always has one of the values. */
  readonly all?: string
}

/** Links that filter a list by one parameter of its address. */
export function filterBy(label: string, { path, kept = {}, name, value, texts, all }: FilterBy): Html {
  const link = (text: string, one?: string) => ({
    ...{ text, href: addressOf(path, { ...kept, [name]: one }), isCurrent: one === value },
  })
  const values = Object.entries(texts).map(([one, text]) => link(text, one))
  return filter(label, all === undefined ? values : [link(all), ...values])
}

/** Where a page of results stands in its list. */
export interface Paging {
  readonly path: string
  /** The filters in the address. */
  readonly kept?: Readonly<Record<string, string | undefined>>
  /** The cursor of this page of results. Absent on the first. */
  readonly after?: string | undefined
  /** The cursor of the next page of results. Absent on the last. */
  readonly next?: string | undefined
}

/** Links to the next page of results and back to the first. */
export function pager(label: string, { path, kept, after, next }: Paging): Html | false {
  if (after === undefined && next === undefined) return false
  return html`<nav class="pager" aria-label="${label}">
${after === undefined ? html`<span></span>` : linkButton(say`First page`, addressOf(path, { ...kept }))}
${next !== undefined && linkButton(say`Next page`, addressOf(path, { ...kept, after: next }))}
</nav>`
}

/** A URL with the non-empty parameters. */
export function addressOf(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, value)
  return given.size === 0 ? path : `${path}?${given}`
}
