import type { PageAnswer } from '../../platform/http/page.ts'
import { html } from '../../platform/web/html.ts'
import { tillShown } from './frame.ts'
import type { TillCall } from './till.ts'

/** Unknown, another business's, or opened without its whole address: all the same to who may not see it. */
export function notForYou(call: TillCall): PageAnswer {
  const { session } = call
  const main = html`<article class="message">
<h1>There is no such purchase here</h1>
<p class="lead">Nothing was bought, and nothing was charged.</p>
${
  session === null
    ? html`<p>Go back to the app and start again. A purchase opens only where it was begun.</p>`
    : html`<p>You are signed in to ${session.place.name} as ${session.person.name}. The purchase may be for another business, or only an owner or a manager may make it.</p>`
}
</article>`
  return tillShown(call, { title: 'No such purchase', main }, { status: 404 })
}
