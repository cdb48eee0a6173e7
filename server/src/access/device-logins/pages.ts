import { Type } from 'typebox'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, page, redirect, type Shown, shown } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { whoOf } from '../accounts/pages.ts'
import { listMembershipsOfUser } from '../memberships/store.ts'
import { decideLogin, findLoginOfCode } from './decide.ts'
import { decidedView, decisionView, enterCodeView, mayUseCommandLine } from './views.ts'

type PagePorts = Pick<Ports, 'db' | 'clock'>
type Call = PageCall<unknown, unknown, unknown>

const Decision = Type.Enum(['APPROVED', 'DENIED'])

/** The page on which a person approves the login of the command-line tool. */
export function deviceLoginPages(ports: PagePorts): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: '/device',
      name: 'showDeviceLogin',
      operation: 'account.manage',
      signIn: 'required',
      query: Type.Object({ code: Type.Optional(Text(100, 0)), said: Type.Optional(Decision) }),
      async handle(call) {
        const { code, said } = call.query
        if (said !== undefined) return shown(decidedView(frameOf(call), said))
        return code === undefined ? shown(enterCodeView(frameOf(call), {})) : askDecision(ports, call, code)
      },
    }),
    page({
      method: 'POST',
      path: '/device',
      name: 'decideDeviceLogin',
      operation: 'account.manage',
      signIn: 'required',
      form: Type.Object({ code: Text(100, 0), membershipId: Uuid, decision: Decision }),
      // The row of the session that follows records the person and the time.
      audited: false,
      async handle(call) {
        const { code, membershipId, decision } = call.form
        const { person, session } = whoOf(call)
        // Another tab may have switched the workspace since the page was shown.
        if (membershipId !== person.membershipId) return askDecision(ports, call, code, { isSwitched: true })
        if (decision === 'APPROVED' && session.principal.kind === 'merchant') return askDecision(ports, call, code)
        const decided = await decideLogin(ports, { code, person, address: call.address, decision })
        return isRejection(decided) ? askCodeAgain(call, code, decided) : redirect(`/device?said=${decision}`)
      },
    }),
  ]
}

async function askDecision(
  ports: PagePorts,
  call: Call,
  code: string,
  { isSwitched = false }: { readonly isSwitched?: boolean } = {},
): Promise<Shown> {
  const { person } = whoOf(call)
  const login = await findLoginOfCode(ports, { code, person, address: call.address })
  if (isRejection(login)) return askCodeAgain(call, code, login)
  const memberships = await listMembershipsOfUser(call.db.sql, person.userId)
  const membership = memberships.find(({ membershipId }) => membershipId === person.membershipId)
  // Removed since the caller was authenticated.
  if (membership === undefined) return shown(enterCodeView(frameOf(call), { code }), { status: 409 })
  const view = decisionView(frameOf(call), { login, membership, isSwitched, hasOthers: memberships.length > 1 })
  if (!mayUseCommandLine(membership)) return shown(view, { status: 403 })
  return shown(view, { status: isSwitched ? 409 : 200 })
}

function askCodeAgain(call: Call, code: string, { rejected }: Rejection): Shown {
  const problem =
    rejected === 'TOO_MANY_REQUESTS'
      ? say`There were too many wrong codes. Try again in some minutes.`
      : say`No login is waiting under this code. Codes work once and for 15 minutes. Run tillhook login again.`
  return shown(enterCodeView(frameOf(call), { code, problem }), { status: PROBLEMS[rejected].status })
}

function frameOf(call: Call) {
  return { csrf: call.csrf, session: whoOf(call).session }
}
