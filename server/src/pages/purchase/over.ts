import type { PageAnswer } from '../../platform/http/page.ts'
import { html } from '../../platform/web/html.ts'
import { tillShownOf } from './frame.ts'
import type { Till, TillCall } from './till.ts'

/** Expired or cancelled. 410: it was here, and will not be again. */
export function over(call: TillCall, till: Till): PageAnswer {
  const { title, words } = till.purchase.status === 'CANCELLED' ? CANCELLED : EXPIRED
  const main = html`<h1>${title}</h1>
<p class="lead">${words}</p>
<p>Go back to ${till.app.name}. You can start again there at any time.</p>`
  return tillShownOf(call, till, { title, main }, { status: 410 })
}

const CANCELLED = { title: 'Cancelled', words: 'Nothing was bought, and nothing was charged.' }

/** Decisions 9: "EXPIRED after 30 min". */
const EXPIRED = {
  title: 'This took too long',
  words: 'A purchase is open for 30 minutes. Nothing was bought, and nothing was charged.',
}
