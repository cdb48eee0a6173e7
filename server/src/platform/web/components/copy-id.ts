import { type Html, html } from '../html.ts'

/** An id with a small button that copies it. The button needs script. `about`: "the app id". */
export function copyId(id: string, value: string, about: string): Html {
  return html`<span class="copy-id"><code ${{ id }}>${value}</code><button ${{ type: 'button', class: 'copy-button', 'data-copy': id, 'aria-label': `Copy ${about}` }}>${icon()}</button></span>`
}

function icon(): Html {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5v-1A1.5 1.5 0 0 0 9 3H4a1.5 1.5 0 0 0-1.5 1.5v5A1.5 1.5 0 0 0 4 11h1.5"/></svg>`
}
