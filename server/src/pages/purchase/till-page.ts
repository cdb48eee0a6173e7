import type { Static, TObject } from 'typebox'
import { noteUseOfSession } from '../../access/business-users/session-store.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Buyer } from '../../money/billing/purchase.ts'
import { type PurchaseScreen, showPurchase } from '../../money/billing/purchase.ts'
import { findPurchase } from '../../money/purchases/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Actor, type AnyPage, type Page, type PageAnswer, page } from '../../platform/http/page.ts'
import { appFaces } from '../merchant/own-subscriptions.ts'
import { notForYou } from './not-for-you.ts'

import { ABOUT, pathOf, type Till, type TillCall, type TillPorts } from './till.ts'

type TillPage<Q extends TObject, F extends TObject> = Omit<
  Page<typeof ABOUT.params, Q, F>,
  keyof typeof ABOUT | 'subject' | 'handle'
> & { handle(call: TillCall<Static<Q>, Static<F>>, till: Till): Promise<PageAnswer | Rejection> }

/**
 * A page of a purchase, for whoever may complete it: who came by the address of its screen, which a cookie has since, or a
 * merchant's user who signed in.
 */
export function tillPage<Q extends TObject, F extends TObject>(
  ports: TillPorts,
  { handle, ...definition }: TillPage<Q, F>,
): AnyPage {
  return page<typeof ABOUT.params, Q, F>({
    ...definition,
    ...ABOUT,
    handle: call =>
      withTill(ports, call, async till => {
        await noteUse(ports, till)
        return handle(call.as(actorOf(till)), till)
      }),
  })
}

/**
 * Whose act it is: of whoever has the screen of a terminal, the terminal's and of the user who asked there, whoever else may be
 * signed in in that browser. As a clerk: the role that may least, for what is decided is decided by `billing/buyer.ts`.
 */
function actorOf({ by, purchase }: Till): Actor {
  if ('principal' in by) return { principal: by.principal, operation: 'subscriptions.subscribe' }
  const { businessId, storeId, deviceId, businessUserId, terminalSessionId: sessionId } = purchase
  assert(storeId !== undefined && deviceId !== undefined, 'a purchase with a secret is of a terminal')
  const user = businessUserId && sessionId ? { businessUserId, sessionId, role: 'CLERK' as const } : undefined
  const principal = { kind: 'terminal' as const, businessId, storeId, deviceId, ...(user && { user }) }
  return { principal, operation: 'terminal.purchase' }
}

/** An app's purchase leads to signing in first; what is not for whoever came is not there. */
export async function withTill(
  ports: TillPorts,
  call: TillCall,
  work: (till: Till) => Promise<PageAnswer | Rejection>,
): Promise<PageAnswer | Rejection> {
  const till = await findTill(ports, call)
  if (till === 'sign in') return reject('INVALID_ACCESS_TOKEN', 'Sign in.')
  return till === null ? notForYou(call) : work(till)
}

/** Whoever stood before the screen may not any more: the screen itself says so, and what to do. */
export function isLockedOut({ rejected: refused }: Rejection): boolean {
  return refused === 'INVALID_USER_SESSION' || refused === 'FORBIDDEN'
}

/** Whoever presses something on the screen is at the terminal, and stays signed in there. */
async function noteUse({ db, clock }: TillPorts, { purchase, barred }: Till): Promise<void> {
  const { terminalSessionId } = purchase
  if (terminalSessionId === undefined || barred !== undefined) return
  await noteUseOfSession(db.sql, terminalSessionId, clock.now())
}

async function findTill(ports: TillPorts, call: TillCall): Promise<Till | 'sign in' | null> {
  const purchaseId = call.params.purchaseId.toLowerCase()
  for (const by of buyersOf(call)) {
    const screen = await showPurchase(ports, { purchaseId, by })
    if (!isRejection(screen))
      return { ...screen, ...(await shownBeside(ports.db.sql, screen)), by, path: pathOf({ purchaseId }) }
  }
  if (call.session !== null) return null
  const purchase = await findPurchase(ports.db.sql, purchaseId)
  return purchase?.openedBy === 'APP' ? 'sign in' : null
}

function buyersOf({ cookies, principal }: TillCall): Buyer[] {
  const secret = cookies.read('purchase')
  return [...(secret === null ? [] : [{ secret }]), ...(principal.kind === 'merchant' ? [{ principal }] : [])]
}

async function shownBeside(sql: Sql, { purchase }: PurchaseScreen): Promise<Pick<Till, 'business' | 'plan' | 'app'>> {
  const { businessId, planId, appId } = purchase
  const business = await findBusiness(sql, businessId)
  const plan = await findPlan(sql, planId)
  const app = (await appFaces(sql, [appId])).get(appId)
  assert(business && plan && app, 'what a purchase is about is never deleted')
  return { business, plan, app }
}
