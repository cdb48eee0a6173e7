import { type Html, html, type Part } from '../html.ts'
import { linkButton } from './form.ts'
import { addressOf, type Column, pager, table } from './table.ts'

export interface SortableColumn<Row> extends Column<Row> {
  /** The name in the address. Absent: the list cannot be sorted by the column. */
  readonly sortBy?: string
}

export interface Sorting {
  readonly by: string
  readonly isDescending: boolean
}

interface Choosing<Row> {
  readonly csrf: string
  readonly action: string
  idOf(row: Row): string
  /** The row in words, for screen readers. */
  nameOf(row: Row): string
  /** Buttons with their own name and value, or several with `formaction`. */
  readonly buttons: Part
  /** Sent along unseen. */
  readonly hidden?: Readonly<Record<string, string>>
}

export interface DataTable<Row> {
  readonly id: string
  readonly caption: string
  readonly columns: readonly SortableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly path: string
  /** Filters and sorting in the address. The cursor is not among them. */
  readonly kept?: Readonly<Record<string, string | undefined>>
  readonly sorting?: Sorting
  /** Check boxes named `chosen`, and what can be done with the chosen rows. */
  readonly choosing?: Choosing<Row>
  /** The address of the same list as csv. */
  readonly csv?: string
  readonly first?: string | undefined
  readonly next?: string | undefined
  /** Shown instead of an empty table. */
  readonly empty: Html
}

/** A list with links that sort it, check boxes, a csv link and a pager by key. All of it works without script. */
export function dataTable<Row>(options: DataTable<Row>): Html {
  const { id, caption, rows, choosing, csv, first, next, empty } = options
  if (rows.length === 0) return html`${empty}${pager(`Pages of ${caption}`, { first, next })}`
  const columns = options.columns.map(column => withSorting(column, options))
  return html`<div ${{ class: 'data-table', 'data-rows': true }}>
${choosing && bulkBar(id, choosing)}
${table({ caption, rows, columns: choosing ? [...columns.slice(0, 1).map(column => withBox(id, column, choosing)), ...columns.slice(1)] : columns, ...(csv !== undefined && { aside: linkButton('Export CSV', csv, { size: 'small', kind: 'quiet' }) }) })}
</div>
${pager(`Pages of ${caption}`, { first, next })}`
}

function withSorting<Row>(column: SortableColumn<Row>, { path, kept = {}, sorting }: DataTable<Row>): Column<Row> {
  const { sortBy } = column
  if (sortBy === undefined) return column
  const isCurrent = sorting?.by === sortBy
  const turned = isCurrent && !sorting.isDescending ? `-${sortBy}` : sortBy
  const sort = { href: addressOf(path, { ...kept, sort: turned }) }
  return { ...column, sort: isCurrent ? { ...sort, isDescending: sorting.isDescending } : sort }
}

/** The check box is in the cell with the row's name. It belongs to the form of the bulk bar. */
function withBox<Row>(id: string, column: Column<Row>, { idOf, nameOf }: Choosing<Row>): Column<Row> {
  const box = (row: Row) =>
    html`<span class="choose"><input ${{ type: 'checkbox', name: 'chosen', value: idOf(row), form: `${id}-bulk`, 'aria-label': `Choose ${nameOf(row)}` }}>${html`<span>${column.cell(row)}</span>`}</span>`
  return { ...column, cell: box }
}

/** Shown while a row is chosen. Script adds the count and the box that chooses all. */
function bulkBar<Row>(id: string, { csrf, action, buttons, hidden = {} }: Choosing<Row>): Html {
  return html`<form ${{ class: 'bulk', id: `${id}-bulk`, method: 'post', action, 'aria-label': 'Chosen rows' }}>
${Object.entries({ csrf, ...hidden }).map(([name, value]) => html`<input ${{ type: 'hidden', name, value }}>`)}
<label class="choose-all" data-needs-script><input type="checkbox" data-choose-all> Choose all on this page</label><span class="bulk-count" data-chosen-count></span>${buttons}
</form>`
}

/** The `sort` parameter of an address, if the list can be sorted so. */
export function sortingOf(sort: string | undefined, names: readonly string[], otherwise: Sorting): Sorting {
  const by = sort?.replace(/^-/, '')
  return by !== undefined && names.includes(by) ? { by, isDescending: sort?.startsWith('-') === true } : otherwise
}
