import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { completed } from '../../platform/db/db.ts'
import { forgetLink, takeFromAddress } from '../../platform/http/links.ts'
import { type AnyPage, page, redirect, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Line, Text } from '../../platform/http/wire.ts'
import { knownBrowser } from '../../platform/throttles/known-browser.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import type { View } from '../../platform/web/layout.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { narrowPage, passwordHint, problemsOf } from '../users/form-words.ts'
import { findUserByEmail } from '../users/store.ts'
import { findOpenInvitation, proveAcceptance } from './accept.ts'
import type { Invitation } from './store.ts'
import { nameOfWorkspace, wordOfRole } from './words.ts'

const ACCEPT_PATH = '/invitations/accept'

/** Pages behind the link of an invitation. */
export function invitationPages(ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>): AnyPage[] {
  const isKnown = async ({ email }: Invitation) => (await findUserByEmail(ports.db.sql, email)) !== null
  return [
    page({
      method: 'GET',
      path: ACCEPT_PATH,
      name: 'showInvitation',
      operation: 'public',
      signIn: 'optional',
      query: Type.Object({ secret: Type.Optional(Text(200, 0)) }),
      async handle(call) {
        const { query, cookies } = call
        const secret = query.secret ?? cookies.read('link') ?? ''
        const invitation = await findOpenInvitation(ports, secret)
        if (invitation === null) return shown(overView(), { status: 404 })
        if (query.secret !== undefined) return takeFromAddress(ACCEPT_PATH, secret)
        return shown(acceptView({ csrf: call.csrf, secret, invitation, isKnown: await isKnown(invitation) }))
      },
    }),
    page({
      method: 'POST',
      path: ACCEPT_PATH,
      name: 'sendAcceptance',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({
        secret: Text(200, 0),
        name: Type.Optional(Line(255, 0)),
        password: Text(1_000, 0),
      }),
      async handle({ form: { secret, name, password }, csrf, address, cookies, db }) {
        const invitation = await findOpenInvitation(ports, secret)
        if (invitation === null) return shown(overView(), { status: 404 })
        const again = async (problems: Problems, status = 400) =>
          shown(acceptView({ csrf, secret, invitation, isKnown: await isKnown(invitation), name, problems }), {
            status,
          })
        if (name?.trim() === '') return again({ name: say`Enter your name.` })
        if (password === '') return again({ password: say`Enter a password.` })
        const browser = knownBrowser(ports, cookies.read('browser'), invitation.email)
        const input = { secret, password, address, ...browser, ...(name !== undefined && { name: name.trim() }) }
        const accepted = await completed(db, proveAcceptance({ ...ports, db }, input))
        if (!isRejection(accepted)) return redirect('/sign-in?said=accepted', [forgetLink(ACCEPT_PATH)])
        if (accepted.rejected === 'INVITATION_NOT_FOUND') return shown(overView(), { status: 404 })
        const { status } = PROBLEMS[accepted.rejected]
        if (accepted.rejected === 'INVALID_CREDENTIALS')
          return again({ password: say`This is not the password of your account.` }, status)
        return again(problemsOf(accepted), status)
      },
    }),
  ]
}

interface AcceptView {
  readonly csrf: string
  readonly secret: string
  readonly invitation: Invitation
  /** The address has an account already. */
  readonly isKnown: boolean
  readonly name?: string | undefined
  readonly problems?: Problems
}

function acceptView({ csrf, secret, invitation, isKnown, name, problems }: AcceptView): View {
  const workspace = nameOfWorkspace(invitation)
  const who = { name: 'email', label: say`E-mail`, type: 'email', value: invitation.email, disabled: true } as const
  return narrowPage(
    say`Join ${workspace}`,
    html`<p class="lead">${say`You are invited as ${wordOfRole(invitation.role)}.`}</p>
${isKnown && html`<p>${say`You have an account with this address. Enter its password to join with it.`}</p>`}
${form({
  csrf,
  action: ACCEPT_PATH,
  hidden: { secret },
  ...(problems && { problems }),
  body: html`${textField(who)}
${!isKnown && textField({ name: 'name', label: say`Your name`, autocomplete: 'name', maxlength: 255, value: name ?? '', problem: problems?.name })}
${textField({
  ...{ name: 'password', label: isKnown ? say`Password` : say`Choose a password`, type: 'password' },
  ...{ autocomplete: isKnown ? 'current-password' : 'new-password', problem: problems?.password },
  ...(!isKnown && { hint: passwordHint() }),
})}
${buttons(button(say`Join`, { kind: 'primary' }))}`,
})}`,
  )
}

function overView(): View {
  return narrowPage(
    say`This invitation is not valid`,
    html`<p>${say`It was used already, has been taken back, or is older than seven days. Ask whoever invited you for a new one.`}</p>
<p>${linkButton(say`Sign in`, '/sign-in')}</p>`,
  )
}
