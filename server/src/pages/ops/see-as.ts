import { Type } from 'typebox'
import { startViewing } from '../../access/viewings/start.ts'
import { endViewing } from '../../access/viewings/store.ts'
import { signedIn } from '../../core/principal.ts'
import type { Rejection } from '../../core/rejection.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { ViewedWorkspace } from '../../core/viewing.ts'
import { type AnyPage, type PageAnswer, type PageCall, page, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { button, press } from '../../platform/web/components/form.ts'
import type { Html } from '../../platform/web/html.ts'
import { HOME, OPERATOR_PATHS, STOP_VIEWING_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { type Desk, opsPage } from './ops-page.ts'

type SeeAsPorts = Pick<Ports, 'clock' | 'newId'>

const OPERATION = 'viewings.manage'

/** "See as" opens the pages of an organization or a merchant as its viewer; "Stop seeing as" leads back to the operator's page of it. */
export function seeAsPages(ports: SeeAsPorts): AnyPage[] {
  return [
    opsPage({
      ...{ method: 'POST', path: `${OPERATOR_PATHS.organizations}/:organizationId/see-as`, operation: OPERATION },
      ...{ name: 'seeAsOrganization', params: Type.Object({ organizationId: Uuid }) },
      handle: call => start(ports, call, { kind: 'DEVELOPER', organizationId: call.params.organizationId }),
    }),
    opsPage({
      ...{ method: 'POST', path: `${OPERATOR_PATHS.merchants}/:businessId/see-as`, operation: OPERATION },
      ...{ name: 'seeAsMerchant', params: Type.Object({ businessId: Uuid }) },
      handle: call => start(ports, call, { kind: 'MERCHANT', businessId: call.params.businessId }),
    }),
    page({
      ...{ method: 'POST', path: STOP_VIEWING_PATH, name: 'stopSeeingAs', operation: 'account.manage' },
      ...{ signIn: 'required', duringViewing: 'open' },
      async handle(call) {
        const person = signedIn(call.principal)
        const viewing = call.session?.viewing
        // The viewing ended meanwhile.
        if (person === null || viewing === undefined) return redirect(HOME)
        const { db } = call.as({ principal: viewing.operator, operation: OPERATION })
        await db.transaction(({ sql }) => endViewing(sql, person.sessionId, ports.clock.now()))
        return redirect(pageOf(call))
      },
    }),
  ]
}

/** The button on the operator's page of an organization or a merchant. */
export function seeAsButton(desk: Desk, path: string, csrf: string): Html | false {
  return desk.may(OPERATION) && press(`${path}/see-as`, csrf, button('See as'))
}

async function start(
  ports: SeeAsPorts,
  { db, principal }: PageCall,
  workspace: ViewedWorkspace,
): Promise<PageAnswer | Rejection> {
  const person = signedIn(principal)
  if (person === null) return reject('FORBIDDEN', 'See as needs a signed-in administrator of the operator.')
  const started = await startViewing({ ...ports, db }, person, workspace)
  return isRejection(started) ? started : redirect(HOME)
}

/** The operator's page of the workspace that was seen. */
function pageOf({ principal }: PageCall): string {
  switch (principal.kind) {
    case 'developer':
      return `${OPERATOR_PATHS.organizations}/${principal.organizationId}`
    case 'merchant':
      return `${OPERATOR_PATHS.merchants}/${principal.businessId}`
    default:
      return HOME
  }
}
