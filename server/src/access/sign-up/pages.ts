import { Type } from 'typebox'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { forgetLink, takeFromAddress } from '../../platform/http/links.ts'
import { type AnyPage, page, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Line, Text } from '../../platform/http/wire.ts'
import { knownBrowser } from '../../platform/throttles/known-browser.ts'
import { DEVELOPER_PATHS, HOME } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import type { OperatorKey } from '../operator-keys/ensure-operator-key.ts'
import { originOf } from '../sessions/origin.ts'
import { enter } from '../sign-in/pages.ts'
import { problemsOf } from '../users/form-words.ts'
import { CONFIRM_PATH, confirmSignUp, findSignUp, requestSignUp } from './join.ts'
import { needsSetUp, setUp } from './set-up.ts'
import { confirmView, expiredView, isDoneView, joinClosedView, joinView, sentView, setUpView } from './views.ts'

type PagePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'> & {
  readonly operatorKey: Pick<OperatorKey, 'verify'>
}

const IS_EMAIL = /^[^\s@]+@[^\s@]+$/

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
        const again = (problems: Record<string, string>, status = 400) =>
          shown(setUpView({ csrf, name, email, problems }), { status })
        if (!(await needsSetUp(db.sql))) return shown(isDoneView(), { status: 409 })
        if (key === '') return again({ key: 'Enter the operator key.' })
        if (name === '') return again({ name: 'Enter your name.' })
        if (!IS_EMAIL.test(email)) return again({ email: 'Enter your e-mail address.' })
        const from = { ...originOf(address, headers), ...knownBrowser(ports, cookies.read('browser'), email) }
        const opened = await setUp({ ...ports, db }, { key, name, email, password: form.password, from })
        if (opened === 'done') return shown(isDoneView(), { status: 409 })
        if (!isRejection(opened)) return enter(ports, opened, email, HOME)
        if (opened.rejected === 'INVALID_CREDENTIALS') return again({ key: 'This is not the operator key.' })
        return again(...problemOf(opened))
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
        const again = (problems: Record<string, string>, status = 400) =>
          shown(joinView({ csrf, organization, email, problems }), { status })
        if (organization === '') return again({ organization: 'Enter the name of your company.' })
        if (!IS_EMAIL.test(email)) return again({ email: 'Enter your e-mail address.' })
        const asked = await requestSignUp({ ...ports, db }, { organization, email, address })
        return isRejection(asked) ? again(...problemOf(asked)) : shown(sentView(email))
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
        const again = (problems: Record<string, string>, status = 400) =>
          shown(confirmView({ csrf, secret, signUp, name, problems }), { status })
        if (name === '') return again({ name: 'Enter your name.' })
        const { email } = signUp
        const from = { ...originOf(address, headers), ...knownBrowser(ports, cookies.read('browser'), email) }
        const opened = await confirmSignUp({ ...ports, db }, { secret, name, password, from })
        if (isRejection(opened)) {
          const isGone = opened.rejected === 'INVITATION_NOT_FOUND'
          return isGone ? shown(expiredView(), { status: 404 }) : again(...problemOf(opened))
        }
        const entered = enter(ports, opened, email, DEVELOPER_PATHS.home)
        return { ...entered, cookies: [...(entered.cookies ?? []), forgetLink(CONFIRM_PATH)] }
      },
    }),
  ]
}

function problemOf(rejection: Rejection): [Record<string, string>, number] {
  return [{ ...problemsOf(rejection) }, PROBLEMS[rejection.rejected].status]
}
