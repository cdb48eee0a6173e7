import { type Html, html } from '../html.ts'

export interface Tab {
  readonly text: string
  readonly href: string
  /** Beside the text. */
  readonly count?: number
}

/** The pages of one thing, as links below its title. Tabs that do not fit wrap onto the next line. `label` is for screen readers. */
export function tabs(label: string, items: readonly Tab[], current: string): Html {
  return html`<nav class="tabs" aria-label="${label}"><ul>${items.map(
    ({ text, href, count }) => html`
<li><a ${{ href, 'aria-current': href === current ? 'page' : undefined }}>${text}${count !== undefined && html` <span class="tab-count">${String(count)}</span>`}</a></li>`,
  )}
</ul></nav>`
}
