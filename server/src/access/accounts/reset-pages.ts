import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { completed } from '../../platform/db/db.ts'
import { forgetLink, takeFromAddress } from '../../platform/http/links.ts'
import { type AnyPage, page, redirect, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text } from '../../platform/http/wire.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import type { View } from '../../platform/web/layout.ts'
import { say, sayHtml } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { narrowPage, passwordHint, problemsOf } from '../users/form-words.ts'
import { proveAsking } from './request-reset.ts'
import { isOpenReset, proveReset } from './reset-password.ts'

type PagePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

/** The address of the mailed link. */
const NEW_PATH = '/reset-password/new'

/** Pages of the forgotten-password flow. */
export function resetPages(ports: PagePorts): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/reset-password',
      name: 'showReset',
      operation: 'public',
      signIn: 'optional',
      handle: async ({ csrf }) => shown(askView(csrf)),
    }),
    page({
      method: 'POST',
      path: '/reset-password',
      name: 'sendReset',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({ email: Text(254, 0) }),
      // The caller is anonymous. The row of the link records the time.
      audited: false,
      async handle({ form: { email }, csrf, address, db }) {
        if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
          return shown(askView(csrf, email, { email: say`Enter your e-mail address.` }), { status: 400 })
        }
        const asked = await completed(db, proveAsking({ ...ports, db }, { email, address }))
        if (!isRejection(asked)) return shown(sentView(email))
        return shown(askView(csrf, email, problemsOf(asked)), { status: PROBLEMS[asked.rejected].status })
      },
    }),
    page({
      method: 'GET',
      path: NEW_PATH,
      name: 'showNewPassword',
      operation: 'public',
      signIn: 'optional',
      query: Type.Object({ secret: Type.Optional(Text(200, 0)) }),
      async handle(call) {
        const { query, cookies } = call
        const secret = query.secret ?? cookies.read('link') ?? ''
        if (!(await isOpenReset(ports, secret))) return shown(overView(), { status: 404 })
        return query.secret === undefined ? shown(newView(call.csrf, secret)) : takeFromAddress(NEW_PATH, secret)
      },
    }),
    page({
      method: 'POST',
      path: NEW_PATH,
      name: 'sendNewPassword',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({ secret: Text(200, 0), newPassword: Text(1_000, 0) }),
      async handle({ form: { secret, newPassword }, csrf, address, db }) {
        const changed = await completed(db, proveReset({ ...ports, db }, { secret, newPassword, address }))
        if (!isRejection(changed)) {
          // Ends the session of this browser.
          return redirect('/sign-in?said=password-changed', [{ purpose: 'session', value: '' }, forgetLink(NEW_PATH)])
        }
        if (changed.rejected === 'PASSWORD_RESET_NOT_FOUND') return shown(overView(), { status: 404 })
        return shown(newView(csrf, secret, problemsOf(changed)), { status: 400 })
      },
    }),
  ]
}

function askView(csrf: string, email = '', problems?: Problems): View {
  return narrowPage(
    say`Choose a new password`,
    html`<p>${say`Enter the e-mail address that you sign in with. We send you a link.`}</p>
${form({
  csrf,
  ...(problems && { problems }),
  body: html`${textField({ name: 'email', label: say`E-mail`, type: 'email', autocomplete: 'username', maxlength: 254, value: email, problem: problems?.email })}
${buttons(button(say`Send me a link`, { kind: 'primary' }), linkButton(say`Back to sign-in`, '/sign-in'))}`,
})}`,
  )
}

/** Shown for every address, with or without an account. */
function sentView(email: string): View {
  return narrowPage(
    say`Check your mailbox`,
    html`<p>${sayHtml`If there is an account for ${html`<strong>${email}</strong>`}, a link is on its way there. It is good for one hour.`}</p>
<p class="fine">${say`Nothing there? Check your spam folder, or ask the operator of this service.`}</p>
<p>${linkButton(say`Back to sign-in`, '/sign-in')}</p>`,
  )
}

function newView(csrf: string, secret: string, problems?: Problems): View {
  return narrowPage(
    say`Choose a new password`,
    html`<p>${say`You are signed out everywhere when you set it.`}</p>
${form({
  csrf,
  action: NEW_PATH,
  hidden: { secret },
  ...(problems && { problems }),
  body: html`${textField({ name: 'newPassword', label: say`New password`, type: 'password', autocomplete: 'new-password', hint: passwordHint(), problem: problems?.newPassword })}
${buttons(button(say`Set the password`, { kind: 'primary' }))}`,
})}`,
  )
}

function overView(): View {
  return narrowPage(
    say`This link is not valid`,
    html`<p>${say`It was used already, or is older than an hour. You can have a new one sent.`}</p>
<p>${linkButton(say`Send me a new link`, '/reset-password', { kind: 'primary' })}</p>`,
  )
}
