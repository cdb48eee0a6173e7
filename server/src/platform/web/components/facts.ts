import { type Html, html, type Part } from '../html.ts'

/** What is known of one thing: names and values. */
export function facts(pairs: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="facts">
${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>`
}

/** What one program told another, as it stands, line by line. */
export function listing(text: string): Html {
  return html`<pre class="listing"><code>${text}</code></pre>`
}

/** Something to be taken along exactly as it is: a key, a link. The button appears where there is script. */
export function copyable(id: string, text: string, about: string): Html {
  return html`<p class="copy"><code ${{ id }}>${text}</code><button ${{ type: 'button', class: 'button plain small', 'data-copy': id, hidden: true, 'aria-label': `Copy ${about}` }}>Copy</button></p>`
}
