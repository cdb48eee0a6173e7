import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { forgetLink, takeFromAddress } from '../../platform/http/links.ts'
import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { Line, Text } from '../../platform/http/wire.ts'
import { knownBrowser } from '../../platform/throttles/known-browser.ts'
import {
  button,
  buttons,
  EMAIL,
  form,
  linkButton,
  type Problems,
  textField,
} from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import type { View } from '../../platform/web/layout.ts'

import { DEVELOPER_PATHS, HOME } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import type { OperatorKey } from '../operator-keys/ensure-operator-key.ts'
import { originOf } from '../sessions/sign-in.ts'
import { enter } from '../sign-in/pages.ts'
import { narrowPage, passwordHint, refusalOf } from '../users/form-words.ts'
import { CONFIRM_PATH, confirmSignUp, findSignUp, requestSignUp, type SignUp } from './join.ts'
import { needsSetUp, setUp } from './set-up.ts'

type PagePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'> & {
  readonly operatorKey: Pick<OperatorKey, 'verify'>
}

/** The first operator, and developers who sign up by themselves. */
export function signUpPages(ports: PagePorts): AnyPage[] {
  return [...setUpPages(ports), ...(ports.settings.isJoinOpen ? joinPages(ports) : [closedPage()])]
}

function setUpPages(ports: PagePorts): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/setup',
      name: 'showSetUp',
      operation: 'public',
      signIn: 'optional',
      handle: async ({ csrf, db }) => shown((await needsSetUp(db.sql)) ? setUpView({ csrf }) : isDoneView()),
    }),
    page({
      method: 'POST',
      path: '/setup',
      name: 'sendSetUp',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({ key: Text(1_000, 0), name: Line(255, 0), email: Text(254, 0), password: Text(1_000, 0) }),
      async handle({ form, csrf, headers, address, cookies, db }) {
        const [key, name, email] = [form.key.trim(), form.name.trim(), form.email.trim()]
        const again = (problems: Problems, status = 400) =>
          shown(setUpView({ csrf, name, email, problems }), { status })
        if (!(await needsSetUp(db.sql))) return shown(isDoneView(), { status: 409 })
        if (key === '') return again({ key: 'Enter the operator key.' })
        if (name === '') return again({ name: 'Enter your name.' })
        if (!EMAIL.test(email)) return again({ email: 'Enter your e-mail address.' })
        const from = { ...originOf(address, headers), ...knownBrowser(ports, cookies.read('browser'), email) }
        const opened = await setUp({ ...ports, db }, { key, name, email, password: form.password, from })
        if (opened === 'done') return shown(isDoneView(), { status: 409 })
        if (!isRejection(opened)) return enter(ports, opened, email, HOME)
        if (opened.rejected === 'INVALID_CREDENTIALS') return again({ key: 'This is not the operator key.' })
        return again(...refusalOf(opened))
      },
    }),
  ]
}

function closedPage(): AnyPage {
  return page({
    method: 'GET',
    path: '/join',
    name: 'showJoin',
    operation: 'public',
    signIn: 'optional',
    handle: async () => shown(joinClosedView(), { status: 404 }),
  })
}

function joinPages(ports: PagePorts): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/join',
      name: 'showJoin',
      operation: 'public',
      signIn: 'optional',
      handle: async ({ csrf }) => shown(joinView({ csrf })),
    }),
    page({
      method: 'POST',
      path: '/join',
      name: 'sendJoin',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({ organization: Line(255, 0), email: Text(254, 0) }),
      // Only a mail is recorded. The caller is anonymous.
      audited: false,
      async handle({ form, csrf, address, db }) {
        const [organization, email] = [form.organization.trim(), form.email.trim()]
        const again = (problems: Problems, status = 400) =>
          shown(joinView({ csrf, organization, email, problems }), { status })
        if (organization === '') return again({ organization: 'Enter the name of your company.' })
        if (!EMAIL.test(email)) return again({ email: 'Enter your e-mail address.' })
        const asked = await requestSignUp({ ...ports, db }, { organization, email, address })
        return isRejection(asked) ? again(...refusalOf(asked)) : shown(sentView(email))
      },
    }),
    page({
      method: 'GET',
      path: CONFIRM_PATH,
      name: 'showJoinConfirmation',
      operation: 'public',
      signIn: 'optional',
      query: Type.Object({ secret: Type.Optional(Text(3_000, 0)) }),
      async handle({ query, csrf, cookies }) {
        const secret = query.secret ?? cookies.read('link') ?? ''
        const signUp = await findSignUp(ports, secret)
        if (signUp === null) return shown(expiredView(), { status: 404 })
        if (query.secret !== undefined) return takeFromAddress(CONFIRM_PATH, secret)
        return shown(confirmView({ csrf, secret, signUp }))
      },
    }),
    page({
      method: 'POST',
      path: CONFIRM_PATH,
      name: 'sendJoinConfirmation',
      operation: 'public',
      signIn: 'optional',
      form: Type.Object({ secret: Text(3_000, 0), name: Line(255, 0), password: Text(1_000, 0) }),
      async handle({ form, csrf, headers, address, cookies, db }) {
        const { secret, password } = form
        const name = form.name.trim()
        const signUp = await findSignUp(ports, secret)
        if (signUp === null) return shown(expiredView(), { status: 404 })
        const again = (problems: Problems, status = 400) =>
          shown(confirmView({ csrf, secret, signUp, name, problems }), { status })
        if (name === '') return again({ name: 'Enter your name.' })
        const { email } = signUp
        const from = { ...originOf(address, headers), ...knownBrowser(ports, cookies.read('browser'), email) }
        const opened = await confirmSignUp({ ...ports, db }, { secret, name, password, from })
        if (isRejection(opened)) {
          const isGone = opened.rejected === 'INVITATION_NOT_FOUND'
          return isGone ? shown(expiredView(), { status: 404 }) : again(...refusalOf(opened))
        }
        const entered = enter(ports, opened, email, DEVELOPER_PATHS.home)
        return { ...entered, cookies: [...(entered.cookies ?? []), forgetLink(CONFIRM_PATH)] }
      },
    }),
  ]
}

interface FormView {
  readonly csrf: string
  readonly problems?: Problems
}

function setUpView(view: FormView & { readonly name?: string; readonly email?: string }): View {
  const { csrf, name = '', email = '', problems } = view
  return narrowPage(
    'Set up Tillhook',
    html`<p class="lead">Create the first operator account. The operator reviews apps, creates merchants and sees all payments.</p>
${form({
  csrf,
  action: '/setup',
  ...(problems && { problems }),
  body: html`${textField({
    ...{ name: 'key', label: 'Operator key', type: 'password', autocomplete: 'off', problem: problems?.key },
    hint: 'The terminal showed the key at the first start, unless TILLHOOK_OPERATOR_KEY sets it.',
  })}
${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxlength: 255, value: name, problem: problems?.name })}
${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', maxlength: 254, value: email, problem: problems?.email })}
${textField({ name: 'password', label: 'Choose a password', type: 'password', autocomplete: 'new-password', hint: passwordHint(), problem: problems?.password })}
${buttons(button('Create the account', { kind: 'primary' }))}`,
})}`,
  )
}

function isDoneView(): View {
  return narrowPage(
    'Tillhook is set up',
    html`<p>The operator has an administrator, who can invite more people. <code>POST /invitations</code> with the operator key invites one when nobody can sign in.</p>
<p>${linkButton('Sign in', '/sign-in', { kind: 'primary' })}</p>`,
  )
}

function joinView(view: FormView & { readonly organization?: string; readonly email?: string }): View {
  const { csrf, organization = '', email = '', problems } = view
  return narrowPage(
    'Create a developer account',
    html`<p class="lead">Sell subscriptions of your apps on the terminals of this platform.</p>
${form({
  csrf,
  action: '/join',
  ...(problems && { problems }),
  body: html`${textField({
    ...{ name: 'organization', label: 'Company', autocomplete: 'organization', maxlength: 255 },
    ...{ value: organization, problem: problems?.organization, hint: 'Merchants see this name beside your apps.' },
  })}
${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', maxlength: 254, value: email, problem: problems?.email })}
${buttons(button('Send me a link', { kind: 'primary' }), linkButton('Sign in', '/sign-in'))}`,
})}`,
  )
}

function joinClosedView(): View {
  return narrowPage(
    'Developers join by invitation',
    html`<p>Ask the platform that runs this service for an invitation.</p>
<p>${linkButton('Sign in', '/sign-in')}</p>`,
  )
}

/** Shown for every address, with or without an account. */
function sentView(email: string): View {
  return narrowPage(
    'Check your mailbox',
    html`<p>A mail with the next step is on its way to <strong>${email}</strong>. Its link is valid for 24 hours.</p>
<p class="fine">Nothing there? Check your spam folder. A development installation without a mail server writes mails to its log.</p>`,
  )
}

function confirmView(
  view: FormView & { readonly secret: string; readonly signUp: SignUp; readonly name?: string },
): View {
  const { csrf, secret, signUp, name = '', problems } = view
  return narrowPage(
    'Create your account',
    html`<p class="lead">You are the administrator of ${signUp.organization} and can invite others.</p>
${form({
  csrf,
  action: CONFIRM_PATH,
  hidden: { secret },
  ...(problems && { problems }),
  body: html`${textField({ name: 'email', label: 'E-mail', type: 'email', value: signUp.email, disabled: true })}
${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxlength: 255, value: name, problem: problems?.name })}
${textField({ name: 'password', label: 'Choose a password', type: 'password', autocomplete: 'new-password', hint: passwordHint(), problem: problems?.password })}
${buttons(button('Create the account', { kind: 'primary' }))}`,
})}`,
  )
}

function expiredView(): View {
  return narrowPage(
    'This link is not valid',
    html`<p>It was used, is older than a day, or is not complete.</p>
<p>${linkButton('Sign in', '/sign-in', { kind: 'primary' })} ${linkButton('Start again', '/join')}</p>`,
  )
}
