import { Type } from 'typebox'
import { assert } from '../../core/assert.ts'
import { UUID } from '../../core/id.ts'
import { LANGUAGES } from '../../core/mail-kind.ts'
import { type Principal, type SignedIn, signedIn } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { completed } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, page, redirect, shown } from '../../platform/http/page.ts'
import type { WebSession } from '../../platform/http/ports.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Line, Text } from '../../platform/http/wire.ts'
import { knownBrowser } from '../../platform/throttles/known-browser.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { expiresAt } from '../sessions/find.ts'
import { endSession, listSessionsOfUser } from '../sessions/store.ts'
import { problemsOf } from '../users/form-words.ts'
import { updateLanguage, updateName } from '../users/store.ts'
import { findAccount } from './account.ts'
import { provePasswordChange } from './change-password.ts'
import { ACCOUNT_NOTICES, type AccountNotice, type AccountView, accountView } from './views.ts'

type PagePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

const Said = Type.Optional(Type.Enum(Object.keys(ACCOUNT_NOTICES) as AccountNotice[]))

/** A person's own account, without the second factor (second-factor-pages.ts). */
export function accountPages(ports: PagePorts): AnyPage[] {
  const { clock } = ports
  const viewOf = async (call: PageCall, more: Partial<AccountView> = {}) => {
    const { session, person } = whoOf(call)
    const now = clock.now()
    const sessions = (await listSessionsOfUser(call.db.sql, person.userId)).filter(one => expiresAt(one) > now)
    const account = await findAccount(call.db, person.userId)
    return accountView({ csrf: call.csrf, session, account, sessions, ...more })
  }
  return [
    page({
      method: 'GET',
      path: '/account',
      name: 'showAccount',
      operation: 'account.manage',
      signIn: 'required',
      query: Type.Object({ said: Said }),
      handle: async call => shown(await viewOf(call, { ...(call.query.said && { said: call.query.said }) })),
    }),
    page({
      method: 'POST',
      path: '/account/name',
      name: 'sendName',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ name: Line(255, 0) }),
      async handle(call) {
        const name = call.form.name.trim()
        if (name === '') {
          const problems = { of: 'name', found: { name: say`Enter your name.` } } as const
          return shown(await viewOf(call, { problems }), { status: 400 })
        }
        const { userId } = whoOf(call).person
        await call.db.transaction(({ sql }) => updateName(sql, userId, name, clock.now()))
        return redirect('/account?said=name')
      },
    }),
    page({
      method: 'POST',
      path: '/account/language',
      name: 'sendLanguage',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ language: Type.Enum(['', ...LANGUAGES]) }),
      async handle(call) {
        const { language } = call.form
        const { userId } = whoOf(call).person
        await call.db.transaction(({ sql }) =>
          updateLanguage(sql, userId, language === '' ? null : language, clock.now()),
        )
        return redirect('/account?said=language')
      },
    }),
    page({
      method: 'POST',
      path: '/account/password',
      name: 'sendPasswordChange',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ password: Text(1_000, 0), newPassword: Text(1_000, 0) }),
      async handle(call) {
        const { form, db } = call
        const changed = await completed(
          db,
          provePasswordChange({ ...ports, db }, { ...form, ...callerOf(ports, call) }),
        )
        if (!isRejection(changed)) return redirect('/account?said=password')
        const isWrong = changed.rejected === 'INVALID_CREDENTIALS'
        const found = isWrong ? { password: say`This is not your password.` } : problemsOf(changed)
        const view = await viewOf(call, { problems: { of: 'password', found } })
        return shown(view, { status: PROBLEMS[changed.rejected].status })
      },
    }),
    page({
      method: 'POST',
      path: '/account/sessions/end',
      name: 'sendSessionEnd',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ sessionId: Text(100, 0) }),
      // The row of the session records the end.
      audited: false,
      async handle(call) {
        const { sessionId } = call.form
        const { userId } = whoOf(call).person
        // An ended session, or another person's, gives no error.
        if (UUID.test(sessionId)) await endSession(call.db.sql, { userId, sessionId }, clock.now())
        return redirect('/account?said=session')
      },
    }),
  ]
}

/** A person who must confirm the password again, with address and browser. */
export function callerOf(ports: Pick<Ports, 'vault' | 'clock'>, call: PageCall) {
  const { person, session } = whoOf(call)
  const browser = knownBrowser(ports, call.cookies.read('browser'), session.person.email)
  return { person, address: call.address, ...browser }
}

/** For pages that require a signed-in person. */
export function whoOf({ principal, session }: { principal: Principal; session: WebSession | null }): {
  readonly person: SignedIn
  readonly session: WebSession
} {
  const person = signedIn(principal)
  assert(person !== null && session !== null, 'account.manage is only of who signed in')
  return { person, session }
}
