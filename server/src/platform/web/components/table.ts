import { type Html, html, type Part } from '../html.ts'
import { say } from '../say.ts'
import { linkButton } from './form.ts'

export interface Column<Row> {
  readonly name: string
  cell(row: Row): Part
  /** Figures stand under each other. */
  readonly isNumber?: boolean
  /** The link that sorts by the column. `isDescending` is set if the list is sorted so. */
  readonly sort?: { readonly href: string; readonly isDescending?: boolean }
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
  const isSortable = columns.some(({ sort }) => sort !== undefined)
  return html`${aside && html`<div class="table-aside">${aside}</div>`}<table ${{ class: isSortable ? 'table sortable' : 'table', role: 'table' }}>
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(headOf)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    row => html`
<tr role="row">${columns.map((column, i) => cellOf(column, row, i))}</tr>`,
  )}
</tbody>
</table>`
}

function headOf<Row>({ name, isNumber, sort }: Column<Row>): Html {
  const own = { scope: 'col', role: 'columnheader', class: isNumber ? 'number' : undefined }
  if (sort === undefined) return html`<th ${own}>${name}</th>`
  const { href, isDescending } = sort
  const direction = isDescending === undefined ? undefined : isDescending ? 'descending' : 'ascending'
  return html`<th ${{ ...own, 'aria-sort': direction }}><a ${{ class: 'sort', href }}>${name}</a></th>`
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

/** Lists continue by key: to the next part, and back to the first. */
export function pager(
  label: string,
  { first, next }: { readonly first?: string | undefined; readonly next?: string | undefined },
): Html | false {
  if (first === undefined && next === undefined) return false
  return html`<nav class="pager" aria-label="${label}">
${first === undefined ? html`<span></span>` : linkButton(say`First page`, first)}
${next !== undefined && linkButton(say`Next page`, next)}
</nav>`
}

/** A URL with the non-empty parameters. */
export function addressOf(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, value)
  return given.size === 0 ? path : `${path}?${given}`
}
