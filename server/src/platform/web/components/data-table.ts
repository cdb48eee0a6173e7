import { type Html, html, type Part } from '../html.ts'
import { nothingFound } from './content.ts'
import { linkButton } from './form.ts'
import { type Column, type Paging, pager, type TableOptions, table } from './table.ts'

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

interface DataTable<Row> extends Paging, Pick<TableOptions<Row>, 'columns' | 'rows' | 'hasDrawers'> {
  readonly id: string
  readonly caption: string
  /** Check boxes named `chosen`, and what can be done with the chosen rows. */
  readonly choosing?: Choosing<Row>
  /** The address of the same list as csv. */
  readonly csv?: string
  /** Shown instead of an empty table, unless a search is in force. */
  readonly empty: Html
}

/** A list with check boxes, a csv link and a pager by key. All of it works without script. */
export function dataTable<Row>({
  id,
  caption,
  columns,
  rows,
  choosing,
  csv,
  empty,
  hasDrawers,
  ...paging
}: DataTable<Row>): Html {
  const pages = pager(`Pages of ${caption}`, paging)
  const q = paging.kept?.q ?? ''
  if (rows.length === 0) return html`${q === '' ? empty : nothingFound(q)}${pages}`
  return html`<div ${{ class: 'data-table', 'data-rows': true }}>
${choosing && bulkBar(id, choosing)}
${table({ caption, rows, ...(hasDrawers && { hasDrawers }), columns: columns.map((column, i) => (choosing && column && i === 0 ? withBox(id, column, choosing) : column)), ...(csv !== undefined && { aside: linkButton('Export CSV', csv, { size: 'small', kind: 'quiet' }) }) })}
</div>
${pages}`
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
