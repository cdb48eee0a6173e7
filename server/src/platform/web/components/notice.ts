import { type Html, html, type Part } from '../html.ts'

/** Something to know beside what the page is about. `bad` and `warn` ask for something to be done. */
export function notice(kind: 'good' | 'warn' | 'bad', title: string, words?: Part): Html {
  return html`<div ${{ class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : 'status' }}>
<p class="notice-title">${title}</p>
${words && html`<p>${words}</p>`}
</div>`
}

/** A list that is empty, and how to fill it. */
export function emptyState(title: string, words: Part, action?: Html): Html {
  return html`<div class="empty">
<h2>${title}</h2>
<p>${words}</p>
${action}
</div>`
}
