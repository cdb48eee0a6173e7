import { type Html, html, type Part } from '../html.ts'
import { say } from '../say.ts'
import { linkButton } from './form.ts'

export interface Column<Row> {
  readonly name: string
  cell(row: Row): Part
  /** Figures stand under each other. */
  readonly isNumber?: boolean
}

interface TableOptions<Row> {
  readonly caption: string
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Beside the caption: a link to the same list in another form. */
  readonly aside?: Html
}

/** A table that becomes cards on a phone. Roles are explicit, because browsers drop them with `display`. */
export function table<Row>({ caption, columns, rows, aside }: TableOptions<Row>): Html {
  return html`${aside && html`<div class="table-aside">${aside}</div>`}<table class="table" role="table">
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
