import { Type } from 'typebox'
import { renderSVG } from 'uqr'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, page, redirect, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text } from '../../platform/http/wire.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import type { SecondCode } from '../second-factors/prove.ts'
import { problemsOf } from '../users/form-words.ts'
import { findAccount } from './account.ts'
import { callerOf, whoOf } from './pages.ts'
import { confirmFactor, findSetUp, removeFactor, renewRecoveryCodes, setUpFactor } from './second-factor.ts'
import { beginView, manageView, recoveryView, removeView, scanView } from './second-factor-views.ts'

type Call = PageCall<unknown, unknown, unknown>

const Confirmation = Type.Object({ password: Text(1_000, 0), code: Text(100, 0) })

/** Pages that set up, show and remove a second factor. Each step is a page and works without script. */
export function secondFactorPages(ports: Pick<Ports, 'db' | 'clock' | 'vault'>): AnyPage[] {
  const frameOf = (call: Call) => ({ csrf: call.csrf, session: whoOf(call).session })
  const first = async (call: Call, problems: Problems = {}, status = 200) => {
    const { hasSecondFactor } = await findAccount(call.db, whoOf(call).person.userId)
    const view = hasSecondFactor ? manageView : beginView
    return shown(view(frameOf(call), problems), { status })
  }
  const scan = async (call: Call, problems: Problems = {}, status = 200) => {
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
        const made = await setUpFactor({ ...ports, db }, { ...form, ...callerOf(ports, call) })
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
        const { person } = whoOf(call)
        const codes = await confirmFactor({ ...ports, db: call.db }, { person, totp: call.form.code.trim() })
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
        const codes = await renewRecoveryCodes({ ...ports, db: call.db }, confirmationOf(ports, call))
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
        const removed = await removeFactor({ ...ports, db: call.db }, confirmationOf(ports, call))
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
