import { Type } from 'typebox'
import type { DeviceDecision } from '../../core/device-login.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, page, redirect, type Shown, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { card, facts, notice } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, textField } from '../../platform/web/components/form.ts'
import { instant } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { layout, type View } from '../../platform/web/layout.ts'
import { ACCOUNT_PATH, navigationOf } from '../../platform/web/navigation.ts'
import { say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { whoOf } from '../accounts/pages.ts'
import { type AccountFrame, accountPage } from '../accounts/views.ts'
import { wordOfRole } from '../invitations/words.ts'
import { listMembershipsOfUser, type NamedMembership } from '../memberships/store.ts'
import { OPERATOR_WORKSPACE } from '../sessions/web-sessions.ts'
import { decideLogin, findLoginOfCode } from './login.ts'
import type { OpenDeviceLogin } from './store.ts'

type PagePorts = Pick<Ports, 'db' | 'clock'>
const Decision = Type.Enum(['APPROVED', 'DENIED'])

/** The page on which a person approves the login of the command-line tool. */
export function deviceLoginPages(ports: PagePorts): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/device',
      name: 'showDeviceLogin',
      operation: 'account.manage',
      signIn: 'required',
      query: Type.Object({ code: Type.Optional(Text(100, 0)), said: Type.Optional(Decision) }),
      async handle(call) {
        const { code, said } = call.query
        if (said !== undefined) return shown(decidedView(frameOf(call), said))
        return code === undefined ? shown(enterCodeView(frameOf(call), {})) : askDecision(ports, call, code)
      },
    }),
    page({
      method: 'POST',
      path: '/device',
      name: 'decideDeviceLogin',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ code: Text(100, 0), membershipId: Uuid, decision: Decision }),
      // The row of the session that follows records the person and the time.
      audited: false,
      async handle(call) {
        const { code, membershipId, decision } = call.form
        const { person, session } = whoOf(call)
        // Another tab may have switched the workspace since the page was shown.
        if (membershipId !== person.membershipId) return askDecision(ports, call, code, { isSwitched: true })
        if (decision === 'APPROVED' && session.principal.kind === 'merchant') return askDecision(ports, call, code)
        const decided = await decideLogin(ports, { code, person, address: call.address, decision })
        return isRejection(decided) ? askCodeAgain(call, code, decided) : redirect(`/device?said=${decision}`)
      },
    }),
  ]
}

async function askDecision(
  ports: PagePorts,
  call: PageCall,
  code: string,
  { isSwitched = false }: { readonly isSwitched?: boolean } = {},
): Promise<Shown> {
  const { person } = whoOf(call)
  const login = await findLoginOfCode(ports, { code, person, address: call.address })
  if (isRejection(login)) return askCodeAgain(call, code, login)
  const memberships = await listMembershipsOfUser(call.db.sql, person.userId)
  const membership = memberships.find(({ membershipId }) => membershipId === person.membershipId)
  // Removed since the caller was authenticated.
  if (membership === undefined) return shown(enterCodeView(frameOf(call), { code }), { status: 409 })
  const view = decisionView(frameOf(call), { login, membership, isSwitched, hasOthers: memberships.length > 1 })
  if (!mayUseCommandLine(membership)) return shown(view, { status: 403 })
  return shown(view, { status: isSwitched ? 409 : 200 })
}

function askCodeAgain(call: PageCall, code: string, { rejected }: Rejection): Shown {
  const problem =
    rejected === 'TOO_MANY_REQUESTS'
      ? say`There were too many wrong codes. Try again in some minutes.`
      : say`No login is waiting under this code. Codes work once and for 15 minutes. Run tillhook login again.`
  return shown(enterCodeView(frameOf(call), { code, problem }), { status: PROBLEMS[rejected].status })
}

function frameOf(call: PageCall) {
  return { csrf: call.csrf, session: whoOf(call).session }
}

interface CodeView {
  readonly code?: string
  readonly problem?: string
}

function enterCodeView({ csrf, session }: AccountFrame, { code = '', problem }: CodeView): View {
  const title = say`Log in the command line`
  const links = navigationOf(session.principal, ACCOUNT_PATH)
  const field = { name: 'code', label: say`Code`, isCode: true, maxlength: 20, autofocus: true } as const
  const main = html`<h1>${title}</h1>
<p class="lead">${say`Enter the code that your terminal shows.`}</p>
<form method="get" action="/device">
${textField({ ...field, value: code, problem })}
${buttons(button(say`Continue`, { kind: 'primary' }))}
</form>`
  return layout({ title, links, signedIn: { ...session, csrf }, width: 'narrow', main })
}

interface DecisionView {
  readonly login: OpenDeviceLogin
  readonly membership: NamedMembership
  /** The workspace changed since the page was shown. */
  readonly isSwitched: boolean
  readonly hasOthers: boolean
}

function decisionView(frame: AccountFrame, { login, membership, isSwitched, hasOthers }: DecisionView): View {
  const { userCode: code } = login
  const { membershipId } = membership
  const workspace = membership.workspaceName ?? sayText(OPERATOR_WORKSPACE)
  const chooseHref = `/choose-workspace?next=${encodeURIComponent(`/device?code=${code}`)}`
  const title = say`Log in the command line`
  const switchLink = hasOthers && html`<p>${linkButton(say`Switch workspace`, chooseHref, { kind: 'quiet' })}</p>`
  if (!mayUseCommandLine(membership)) {
    const words = say`The command line is for app developers and for the operator. ${workspace} is a merchant.`
    return accountPage(
      frame,
      title,
      html`<h1>${title}</h1>
${notice('warn', say`Not for merchants`, words)}
${switchLink}`,
    )
  }
  return accountPage(
    frame,
    title,
    html`<h1>${title}</h1>
${isSwitched && notice('warn', say`Another workspace`, say`You work for ${workspace} now. Nothing was approved yet.`)}
<p class="lead">${say`Approve only if you ran tillhook login yourself and your terminal shows this code.`}</p>
<p class="price"><strong><code>${code}</code></strong></p>
${facts([
  [say`Requested from`, login.address],
  [say`Requested at`, instant(login.createdAt)],
  [say`Your account`, frame.session.person.email],
  [say`Workspace`, html`<strong>${workspace}</strong>`],
  [say`Role`, wordOfRole(membership.role)],
])}
${card({
  title: say`Rights of the command line`,
  body: html`<ul class="points">${rightsOf(membership).map(right => html`<li>${right}</li>`)}</ul>
<p>${say`The rights end with the session. You can end the session at any time on your account page.`}</p>`,
})}
${form({
  csrf: frame.csrf,
  action: '/device',
  hidden: { code, membershipId },
  body: buttons(
    button(say`Approve for ${workspace}`, { name: 'decision', value: 'APPROVED', kind: 'primary' }),
    button(say`Deny`, { name: 'decision', value: 'DENIED' }),
  ),
})}
${switchLink}`,
  )
}

/** No command is about a merchant's own business. */
function mayUseCommandLine({ workspace }: Pick<NamedMembership, 'workspace'>): boolean {
  return workspace.kind !== 'MERCHANT'
}

/** A session has the rights of the person's role (core/taken-by-role.ts). */
function rightsOf({ workspace, role }: NamedMembership): string[] {
  if (role === 'VIEWER') return [say`See everything that you can see here`, say`Change nothing but your own account`]
  switch (workspace.kind) {
    case 'OPERATOR':
      return [
        say`Review releases, and disable apps`,
        say`See and change every organization, merchant and subscription`,
        say`Refund payments, and record payouts`,
      ]
    case 'DEVELOPER':
      return [
        say`See subscriptions, invoices and events of your apps`,
        say`Create apps and webhooks, and change them`,
        say`Create test merchants, and move their clocks`,
        ...(role === 'ADMIN' ? [say`Create keys of your apps, refund payments, and invite members`] : []),
      ]
    case 'MERCHANT':
      return []
  }
}

function decidedView(frame: AccountFrame, decision: DeviceDecision): View {
  const isApproved = decision === 'APPROVED'
  const title = isApproved ? say`The command line is logged in` : say`Login denied`
  const words = isApproved
    ? say`Go back to your terminal. You can close this page.`
    : say`The command line was not logged in. If you did not run tillhook login, somebody sent you this link.`
  return accountPage(
    frame,
    title,
    html`<h1>${title}</h1>
<p class="lead">${words}</p>
${buttons(linkButton(say`Go to your account`, ACCOUNT_PATH))}`,
  )
}
