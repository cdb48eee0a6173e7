import { card, copyable, notice, steps } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { type Html, html, trusted } from '../../platform/web/html.ts'
import type { View } from '../../platform/web/layout.ts'
import type { SetUp } from './second-factor.ts'
import { type AccountFrame, accountPage } from './views.ts'

const STEPS = ['Password', 'Your phone', 'Recovery codes']

export function beginView(frame: AccountFrame, problems: Problems): View {
  return accountPage(
    frame,
    'Set up two-step sign-in',
    html`${steps(STEPS, 0)}
<h1>Set up two-step sign-in</h1>
<p>You need an authenticator app on your phone. Any will do: it shows six digits that change every half minute.</p>
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor', problems },
  body: html`${passwordField(problems)}
${buttons(button('Go on', { kind: 'primary' }), linkButton('Not now', '/account'))}`,
})}`,
  )
}

export function scanView(
  frame: AccountFrame,
  { secret, qrCode, problems }: SetUp & { readonly qrCode: string; readonly problems: Problems },
): View {
  return accountPage(
    frame,
    'Scan this with your phone',
    html`${steps(STEPS, 1)}
<h1>Scan this with your phone</h1>
<p>Open your authenticator app, add an account, and point the camera at this square.</p>
<div class="qr" role="img" aria-label="QR code that holds the secret below">${trusted(qrCode)}</div>
<p>No camera? Type this into the app instead:</p>
${copyable('secret', secret.replace(/.{4}(?=.)/g, '$& '), 'the secret')}
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor/scan', problems },
  body: html`${codeField('The six digits that it shows now', problems)}
${buttons(button('Confirm', { kind: 'primary' }), linkButton('Not now', '/account'))}`,
})}`,
  )
}

export function recoveryView(frame: AccountFrame, codes: readonly string[]): View {
  return accountPage(
    frame,
    'Keep your recovery codes',
    html`${steps(STEPS, 2)}
<h1>Keep your recovery codes</h1>
${notice('good', 'Two-step sign-in is on')}
<p>Without your phone you sign in with one of these. Each is good once. Print them or write them down: they are not shown again.</p>
${copyable('codes', codes.join('\n'), 'the codes')}
${buttons(linkButton('I have kept them', '/account', { kind: 'primary' }))}`,
  )
}

export function manageView(frame: AccountFrame, problems: Problems): View {
  return accountPage(
    frame,
    'Two-step sign-in',
    html`<h1>Two-step sign-in</h1>
<p>For either of these we ask for your password and a code once more.</p>
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor/recovery-codes', problems },
  body: html`${passwordField(problems)}
${codeField('A code', problems)}
${buttons(button('Make new recovery codes'), linkButton('Back to your account', '/account', { kind: 'quiet' }))}`,
})}
${card({
  title: 'Turn it off',
  body: html`<p>As for a new phone: turn it off here, then set it up again.</p>
${buttons(linkButton('Turn off two-step sign-in', '/account/second-factor/remove', { kind: 'danger' }))}`,
})}`,
  )
}

export function removeView(frame: AccountFrame, problems: Problems): View {
  return accountPage(
    frame,
    'Turn off two-step sign-in?',
    html`<h1>Turn off two-step sign-in?</h1>
<p>Your password alone then opens your account. The recovery codes are worth nothing any more.</p>
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor/remove', problems },
  body: html`${passwordField(problems)}
${codeField('A code', problems)}
${buttons(button('Turn it off', { kind: 'danger' }), linkButton('Keep it on', '/account'))}`,
})}`,
  )
}

function passwordField({ password: problem }: Problems): Html {
  return textField({
    name: 'password',
    label: 'Your password',
    type: 'password',
    autocomplete: 'current-password',
    problem,
  })
}

function codeField(label: string, { code: problem }: Problems): Html {
  return textField({ name: 'code', label, isCode: true, autocomplete: 'one-time-code', maxlength: 40, problem })
}
