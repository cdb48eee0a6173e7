import { linkButton } from '../../platform/web/components/button.ts'
import { appFace, badge } from '../../platform/web/components/card.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { priceWords } from '../../platform/web/money.ts'
import { PATHS } from './frame.ts'
import type { ShownSubscription } from './own-subscriptions.ts'
import { priceOf, type Standing } from './standing.ts'

/** One of the merchant's subscriptions among the others. */
export function subscriptionCard({ foreseen, app, standing, place }: ShownSubscription): Html {
  const { subscription, plan } = foreseen
  return html`<section class="card">
${appFace(app)}
<p><strong>${plan.name}</strong>${place && ` · ${place}`}<br>${priceWords(priceOf(subscription, plan))}</p>
<p>${badge(standing.word, standing.tone)}</p>
${sentencesOf(standing)}
<p>${linkButton('Details', `${PATHS.subscriptions}/${subscription.subscriptionId}`, { about: `of ${plan.name}, ${app.name}` })}</p>
</section>`
}

/** What comes next, a sentence a line. */
export function sentencesOf({ sentences, bankUrl }: Standing): Html {
  return html`<p>${sentences.map((sentence, i) => html`${i > 0 && html`<br>`}${sentence}`)}</p>
${bankUrl !== undefined && html`<p>${linkButton('Confirm with your bank', bankUrl, { kind: 'primary' })}</p>`}`
}
