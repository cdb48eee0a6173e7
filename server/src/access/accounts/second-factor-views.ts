import { card, copyable, notice, steps } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { type Html, html, trusted } from '../../platform/web/html.ts'
import type { View } from '../../platform/web/layout.ts'
import { HOME } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'
import type { SetUp } from './second-factor.ts'
import { type AccountFrame, accountPage } from './views.ts'

const stepNames = () => [say`Password`, say`Your phone`, say`Recovery codes`]

export function beginView(frame: AccountFrame, problems: Problems): View {
  return accountPage(
    frame,
    say`Set up two-step sign-in`,
    html`${steps(stepNames(), 0)}
<h1>${say`Set up two-step sign-in`}</h1>
<p>${say`You need an authenticator app on your phone. Any will do: it shows six digits that change every half minute.`}</p>
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor', problems },
  body: html`${passwordField(problems)}
${buttons(button(say`Continue`, { kind: 'primary' }), linkButton(say`Not now`, '/account'))}`,
})}`,
  )
}

export function scanView(
  frame: AccountFrame,
  { secret, qrCode, problems }: SetUp & { readonly qrCode: string; readonly problems: Problems },
): View {
  return accountPage(
    frame,
    say`Scan this with your phone`,
    html`${steps(stepNames(), 1)}
<h1>${say`Scan this with your phone`}</h1>
<p>${say`Open your authenticator app, add an account, and point the camera at this square.`}</p>
<div class="qr" role="img" aria-label="QR code that holds the secret below">${trusted(qrCode)}</div>
<p>${say`No camera? Type this into the app instead:`}</p>
${copyable('secret', secret.replace(/.{4}(?=.)/g, '$& '), 'the secret')}
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor/scan', problems },
  body: html`${codeField(say`The six digits that it shows now`, problems)}
${buttons(button(say`Confirm`, { kind: 'primary' }), linkButton(say`Not now`, '/account'))}`,
})}`,
  )
}

export function recoveryView(frame: AccountFrame, codes: readonly string[]): View {
  return accountPage(
    frame,
    say`Keep your recovery codes`,
    html`${steps(stepNames(), 2)}
<h1>${say`Keep your recovery codes`}</h1>
${notice('good', say`Two-step sign-in is on`)}
<p>${say`Without your phone you sign in with one of these codes. Each code works once. Print the codes or write them down: they are not shown again.`}</p>
${copyable('codes', codes.join('\n'), 'the codes')}
${buttons(linkButton(say`I have kept them`, HOME, { kind: 'primary' }))}`,
  )
}

export function manageView(frame: AccountFrame, problems: Problems): View {
  return accountPage(
    frame,
    say`Two-step sign-in`,
    html`<h1>${say`Two-step sign-in`}</h1>
<p>${say`Enter your password and a code to make new recovery codes.`}</p>
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor/recovery-codes', problems },
  body: html`${passwordField(problems)}
${codeField(say`A code`, problems)}
${buttons(button(say`Make new recovery codes`), linkButton(say`Back to your account`, '/account', { kind: 'quiet' }))}`,
})}
${card({
  title: say`Turn it off`,
  body: html`<p>${say`For a new phone, turn it off here, then set it up again.`}</p>
${buttons(linkButton(say`Turn off two-step sign-in`, '/account/second-factor/remove', { kind: 'danger' }))}`,
})}`,
  )
}

export function removeView(frame: AccountFrame, problems: Problems): View {
  return accountPage(
    frame,
    say`Turn off two-step sign-in?`,
    html`<h1>${say`Turn off two-step sign-in?`}</h1>
<p>${say`Your password alone then opens your account. The recovery codes no longer work.`}</p>
${form({
  ...{ csrf: frame.csrf, action: '/account/second-factor/remove', problems },
  body: html`${passwordField(problems)}
${codeField(say`A code`, problems)}
${buttons(button(say`Turn it off`, { kind: 'danger' }), linkButton(say`Keep it on`, '/account'))}`,
})}`,
  )
}

function passwordField({ password: problem }: Problems): Html {
  return textField({
    name: 'password',
    label: say`Your password`,
    type: 'password',
    autocomplete: 'current-password',
    problem,
  })
}

function codeField(label: string, { code: problem }: Problems): Html {
  return textField({ name: 'code', label, isCode: true, autocomplete: 'one-time-code', maxlength: 40, problem })
}
