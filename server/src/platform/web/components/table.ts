import { type Html, html, type Part } from '../html.ts'

export interface Column<Row> {
  readonly name: string
  cell(row: Row): Part
  /** Figures stand under each other. */
  readonly isNumber?: boolean
}

export interface TableOptions<Row> {
  readonly caption: string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}

/** A table that becomes cards on a phone. Its roles are written down, since browsers forget them with `display`. */
export function table<Row>({ caption, columns, rows }: TableOptions<Row>): Html {
  return html`<table class="table" role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(headOf)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    row => html`
<tr role="row">${columns.map((column, i) => cellOf(column, row, i))}</tr>`,
  )}
</tbody>
</table>`
}

function headOf<Row>({ name, isNumber }: Column<Row>): Html {
  return html`<th ${{ scope: 'col', role: 'columnheader', class: isNumber ? 'number' : undefined }}>${name}</th>`
}

function cellOf<Row>({ name, cell, isNumber }: Column<Row>, row: Row, i: number): Html {
  if (i === 0) return html`<th scope="row" role="rowheader">${cell(row)}</th>`
  return html`<td ${{ role: 'cell', 'data-label': name, class: isNumber ? 'number' : undefined }}><span>${cell(row)}</span></td>`
}
