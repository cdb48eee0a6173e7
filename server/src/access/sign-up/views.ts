import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { layout, type View } from '../../platform/web/layout.ts'
import { passwordHint } from '../users/form-words.ts'
import type { SignUp } from './join.ts'
import { CONFIRM_PATH } from './join.ts'

interface FormView {
  readonly csrf: string
  readonly problems?: Problems
}

export function setUpView(view: FormView & { readonly name?: string; readonly email?: string }): View {
  const { csrf, name = '', email = '', problems } = view
  return layout({
    title: 'Set up Tillhook',
    width: 'narrow',
    main: html`<h1>Set up Tillhook</h1>
<p class="lead">Create the first operator account. The operator reviews apps, creates merchants and sees all payments.</p>
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
  })
}

export function isDoneView(): View {
  return layout({
    title: 'Tillhook is set up',
    width: 'narrow',
    main: html`<h1>Tillhook is set up</h1>
<p>The operator has an administrator, who can invite more people. <code>POST /invitations</code> with the operator key invites one when nobody can sign in.</p>
<p>${linkButton('Sign in', '/sign-in', { kind: 'primary' })}</p>`,
  })
}

export function joinView(view: FormView & { readonly organization?: string; readonly email?: string }): View {
  const { csrf, organization = '', email = '', problems } = view
  return layout({
    title: 'Create a developer account',
    width: 'narrow',
    main: html`<h1>Create a developer account</h1>
<p class="lead">Sell subscriptions of your apps on the terminals of this platform.</p>
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
  })
}

export function joinClosedView(): View {
  return layout({
    title: 'Developers join by invitation',
    width: 'narrow',
    main: html`<h1>Developers join by invitation</h1>
<p>Ask the platform that runs this service for an invitation.</p>
<p>${linkButton('Sign in', '/sign-in')}</p>`,
  })
}

/** Shown for every address, with or without an account. */
export function sentView(email: string): View {
  return layout({
    title: 'Check your mailbox',
    width: 'narrow',
    main: html`<h1>Check your mailbox</h1>
<p>A mail with the next step is on its way to <strong>${email}</strong>. Its link is valid for 24 hours.</p>
<p class="fine">Nothing there? Check your spam folder. A development installation without a mail server writes mails to its log.</p>`,
  })
}

export function confirmView(
  view: FormView & { readonly secret: string; readonly signUp: SignUp; readonly name?: string },
): View {
  const { csrf, secret, signUp, name = '', problems } = view
  return layout({
    title: 'Create your account',
    width: 'narrow',
    main: html`<h1>Create your account</h1>
<p class="lead">You are the administrator of ${signUp.organization} and can invite others.</p>
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
  })
}

export function expiredView(): View {
  return layout({
    title: 'This link is not valid',
    width: 'narrow',
    main: html`<h1>This link is not valid</h1>
<p>It was used, is older than a day, or is not complete.</p>
<p>${linkButton('Sign in', '/sign-in', { kind: 'primary' })} ${linkButton('Start again', '/join')}</p>`,
  })
}
