import { type Static, type TObject, Type } from 'typebox'
import { noteUseOfSession } from '../../access/business-users/session-store.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { type Buyer, type PurchaseScreen, showPurchase } from '../../money/billing/purchase.ts'
import { findPurchase } from '../../money/purchases/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import {
  type Actor,
  type AnyPage,
  type MoreShown,
  type Page,
  type PageAnswer,
  type PageCall,
  page,
  type Shown,
  shown,
} from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { type AppFace, appFace } from '../../platform/web/components/content.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { appFaces } from '../merchant/standing.ts'

export type TillPorts = Pick<Ports, 'db' | 'clock' | 'newId'>

/** Data of every purchase page, and the person in front of it. */
export interface Till extends PurchaseScreen {
  readonly path: string
  readonly by: Buyer
  readonly business: BusinessRecord
  readonly plan: Plan
  readonly app: AppFace
}

/** Shared settings of these pages. `billing/buyer.ts` decides who may buy, which the table of rights cannot express: hence `public`. */
export const ABOUT = {
  params: Type.Object({ purchaseId: Uuid }),
  operation: 'public',
  signIn: 'optional',
} as const
type Params = Static<typeof ABOUT.params>
export type TillCall<Q = unknown, F = unknown> = PageCall<Params, Q, F>

/** The path of the screen without its secret. */
export function pathOf({ purchaseId }: Params): string {
  return `/purchases/${purchaseId}`
}

type TillPage<Q extends TObject, F extends TObject> = Omit<
  Page<typeof ABOUT.params, Q, F>,
  keyof typeof ABOUT | 'subject' | 'handle'
> & { handle(call: TillCall<Static<Q>, Static<F>>, till: Till): Promise<PageAnswer | Rejection> }

/** A page for people who may complete the purchase: the holder of the screen's cookie, or a signed-in user of the merchant. */
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
 * The actor: for a terminal's screen the terminal and its user, even if another person is signed in in that browser. CLERK is the weakest
 * role; `billing/buyer.ts` decides.
 */
function actorOf({ by, purchase }: Till): Actor {
  if ('principal' in by) return { principal: by.principal, operation: 'subscriptions.subscribe' }
  const { businessId, storeId, deviceId, businessUserId, terminalSessionId: sessionId } = purchase
  assert(storeId !== undefined && deviceId !== undefined, 'a purchase with a secret is of a terminal')
  const user = businessUserId && sessionId ? { businessUserId, sessionId, role: 'CLERK' as const } : undefined
  const principal = { kind: 'terminal' as const, businessId, storeId, deviceId, ...(user && { user }) }
  return { principal, operation: 'terminal.purchase' }
}

/** An app's purchase leads to sign-in first; other visitors get 404. */
export async function withTill(
  ports: TillPorts,
  call: TillCall,
  work: (till: Till) => Promise<PageAnswer | Rejection>,
): Promise<PageAnswer | Rejection> {
  const till = await findTill(ports, call)
  if (till === 'sign in') return reject('INVALID_ACCESS_TOKEN', 'Sign in.')
  return till === null ? notForYou(call) : work(till)
}

/** The user has lost access: the screen says so, and what to do. */
export function isLockedOut({ rejected }: Rejection): boolean {
  return rejected === 'INVALID_USER_SESSION' || rejected === 'FORBIDDEN'
}

/** Pressing a button counts as using the terminal's session. */
async function noteUse({ db, clock }: TillPorts, { purchase, barred }: Till): Promise<void> {
  const { terminalSessionId } = purchase
  if (terminalSessionId === undefined || barred !== undefined) return
  await noteUseOfSession(db.sql, terminalSessionId, clock.now())
}

async function findTill(ports: TillPorts, call: TillCall): Promise<Till | 'sign in' | null> {
  const purchaseId = call.params.purchaseId
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
  assert(business && plan && app, 'the merchant, plan and app of a purchase are never deleted')
  return { business, plan, app }
}

/** `refreshSeconds`: seconds between refreshes of a waiting page. */
type More = MoreShown & { readonly refreshSeconds?: number }

/** A page of a purchase without navigation: a terminal has only these buttons. */
function tillShown(
  call: TillCall,
  { title, main }: { title: string; main: Html },
  { refreshSeconds, ...more }: More = {},
): Shown {
  const signedIn = call.session && { person: call.session.person, workspace: call.session.workspace }
  return shown(layout({ title, main, signedIn, width: 'narrow', isTill: true, refreshSeconds }), more)
}

/** The same below the name of the app. A signed-in merchant also gets the way back to the portal. */
export function tillShownOf(
  call: TillCall,
  { app, business, by }: Till,
  { title, main }: { title: string; main: Html },
  more: More = {},
): Shown {
  const isTest = business.type === 'TEST_MERCHANT'
  const whole = html`${appFace(app, 2)}
${main}
<p class="fine till-note">${say`For ${business.doingBusinessAs ?? business.legalName}.`}${isTest && html` ${say`This is a test business: no real money is charged.`}`}</p>
${'principal' in by && html`<p class="till-note"><a href="/my/subscriptions">${say`Go to your subscriptions`}</a></p>`}`
  return tillShown(call, { title: `${title} · ${app.name}`, main: whole }, more)
}

/** An unknown purchase, a purchase of another business and a missing secret get the same response. */
export function notForYou(call: TillCall): PageAnswer {
  const { session } = call
  const main = html`<article class="message">
<h1>${say`There is no such purchase here`}</h1>
<p class="lead">${say`Nothing was bought, and nothing was charged.`}</p>
${
  session === null
    ? html`<p>${say`Go back to the app and start again. A purchase opens only where it was begun.`}</p>`
    : html`<p>${say`You are signed in to ${session.workspace.name} as ${session.person.name}. The purchase may be for another business, or only an owner or a manager may make it.`}</p>`
}
</article>`
  return tillShown(call, { title: say`No such purchase`, main }, { status: 404 })
}
