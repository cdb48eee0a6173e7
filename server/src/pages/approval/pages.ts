import { Type } from 'typebox'
import { listMembershipsOfUser } from '../../access/memberships/store.ts'
import { signedIn } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import {
  approveAuthorization,
  continueAuthorization,
  declineAuthorization,
} from '../../merchants/authorizations/approve.ts'
import { type AnyPage, type PageAnswer, type PageCall, page, redirect } from '../../platform/http/page.ts'
import { notice } from '../../platform/web/components/notice.ts'
import type { Ports } from '../../ports.ts'
import { askMerchant, cannotApprove } from './ask.ts'
import { brokenRequest } from './broken.ts'
import { goBack } from './go-back.ts'
import { Asked, AUTHORIZE_PATH, readRequest } from './request.ts'

type ApprovalPorts = Pick<Ports, 'db' | 'clock'>

/**
 * Decisions 8: an app sends a merchant here; who has signed in is asked, and sent back with the answer. What is wrong with the
 * request is said before anybody signs in for it.
 */
export function approvalPages(ports: ApprovalPorts): AnyPage[] {
  return [
    page({
      method: 'GET',
      path: AUTHORIZE_PATH,
      name: 'askForApproval',
      operation: 'public',
      signIn: 'optional',
      query: Asked,
      handle: call => ask(ports, call, call.query),
    }),
    page({
      method: 'POST',
      path: `${AUTHORIZE_PATH}/approve`,
      name: 'giveApproval',
      operation: 'approvals.manage',
      signIn: 'required',
      /** For which business it was shown: the person may have gone on to another one in another window. */
      form: Type.Object({ ...Asked.properties, businessId: Type.String() }),
      subject: ({ principal }) =>
        principal.kind === 'merchant'
          ? { businessId: principal.businessId }
          : reject('FORBIDDEN', 'Only people of a business approve an app for it.'),
      handle: call => approve(ports, call),
    }),
    page({
      method: 'POST',
      path: `${AUTHORIZE_PATH}/decline`,
      name: 'declineApproval',
      operation: 'public',
      signIn: 'optional',
      form: Asked,
      // It changes nothing.
      audited: false,
      async handle({ form, db }) {
        const request = await readRequest({ db }, form)
        return isRejection(request) ? brokenRequest(request) : redirect(declineAuthorization(request))
      },
    }),
  ]
}

type Call = PageCall<unknown, unknown, unknown>

async function ask(ports: ApprovalPorts, call: Call, asked: Asked): Promise<PageAnswer | Rejection> {
  const request = await readRequest(ports, asked)
  if (isRejection(request)) return brokenRequest(request)
  const { principal, session } = call
  if (session === null) return reject('INVALID_ACCESS_TOKEN', 'Sign in.')
  const hasOthers = await isOfSeveral(ports, call)
  const asking = { asked, request, hasOthers }
  const { name } = session.place
  if (principal.kind !== 'merchant') {
    return cannotApprove(
      call,
      asking,
      `You are signed in to ${name}, which is no business. Only a business lets apps in.`,
    )
  }
  if (isTakenByRole(principal, 'approvals.manage')) {
    return cannotApprove(call, asking, `Only an owner or a manager of ${name} may let an app in. Ask one of them.`)
  }
  const { businessId } = principal
  const location = await continueAuthorization(ports, { request, businessId })
  if (location !== null) return goBack(location, request.app.name, call.headers)
  return askMerchant(call, { ...asking, businessId })
}

async function approve(
  ports: ApprovalPorts,
  call: PageCall<unknown, unknown, Asked & { readonly businessId: string }>,
): Promise<PageAnswer | Rejection> {
  const { form, principal, db } = call
  const request = await readRequest(ports, form)
  if (isRejection(request)) return brokenRequest(request)
  if (principal.kind !== 'merchant') return reject('FORBIDDEN', 'Only people of a business approve an app for it.')
  const { businessId } = principal
  if (businessId !== form.businessId) {
    const hasOthers = await isOfSeveral(ports, call)
    const words = `You are signed in to ${call.session?.place.name} now. Nothing was approved yet: look again, then answer.`
    return askMerchant(call, { asked: form, request, businessId, hasOthers }, notice('warn', 'Another business', words))
  }
  const location = await approveAuthorization({ ...ports, db }, { request, businessId })
  if (!isRejection(location)) return redirect(location)
  return location.rejected === 'APPLICATION_DISABLED' ? brokenRequest(location) : location
}

async function isOfSeveral({ db }: Pick<Ports, 'db'>, { principal }: Call): Promise<boolean> {
  const person = signedIn(principal)
  return person !== null && (await listMembershipsOfUser(db.sql, person.userId)).length > 1
}
