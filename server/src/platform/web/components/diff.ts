import { type Html, html } from '../html.ts'

export interface Difference {
  readonly name: string
  /** Absent: added. */
  readonly before?: string | undefined
  /** Absent: removed. */
  readonly after?: string | undefined
}

/** Values before and after a change, side by side. Equal values are shown plainly. */
export function diff(caption: string, rows: readonly Difference[]): Html {
  return html`<table class="table diff" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Field</th><th scope="col" role="columnheader">Before</th><th scope="col" role="columnheader">After</th></tr></thead>
<tbody role="rowgroup">${rows.map(
    ({ name, before, after }) => html`
<tr ${{ role: 'row', class: before === after ? undefined : 'changed' }}><th scope="row" role="rowheader">${name}</th>
<td role="cell" data-label="Before"><span>${before === undefined ? html`<span class="fine">none</span>` : before === after ? before : html`<del>${before}</del>`}</span></td>
<td role="cell" data-label="After"><span>${after === undefined ? html`<span class="fine">none</span>` : before === after ? after : html`<ins>${after}</ins>`}</span></td></tr>`,
  )}
</tbody></table>`
}
