import { type Html, html, type Part } from '../html.ts'
import type { Tone } from './content.ts'

export interface Stat {
  readonly label: string
  readonly value: Part
  /** The change since the period before, or another remark. */
  readonly delta?: { readonly text: string; readonly tone?: Tone }
  /** The page with the details. */
  readonly href?: string
}

/** Characters of a figure that fit into a card in the large size. */
const LONG = 9

/** Key figures side by side. */
export function stats(items: readonly Stat[]): Html {
  return html`<dl class="stats">${items.map(stat)}</dl>`
}

function stat({ label, value, delta, href }: Stat): Html {
  return html`
<div class="stat"><dt>${href === undefined ? label : html`<a href="${href}">${label}</a>`}</dt>
<dd><strong ${{ class: typeof value === 'string' && value.length > LONG && 'long' }}>${value}</strong>${delta && html`<span class="delta ${delta.tone ?? 'plain'}">${delta.text}</span>`}</dd></div>`
}
