import { type Html, html } from '../html.ts'

export interface FilterLink {
  readonly text: string
  readonly href: string
  readonly isCurrent: boolean
}

/** Which part of a list is shown: one of a few, each a link. `label` says so to those who do not see where it stands. */
export function filter(label: string, links: readonly FilterLink[]): Html {
  return html`<nav class="filter" aria-label="${label}"><ul>${links.map(
    ({ text, href, isCurrent }) => html`
<li><a ${{ href, 'aria-current': isCurrent ? 'true' : undefined }}>${text}</a></li>`,
  )}
</ul></nav>`
}
