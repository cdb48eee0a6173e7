import { Type } from 'typebox'
import type { Brand } from '../../core/brand.ts'
import { signedIn } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { ownPath } from '../../platform/http/links.ts'
import { type AnyPage, page, type Redirect, redirect, shown } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { KNOWN_FOR_SECONDS, knownBrowser, makeKnownBrowser } from '../../platform/throttles/known-browser.ts'
import { notice, steps } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  choices,
  form,
  linkButton,
  type Problems,
  textField,
} from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { layout, type View } from '../../platform/web/layout.ts'
import { HOME } from '../../platform/web/navigation.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { wordOfRole } from '../invitations/words.ts'
import { listMembershipsOfUser, type NamedMembership } from '../memberships/store.ts'
import type { OperatorKey } from '../operator-keys/ensure-operator-key.ts'
import { chooseMembership } from '../sessions/move.ts'
import { makeProof } from '../sessions/proof.ts'
import { type Opened, originOf, signIn } from '../sessions/sign-in.ts'
import { endSession } from '../sessions/store.ts'
import { OPERATOR_WORKSPACE } from '../sessions/web-sessions.ts'
import { narrowPage, refusalOf } from '../users/form-words.ts'
import { findUserByEmail } from '../users/store.ts'

const Next = Type.Optional(Type.String({ maxLength: 8_000 }))
const SIGN_IN_NOTICES = {
  'signed-out': english('You are signed out'),
  'password-changed': english('Your new password is set. Sign in with it.'),
  accepted: english('Welcome. Sign in to begin.'),
} as const

type SignInNotice = keyof typeof SIGN_IN_NOTICES

const Said = Type.Optional(Type.Enum(Object.keys(SIGN_IN_NOTICES) as SignInNotice[]))

/** Signing in and out. Each form works without script, and leads on to a page of ours only. */
export function signInPages(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'> & {
    readonly operatorKey: Pick<OperatorKey, 'verify'>
  },
): AnyPage[] {
  const { clock, vault } = ports
  const canJoin = ports.settings.isJoinOpen ?? false
  return [
    page({
      method: 'GET',
      path: '/sign-in',
      name: 'showSignIn',
      operation: 'public',
      signIn: 'optional',
      query: Type.Object({ next: Next, said: Said }),
      async handle({ query, csrf, session }) {
        const next = nextOf(query.next)
        if (session !== null) return redirect(next)
        return shown(signInView({ csrf, next, canJoin, ...(query.said && { said: query.said }) }))
      },
    }),
    page({
      method: 'POST',
      path: '/sign-in',
      name: 'sendSignIn',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({ email: Text(254, 0), password: Text(1_000, 0), next: Next }),
      // The row of the session records the person, the start and the end.
      audited: false,
      async handle({ form, brand, csrf, headers, address, cookies, db, session }) {
        const next = nextOf(form.next)
        const again = (problems: Problems, status = 400) =>
          shown(signInView({ csrf, next, canJoin, email: form.email, problems }), { status })
        if (session !== null) return redirect(next)
        if (ports.operatorKey.verify(form.password.trim())) return redirect('/setup')
        if (form.email === '') return again({ email: say`Enter your e-mail address.` })
        if (form.password === '') return again({ password: say`Enter your password.` })
        const { email, password } = form
        const from = { ...originOf(address, headers), ...knownBrowser(ports, cookies.read('browser'), email) }
        const opened = await signIn({ ...ports, db }, { email, password, from })
        if (!isRejection(opened)) return enter(ports, opened, email, next)
        if (opened.rejected !== 'SECOND_FACTOR_REQUIRED') return again(...refusalOf(opened))
        const user = await findUserByEmail(db.sql, email)
        if (user === null) return again(...refusalOf(opened))
        return shown(codeView({ brand, csrf, next, email, proof: makeProof(vault, user, clock.now()) }))
      },
    }),
    page({
      method: 'POST',
      path: '/sign-in/code',
      name: 'sendSignInCode',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({ email: Text(254, 0), proof: Text(1_000, 0), code: Text(100, 0), next: Next }),
      // The row of the session records the person, the start and the end.
      audited: false,
      async handle({ form, brand, csrf, headers, address, cookies, db, session }) {
        const next = nextOf(form.next)
        if (session !== null) return redirect(next)
        const { email, proof } = form
        const code = form.code.trim()
        const again = (problems: Problems, status = 400) =>
          shown(codeView({ brand, csrf, next, email, proof, problems }), { status })
        if (code === '') return again({ code: say`Enter the code.` })
        const second = /^[0-9 ]{6,9}$/.test(code) ? { totp: code } : { recoveryCode: code }
        const from = { ...originOf(address, headers), ...knownBrowser(ports, cookies.read('browser'), email) }
        const opened = await signIn({ ...ports, db }, { email, password: { proof }, ...second, from })
        if (!isRejection(opened)) return enter(ports, opened, email, next)
        if (opened.rejected !== 'INVALID_CREDENTIALS') return again(...refusalOf(opened))
        return again({
          code: say`This code is not right, or was used already, or you took too long. Try the next one, or start again.`,
        })
      },
    }),
    page({
      method: 'GET',
      path: '/choose-workspace',
      name: 'showWorkspaces',
      operation: 'account.manage',
      signIn: 'required',
      query: Type.Object({ next: Next }),
      async handle({ query, csrf, principal, db }) {
        const person = signedIn(principal)
        if (person === null) return redirect('/sign-in')
        const memberships = await listMembershipsOfUser(db.sql, person.userId)
        return shown(workspaceView({ csrf, next: nextOf(query.next), memberships, current: person.membershipId }))
      },
    }),
    page({
      method: 'POST',
      path: '/choose-workspace',
      name: 'chooseWorkspace',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ membershipId: Text(100, 0), next: Next }),
      // The row of the session records the membership.
      audited: false,
      async handle({ form, csrf, principal, db }) {
        const person = signedIn(principal)
        if (person === null) return redirect('/sign-in')
        const next = nextOf(form.next)
        const chosen = await chooseMembership({ db }, person, form.membershipId)
        if (!isRejection(chosen)) return redirect(next)
        const memberships = await listMembershipsOfUser(db.sql, person.userId)
        const problems = { membershipId: say`You do not belong there any more. Choose another workspace.` }
        return shown(workspaceView({ csrf, next, memberships, current: person.membershipId, problems }), {
          status: 409,
        })
      },
    }),
    page({
      method: 'POST',
      path: '/sign-out',
      name: 'sendSignOut',
      operation: 'public',
      signIn: 'optional',
      duringViewing: 'open',
      form: Type.Object({}),
      // The row of the session records the end.
      audited: false,
      async handle({ principal, db }) {
        const person = signedIn(principal)
        if (person !== null) await endSession(db.sql, person, clock.now())
        return redirect('/sign-in?said=signed-out', [{ purpose: 'session', value: '' }])
      },
    }),
  ]
}

/** Issues new cookies: a cookie that an attacker planted before is worth nothing. The browser becomes a known browser. */
export function enter(
  ports: Pick<Ports, 'vault' | 'clock'>,
  { token, memberships }: Opened,
  email: string,
  next: string,
): Redirect {
  const location = memberships.length > 1 ? `/choose-workspace?next=${encodeURIComponent(next)}` : next
  return redirect(location, [
    { purpose: 'session', value: token },
    { purpose: 'browser', value: makeKnownBrowser(ports, email), maxAgeSeconds: KNOWN_FOR_SECONDS },
  ])
}

/** Own paths only: a link to us must not redirect elsewhere. */
function nextOf(next: string | undefined): string {
  const path = ownPath(next)
  return path === null || path === '/' || path.startsWith('/sign-') ? HOME : path
}

interface FormView {
  readonly csrf: string
  readonly next: string
  readonly problems?: Problems
}

function signInView(
  view: FormView & { readonly canJoin: boolean; readonly email?: string; readonly said?: SignInNotice },
): View {
  const { csrf, next, problems, canJoin, email, said } = view
  return narrowPage(
    say`Sign in`,
    html`${said !== undefined && notice('good', sayText(SIGN_IN_NOTICES[said]))}
${form({
  csrf,
  action: '/sign-in',
  hidden: { next },
  ...(problems && { problems }),
  body: html`${textField({
    ...{
      name: 'email',
      label: say`E-mail`,
      type: 'email',
      autocomplete: 'username',
      maxlength: 254,
      autofocus: email === undefined,
    },
    ...{ value: email ?? '', problem: problems?.email },
  })}
${textField({ name: 'password', label: say`Password`, type: 'password', autocomplete: 'current-password', problem: problems?.password })}
${buttons(button(say`Sign in`, { kind: 'primary' }))}`,
})}
<p>${linkButton(say`Forgot your password?`, '/reset-password', { kind: 'quiet' })}</p>
${canJoin && html`<p>${linkButton(say`Create a developer account`, '/join', { kind: 'quiet' })}</p>`}`,
  )
}

interface CodeView extends FormView {
  readonly brand: Brand
  readonly email: string
  readonly proof: string
}

function codeView({ brand, csrf, next, problems, email, proof }: CodeView): View {
  return layout({
    title: say`Enter your code`,
    width: 'narrow',
    main: html`${steps([say`Password`, 'Code'], 1)}
<h1>${say`Enter your code`}</h1>
<p>${say`Open your authenticator app and type the six digits that it shows for ${brand.name}. Without your phone, use one of your recovery codes.`}</p>
${form({
  csrf,
  action: '/sign-in/code',
  hidden: { next, email, proof },
  ...(problems && { problems }),
  body: html`${textField({
    ...{ name: 'code', label: say`Code`, isCode: true, autocomplete: 'one-time-code', maxlength: 40, autofocus: true },
    ...{ problem: problems?.code },
  })}
${buttons(button(say`Sign in`, { kind: 'primary' }))}`,
})}
<p>${linkButton(say`Sign in as somebody else`, '/sign-in', { kind: 'quiet' })}</p>`,
  })
}

interface WorkspaceView extends FormView {
  readonly memberships: readonly NamedMembership[]
  readonly current: string
}

function workspaceView({ csrf, next, problems, memberships, current }: WorkspaceView): View {
  return narrowPage(
    say`Where do you want to work?`,
    html`${form({
      csrf,
      action: '/choose-workspace',
      hidden: { next },
      ...(problems && { problems }),
      body: html`${choices({
        name: 'membershipId',
        legend: say`Your workspaces`,
        value: current,
        problem: problems?.membershipId,
        options: memberships.map(({ membershipId, workspaceName, role }) => ({
          value: membershipId,
          text: workspaceName ?? sayText(OPERATOR_WORKSPACE),
          detail: say`as ${wordOfRole(role)}`,
        })),
      })}
${buttons(button(say`Continue`, { kind: 'primary' }))}`,
    })}`,
  )
}
