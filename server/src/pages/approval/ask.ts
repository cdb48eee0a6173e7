import type { AuthorizationRequest } from '../../merchants/authorizations/start.ts'
import { type PageAnswer, type PageCall, type Shown, shown } from '../../platform/http/page.ts'
import { button, linkButton } from '../../platform/web/components/button.ts'
import { appFace } from '../../platform/web/components/card.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { faceOf } from '../merchant/own-subscriptions.ts'
import { type Asked, AUTHORIZE_PATH, addressOf, namesOf } from './request.ts'
import { RIGHTS_IN_WORDS } from './rights.ts'

type Call = PageCall<unknown, unknown, unknown>

interface Asking {
  readonly asked: Asked
  readonly request: AuthorizationRequest
  /** Whose consent it would be. */
  readonly businessId: string
  /** The person belongs to other places, too. */
  readonly hasOthers: boolean
}

/** Who asks, for what, for which business; and the two answers. `said`: what happened when one was given. */
export function askMerchant(call: Call, asking: Asking, said?: Html): PageAnswer {
  const { request, businessId, asked, hasOthers } = asking
  const { app, developerName, rights } = request
  const place = call.session?.place.name ?? ''
  const main = html`${said}
${appFace(faceOf(app, developerName), 2)}
<h1>Let ${app.name} in?</h1>
<p class="lead">It asks for access to <strong>${place}</strong>. If you approve, it may:</p>
<ul class="points">${rights.map(right => html`<li>${RIGHTS_IN_WORDS[right]}</li>`)}</ul>
<p>You can end this at any time under <a href="/my/apps">Apps</a>.</p>
${answerForm(call, asking, 'approve', { businessId }, button(`Approve for ${place}`, { kind: 'primary', size: 'large' }))}
${cancelForm(call, asking)}
${hasOthers && other(asked)}`
  return inFrame(call, request, `Let ${app.name} in?`, main)
}

/** Somebody who may not: why, and the ways on. Nothing of the app's is shown to be approved. */
export function cannotApprove(call: Call, asking: Omit<Asking, 'businessId'>, words: Part): PageAnswer {
  const { request, asked, hasOthers } = asking
  const { app, developerName } = request
  const main = html`${appFace(faceOf(app, developerName), 2)}
<h1>You cannot approve this app here</h1>
<p class="lead">${words}</p>
${hasOthers && other(asked)}
${cancelForm(call, asking)}`
  return inFrame(call, request, 'You cannot approve this app here', main, 403)
}

function inFrame(call: Call, { redirectUri }: AuthorizationRequest, title: string, main: Html, status = 200): Shown {
  const signedIn = call.session && { ...call.session, csrf: call.csrf }
  return shown(layout({ title, main, width: 'narrow', signedIn }), { status, formAction: [redirectUri] })
}

function cancelForm(call: Call, asking: Omit<Asking, 'businessId'>): Html {
  return answerForm(call, asking, 'decline', {}, button('Cancel', { size: 'large' }))
}

function answerForm(
  { csrf }: Call,
  { asked }: Pick<Asking, 'asked'>,
  answer: 'approve' | 'decline',
  more: Readonly<Record<string, string>>,
  pressed: Html,
): Html {
  const fields = { csrf, ...namesOf(asked), ...more }
  return html`<form ${{ method: 'post', action: `${AUTHORIZE_PATH}/${answer}`, class: 'answer' }}>
${Object.entries(fields).map(([name, value]) => html`<input ${{ type: 'hidden', name, value }}>`)}
${pressed}
</form>`
}

function other(asked: Asked): Html {
  const href = `/choose-place?next=${encodeURIComponent(addressOf(asked))}`
  return html`<p>${linkButton('Use another business', href, { kind: 'quiet' })}</p>`
}
