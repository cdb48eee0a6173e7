import { type Static, Type } from 'typebox'
import { listMembershipsOfUser } from '../../access/memberships/store.ts'
import type { ApprovalRight } from '../../core/approval.ts'
import { signedIn } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import {
  approveAuthorization,
  continueAuthorization,
  declineAuthorization,
} from '../../merchants/authorizations/approve.ts'
import { type AuthorizationRequest, startAuthorization } from '../../merchants/authorizations/start.ts'
import {
  type AnyPage,
  type PageAnswer,
  type PageCall,
  page,
  redirect,
  type Shown,
  shown,
} from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { appFace, notice } from '../../platform/web/components/content.ts'
import { button, linkButton } from '../../platform/web/components/form.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { english, say, sayHtml, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { faceOf } from '../merchant/standing.ts'

type ApprovalPorts = Pick<Ports, 'db' | 'clock'>

/**
 * Decisions 8: an app sends a merchant here. The signed-in person approves or declines and returns to the app. An invalid request is
 * reported before sign-in.
 */
export function approvalPages(ports: ApprovalPorts): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: AUTHORIZE_PATH,
      name: 'askForApproval',
      operation: 'public',
      signIn: 'optional',
      query: Asked,
      handle: call => ask(ports, call, call.query),
    }),
    page({
      method: 'POST',
      path: `${AUTHORIZE_PATH}/approve`,
      name: 'giveApproval',
      operation: 'approvals.manage',
      signIn: 'required',
      /** The business shown on the page: the person may have switched workspaces in another window. */
      form: Type.Object({ ...Asked.properties, businessId: Type.String() }),
      subject: ({ principal }) =>
        principal.kind === 'merchant'
          ? { businessId: principal.businessId }
          : reject('FORBIDDEN', 'Only members of a business can approve an app for the business.'),
      handle: call => approve(ports, call),
    }),
    page({
      method: 'POST',
      path: `${AUTHORIZE_PATH}/decline`,
      name: 'declineApproval',
      operation: 'public',
      signIn: 'optional',
      form: Asked,
      // The request changes nothing.
      audited: false,
      async handle({ form, db }) {
        const request = await readRequest({ db }, form)
        return isRejection(request) ? brokenRequest(request) : redirect(declineAuthorization(request))
      },
    }),
  ]
}

async function ask(ports: ApprovalPorts, call: PageCall, asked: Asked): Promise<PageAnswer | Rejection> {
  const request = await readRequest(ports, asked)
  if (isRejection(request)) return brokenRequest(request)
  const { principal, session } = call
  if (session === null) return reject('INVALID_ACCESS_TOKEN', 'Sign in.')
  const hasOthers = await isOfSeveral(ports, call)
  const asking = { asked, request, hasOthers }
  const { name } = session.workspace
  if (principal.kind !== 'merchant') {
    return cannotApprove(
      call,
      asking,
      say`You are signed in to ${name}, which is not a business. Only a business can approve apps.`,
    )
  }
  if (isTakenByRole(principal, 'approvals.manage')) {
    return cannotApprove(call, asking, say`Only an owner or a manager of ${name} may let an app in. Ask one of them.`)
  }
  const { businessId } = principal
  const location = await continueAuthorization(ports, { request, businessId })
  if (location !== null) return goBack(location, request.app.name, call.headers)
  return askMerchant(call, { ...asking, businessId })
}

async function approve(
  ports: ApprovalPorts,
  call: PageCall<unknown, unknown, Asked & { readonly businessId: string }>,
): Promise<PageAnswer | Rejection> {
  const { form, principal, db } = call
  const request = await readRequest(ports, form)
  if (isRejection(request)) return brokenRequest(request)
  if (principal.kind !== 'merchant')
    return reject('FORBIDDEN', 'Only members of a business can approve an app for the business.')
  const { businessId } = principal
  if (businessId !== form.businessId) {
    const hasOthers = await isOfSeveral(ports, call)
    const words = say`You are signed in to ${call.session?.workspace.name ?? ''} now. Nothing was approved yet: look again, then answer.`
    return askMerchant(
      call,
      { asked: form, request, businessId, hasOthers },
      notice('warn', say`Another business`, words),
    )
  }
  const location = await approveAuthorization({ ...ports, db }, { request, businessId })
  if (!isRejection(location)) return redirect(location)
  return location.rejected === 'APPLICATION_DISABLED' ? brokenRequest(location) : location
}

async function isOfSeveral({ db }: Pick<Ports, 'db'>, { principal }: PageCall): Promise<boolean> {
  const person = signedIn(principal)
  return person !== null && (await listMembershipsOfUser(db.sql, person.userId)).length > 1
}

interface Asking {
  readonly asked: Asked
  readonly request: AuthorizationRequest
  /** The consenting business. */
  readonly businessId: string
  /** The person belongs to other workspaces, too. */
  readonly hasOthers: boolean
}

/** The app, its request, the business, and the two answers. `said`: the result of an answer. */
function askMerchant(call: PageCall, asking: Asking, said?: Html): PageAnswer {
  const { request, businessId, asked, hasOthers } = asking
  const { app, developerName, rights } = request
  const workspace = call.session?.workspace.name ?? ''
  const main = html`${said}
${appFace(faceOf(app, developerName), 2)}
<h1>${say`Let ${app.name} in?`}</h1>
<p class="lead">${sayHtml`It asks for access to ${html`<strong>${workspace}</strong>`}. If you approve, it may:`}</p>
<ul class="points">${rights.map(right => html`<li>${sayText(RIGHTS_IN_WORDS[right])}</li>`)}</ul>
<p>${sayHtml`You can end this at any time under ${html`<a href="/my/apps">${say`Apps`}</a>`}.`}</p>
${answerForm(call, asking, 'approve', { businessId }, button(say`Approve for ${workspace}`, { kind: 'primary', size: 'large' }))}
${cancelForm(call, asking)}
${hasOthers && other(asked)}`
  return inFrame(call, request, say`Let ${app.name} in?`, main)
}

/** Explains why this person may not approve, and what to do. The page has no approve button. */
function cannotApprove(call: PageCall, asking: Omit<Asking, 'businessId'>, words: Part): PageAnswer {
  const { request, asked, hasOthers } = asking
  const { app, developerName } = request
  const main = html`${appFace(faceOf(app, developerName), 2)}
<h1>${say`You cannot approve this app here`}</h1>
<p class="lead">${words}</p>
${hasOthers && other(asked)}
${cancelForm(call, asking)}`
  return inFrame(call, request, say`You cannot approve this app here`, main, 403)
}

function inFrame(
  call: PageCall,
  { redirectUri }: AuthorizationRequest,
  title: string,
  main: Html,
  status = 200,
): Shown {
  const signedIn = call.session && { ...call.session, csrf: call.csrf }
  return shown(layout({ title, main, width: 'narrow', signedIn }), { status, formAction: [redirectUri] })
}

function cancelForm(call: PageCall, asking: Omit<Asking, 'businessId'>): Html {
  return answerForm(call, asking, 'decline', {}, button(say`Cancel`, { size: 'large' }))
}

function answerForm(
  { csrf }: PageCall,
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
  const href = `/choose-workspace?next=${encodeURIComponent(addressOf(asked))}`
  return html`<p>${linkButton(say`Use another business`, href, { kind: 'quiet' })}</p>`
}

/** The request is invalid. The page never redirects: the request may not come from the app. */
function brokenRequest({ rejected, developerMessage }: Rejection): PageAnswer {
  const { status } = PROBLEMS[rejected]
  const title = rejected === 'APPLICATION_DISABLED' ? say`This app is not available` : say`This link is not valid`
  const main = html`<article class="message">
<h1>${title}</h1>
<p class="lead">${say`You were sent here by an app to give it access. ${saidOf(rejected)} Nothing was approved.`}</p>
<p>${say`Close this page. If you trust the app, inform its developer.`}</p>
<p class="fine">${say`For the makers of the app: ${developerMessage}`}</p>
</article>`
  return shown(layout({ title, main, width: 'narrow' }), { status })
}

const SAID: Partial<Record<Rejection['rejected'], string>> = {
  APPLICATION_NOT_FOUND: english('We do not know this app.'),
  APPLICATION_DISABLED: english('This app was switched off.'),
}

function saidOf(rejected: Rejection['rejected']): string {
  const said = SAID[rejected]
  return said === undefined ? say`Its link is incomplete or wrong.` : sayText(said)
}

/**
 * Continues to the app. Chromium applies the content security policy of a form to every redirect that follows, and the policy of the sign-in
 * pages allows no address of an app. After sign-in, a separate page therefore starts a new navigation.
 */
function goBack(location: string, appName: string, headers: Readonly<Record<string, unknown>>): PageAnswer {
  if (headers['sec-fetch-site'] !== 'same-origin') return redirect(location)
  const title = say`Going on to ${appName}`
  const main = html`<h1>${title}</h1>
<p class="lead">${say`You have approved this app before.`}</p>
<p>${linkButton(say`Continue`, location, { kind: 'primary' })}</p>`
  return shown(layout({ title, main, width: 'narrow' }), { headers: { refresh: `0;url=${location}` } })
}

const AUTHORIZE_PATH = '/applications/authorize'

const Word = Type.Optional(Type.String())

/** Decisions 8; the older names are those of existing clients. Invalid parameters are reported on a page of ours. */
const Asked = Type.Object({
  client_id: Word,
  applicationId: Word,
  redirect_uri: Word,
  callback: Word,
  context: Word,
  rights: Word,
  code_challenge: Word,
  code_challenge_method: Word,
})
type Asked = Static<typeof Asked>

/** The parameters under their newer names, as forms and the sign-in redirect carry them. */
function namesOf({ client_id, applicationId, redirect_uri, callback, ...others }: Asked) {
  const { context, rights, code_challenge, code_challenge_method } = others
  const named = {
    client_id: client_id ?? applicationId,
    redirect_uri: redirect_uri ?? callback,
    context,
    rights,
    code_challenge,
    code_challenge_method,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Record<string, string>
}

/** Validated again at each step: nothing that a page carried is trusted. */
function readRequest(ports: Pick<Ports, 'db'>, asked: Asked): Promise<AuthorizationRequest | Rejection> {
  const { client_id: clientId, redirect_uri: redirectUri, context, rights, ...pkce } = namesOf(asked)
  const { code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod } = pkce
  return startAuthorization(ports, {
    ...(clientId === undefined ? {} : { clientId }),
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(context === undefined ? {} : { context }),
    ...(rights === undefined ? {} : { rights }),
    ...(codeChallenge === undefined ? {} : { codeChallenge }),
    ...(codeChallengeMethod === undefined ? {} : { codeChallengeMethod }),
  })
}

/** The address of the page with all parameters. */
function addressOf(asked: Asked): string {
  return `${AUTHORIZE_PATH}?${new URLSearchParams(namesOf(asked))}`
}

/** The rights of an app in the merchant's words. */
export const RIGHTS_IN_WORDS: Readonly<Record<ApprovalRight, string>> = {
  READ: english('See your subscriptions, invoices, orders and business details'),
  SUBSCRIBE: english('Subscribe you to its plans and change or restore your subscriptions; you will be charged'),
}
