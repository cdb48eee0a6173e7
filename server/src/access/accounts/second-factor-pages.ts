import { Type } from 'typebox'
import { renderSVG } from 'uqr'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { completed } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, page, redirect, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text } from '../../platform/http/wire.ts'
import { card, copyable, notice, steps } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { type Html, html, trusted } from '../../platform/web/html.ts'
import type { View } from '../../platform/web/layout.ts'
import { HOME } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import type { SecondCode } from '../second-factors/prove.ts'
import { problemsOf } from '../users/form-words.ts'
import { findAccount } from './account.ts'
import { callerOf, whoOf } from './pages.ts'
import { findSetUp, proveConfirmation, proveRemoval, proveRenewal, proveSetUp, type SetUp } from './second-factor.ts'
import { type AccountFrame, accountPage } from './views.ts'

const Confirmation = Type.Object({ password: Text(1_000, 0), code: Text(100, 0) })

/** Pages that set up, show and remove a second factor. Each step is a page and works without script. */
export function secondFactorPages(ports: Pick<Ports, 'db' | 'clock' | 'vault'>): AnyPage[] {
  const frameOf = (call: PageCall) => ({ csrf: call.csrf, session: whoOf(call).session })
  const first = async (call: PageCall, problems: Problems = {}, status = 200) => {
    const { hasSecondFactor } = await findAccount(call.db, whoOf(call).person.userId)
    const view = hasSecondFactor ? manageView : beginView
    return shown(view(frameOf(call), problems), { status })
  }
  const scan = async (call: PageCall, problems: Problems = {}, status = 200) => {
    const setUp = await findSetUp({ ...ports, db: call.db }, whoOf(call).person)
    if (setUp === null) return redirect('/account/second-factor')
    return shown(scanView(frameOf(call), { ...setUp, qrCode: renderSVG(setUp.otpauthUri), problems }), { status })
  }
  return [
    page({
      method: 'GET',
      path: '/account/second-factor',
      name: 'showSecondFactor',
      operation: 'account.manage',
      signIn: 'required',
      handle: call => first(call),
    }),
    page({
      method: 'POST',
      path: '/account/second-factor',
      name: 'sendSecondFactor',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ password: Text(1_000, 0) }),
      async handle(call) {
        const { form, db } = call
        const made = await completed(db, proveSetUp({ ...ports, db }, { ...form, ...callerOf(ports, call) }))
        if (!isRejection(made)) return redirect('/account/second-factor/scan')
        return first(call, problemsFor(made), PROBLEMS[made.rejected].status)
      },
    }),
    page({
      method: 'GET',
      path: '/account/second-factor/scan',
      name: 'showSecret',
      operation: 'account.manage',
      signIn: 'required',
      handle: call => scan(call),
    }),
    page({
      method: 'POST',
      path: '/account/second-factor/scan',
      name: 'sendFirstCode',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ code: Text(100, 0) }),
      async handle(call) {
        const { form, db } = call
        const input = { person: whoOf(call).person, totp: form.code.trim() }
        const codes = await completed(db, proveConfirmation({ ...ports, db }, input))
        if (!isRejection(codes)) return shown(recoveryView(frameOf(call), codes))
        return scan(call, problemsFor(codes), PROBLEMS[codes.rejected].status)
      },
    }),
    page({
      method: 'POST',
      path: '/account/second-factor/recovery-codes',
      name: 'sendRecoveryCodes',
      operation: 'account.manage',
      signIn: 'required',
      form: Confirmation,
      async handle(call) {
        const { db } = call
        const codes = await completed(db, proveRenewal({ ...ports, db }, confirmationOf(ports, call)))
        if (!isRejection(codes)) return shown(recoveryView(frameOf(call), codes))
        return first(call, problemsFor(codes), PROBLEMS[codes.rejected].status)
      },
    }),
    page({
      method: 'GET',
      path: '/account/second-factor/remove',
      name: 'showRemoval',
      operation: 'account.manage',
      signIn: 'required',
      handle: async call => shown(removeView(frameOf(call), {})),
    }),
    page({
      method: 'POST',
      path: '/account/second-factor/remove',
      name: 'sendRemoval',
      operation: 'account.manage',
      signIn: 'required',
      form: Confirmation,
      async handle(call) {
        const { db } = call
        const removed = await completed(db, proveRemoval({ ...ports, db }, confirmationOf(ports, call)))
        if (!isRejection(removed)) return redirect('/account?said=factor')
        return shown(removeView(frameOf(call), problemsFor(removed)), { status: PROBLEMS[removed.rejected].status })
      },
    }),
  ]
}

function confirmationOf(
  ports: Pick<Ports, 'vault' | 'clock'>,
  call: PageCall<unknown, unknown, { password: string; code: string }>,
) {
  const { password, code } = call.form
  return { ...callerOf(ports, call), password, ...codeOf(code) }
}

/** Six digits are a code of the authenticator app; any other text is a recovery code. */
function codeOf(text: string): SecondCode {
  const code = text.trim()
  return /^[0-9 ]{6,9}$/.test(code) ? { totp: code } : { recoveryCode: code }
}

function problemsFor(rejection: Rejection): Problems {
  if (rejection.rejected === 'INVALID_CREDENTIALS') return { password: say`This is not your password.` }
  if (rejection.rejected === 'SECOND_FACTOR_REJECTED') {
    return { code: say`This code is incorrect or was already used. Wait for the next one.` }
  }
  return problemsOf(rejection)
}

const stepNames = () => [say`Password`, say`Your phone`, say`Recovery codes`]

function beginView(frame: AccountFrame, problems: Problems): View {
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

function scanView(
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

function recoveryView(frame: AccountFrame, codes: readonly string[]): View {
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

function manageView(frame: AccountFrame, problems: Problems): View {
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

function removeView(frame: AccountFrame, problems: Problems): View {
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
