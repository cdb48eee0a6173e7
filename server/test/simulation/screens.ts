import { randomBytes } from 'node:crypto'
import {
  endTerminalSession,
  insertTerminalSession,
  noteUseOfSession,
} from '../../src/access/business-users/session-store.ts'
import { insertBusinessUser } from '../../src/access/business-users/store.ts'
import type { PurchasePreview } from '../../src/core/preview.ts'
import type { Purchase } from '../../src/core/purchase.ts'
import { isRejection } from '../../src/core/rejection.ts'
import { openPurchase, type Wanted } from '../../src/money/billing/open-purchase.ts'
import type { Buyer } from '../../src/money/billing/purchase.ts'
import { type Agreed, completePurchaseAsAgreed, showPurchase } from '../../src/money/billing/purchase.ts'
import { cancelPurchase } from '../../src/money/purchases/purchases.ts'
import { uuidOfUrn } from '../../src/platform/http/wire.ts'
import { pickOne, type Scene, type SubscriptionSeen } from './operations.ts'
import type { Play } from './play.ts'
import type { Random } from './random.ts'
import type { Worker } from './stage.ts'
import { work } from './work.ts'

const MINUTE = 60_000
/** A little more than a session at a terminal may be idle. */
const MOST_MINUTES = 18
/** A little more than a purchase is open. */
const MOST_MINUTES_OPEN = 32

/** A purchase that waits for a confirmation, and the person at its screen. */
export interface Screen {
  readonly purchaseId: string
  readonly by: Buyer
  /** The terminal at which the user is signed in. */
  readonly sessionId?: string
  /** The price that the user last saw. */
  shown?: Agreed
  /** The highest price shown to a user who then pressed. */
  pressed?: Agreed
  /** The final state that the screen reported. */
  reported?: Purchase
}

/** A terminal or an app opens a purchase; usually a person looks at its screen and presses, at once or later, sometimes more than once. */
export async function askToBuy(play: Play): Promise<void> {
  const { random, screens } = play
  const known = screens.length
  const wish = random.pick(['new', 'new', 'new', 'replace', 'replace', 'restore'] as const)
  // No plan changes while a charge is in progress.
  if (wish === 'replace') await settleWhatIsDue(play)
  await openScreen(play, wish)
  await play.drive()
  const screen = screens[known]
  if (screen === undefined || !random.chance(0.7)) return
  if (random.chance(wish === 'replace' ? 0.8 : 0.3)) await dawdle(play, screen)
  const times = random.pick([1, 1, 2, 3])
  const isPatient = random.chance(0.3)
  for (let n = 0; n < times; n++) {
    press(play, screen)
    if (isPatient) await play.drive()
  }
  if (random.chance(0.2)) leave(play, screen)
}

/** A person acts on an existing screen in any state. */
export async function atScreen(play: Play): Promise<void> {
  const { random, screens } = play
  if (screens.length === 0) return
  const { act } = random.weighted(AT_SCREEN)
  act(play, random.chance(0.7) ? (screens.at(-1) as Screen) : random.pick(screens))
}

const AT_SCREEN = [
  { weight: 2, act: look },
  { weight: 4, act: press },
  { weight: 1, act: leave },
  { weight: 1, act: signOut },
]

async function settleWhatIsDue(play: Play): Promise<void> {
  await work(play, { rounds: 1, reconciles: false })
  await play.drive()
}

type Wish = 'new' | 'replace' | 'restore'

async function openScreen(play: Play, wish: Wish): Promise<void> {
  const { random, stage } = play
  const scene = await play.scene()
  const one = wish === 'new' ? null : pickOne(scene, random)
  const locations = scene.locations.filter(({ businessId }) => one === null || businessId === one.businessId)
  const { businessId, storeId, deviceId: urn } = random.pick(locations)
  const deviceId = uuidOfUrn(urn)
  const isTerminal = random.chance(0.8)
  const wanted = wantedOf(scene, random, one, wish)
  const sessionId = isTerminal ? await signIn(play, { businessId, deviceId }) : undefined
  const worker = play.worker()
  play.say(
    `${worker.life.name} is asked: ${isTerminal ? 'a terminal' : 'an app'} opens a purchase ${JSON.stringify(wanted)}`,
  )
  play.spawn(worker, 'open purchase', async () => {
    const opened = await openPurchase(worker.ports(), {
      ...{ appId: uuidOfUrn(stage.platform.appId), businessId, wanted },
      ...(sessionId === undefined
        ? { openedBy: 'APP' }
        : { openedBy: 'TERMINAL', storeId, deviceId, terminalSessionId: sessionId }),
    })
    if (isRejection(opened)) return play.say(`  rejected: ${opened.rejected}`)
    const { purchase, url } = opened
    const { purchaseId } = purchase
    play.say(`  purchase ${purchaseId} is open`)
    const secret = new URL(url).searchParams.get('key')
    const principal = { kind: 'merchant', businessId, userId: businessId, role: 'OWNER' } as const
    play.screens.push({ purchaseId, by: secret === null ? { principal } : { secret }, ...(sessionId && { sessionId }) })
  })
}

/** The wish for a new plan, for a plan in place of `one`, or for a restore of `one`. */
function wantedOf({ platform: { plans } }: Scene, random: Random, one: SubscriptionSeen | null, wish: Wish): Wanted {
  if (one === null) return { planId: random.pick(plans).planId }
  const { subscriptionId } = one
  if (wish === 'restore') return { restore: true, subscriptionId }
  const scope = plans.find(({ planId }) => planId === one.planId)?.scope
  const { planId } = random.pick(plans.filter(plan => plan.scope === scope))
  return { replace: true, planId, subscriptionId }
}

/** Signs a manager in at the terminal. The sign-in is no step of the run. */
async function signIn(play: Play, of: { businessId: string; deviceId: string }): Promise<string> {
  const { db, newId } = play.stage
  const [now, businessUserId, sessionId] = [play.now(), newId(), newId()]
  const user = { businessUserId, businessId: of.businessId, userId: businessUserId, name: 'Kim', passcodeHash: 'none' }
  const about = { role: 'MANAGER', status: 'ACTIVE', createdAt: now, updatedAt: now } as const
  await insertBusinessUser(db.sql, { ...user, ...about })
  const { deviceId } = of
  const session = { sessionId, tokenHash: randomBytes(32), businessUserId, deviceId, passcodeHash: 'none' }
  await insertTerminalSession(db.sql, session, now)
  return sessionId
}

/** The person reads the price and waits, mostly for less time than the session or the purchase lasts. */
async function dawdle(play: Play, screen: Screen): Promise<void> {
  const { random, stage } = play
  look(play, screen)
  await play.drive()
  stage.clock.set(
    new Date(
      play.now().getTime() + random.below(screen.sessionId === undefined ? MOST_MINUTES_OPEN : MOST_MINUTES) * MINUTE,
    ),
  )
  play.say(`time passes: ${play.now().toISOString()}`)
}

function look(play: Play, screen: Screen): void {
  atWorker(play, screen, 'pollCount', worker => readScreen(worker, screen))
}

async function readScreen(worker: Worker, screen: Screen): Promise<string> {
  const shown = await showPurchase(worker.ports(), screen)
  if (isRejection(shown)) return shown.rejected
  const { preview, purchase } = shown
  if (preview === undefined || isRejection(preview)) return preview?.rejected ?? purchase.status
  screen.shown = agreedOf(preview)
  return `${preview.amount} ${preview.currency}`
}

/** The shown price is the agreed price, however old. Only a person who has seen no price looks first. */
function press(play: Play, screen: Screen): void {
  atWorker(play, screen, 'buys', async worker => {
    if (screen.shown === undefined) await readScreen(worker, screen)
    const agreed = screen.shown
    if (agreed === undefined) return 'nothing to agree to'
    screen.pressed = most(agreed, screen.pressed)
    if (screen.sessionId !== undefined) await noteUseOfSession(worker.ports().db.sql, screen.sessionId, play.now())
    const bought = await completePurchaseAsAgreed(worker.ports(), { ...screen, agreed })
    if (isRejection(bought)) return bought.rejected
    if (!('costs' in bought)) return report(screen, bought)
    screen.shown = agreedOf(bought.costs)
    return `costs ${bought.costs.amount} by now, not ${agreed.amount}`
  })
}

function leave(play: Play, screen: Screen): void {
  atWorker(play, screen, 'leaves', async worker => {
    const left = await cancelPurchase(worker.ports(), { ...screen, isMine: () => true })
    return isRejection(left) ? left.rejected : report(screen, left)
  })
}

function signOut(play: Play, screen: Screen): void {
  const { sessionId } = screen
  if (sessionId === undefined) return
  atWorker(play, screen, 'signs out', async worker => {
    await endTerminalSession(worker.ports().db.sql, sessionId, play.now())
    return 'signed out'
  })
}

function atWorker(play: Play, { purchaseId }: Screen, does: string, work: (worker: Worker) => Promise<string>): void {
  const worker = play.worker()
  play.say(`${worker.life.name} is asked: somebody ${does} at the screen of ${purchaseId}`)
  play.spawn(worker, `screen: ${does}`, async () => {
    play.say(`  ${purchaseId}: ${await work(worker)}`)
  })
}

function report(screen: Screen, purchase: Purchase): string {
  screen.reported ??= purchase
  return purchase.status
}

function agreedOf({ amount, price, next }: PurchasePreview): Agreed {
  return { amount, price, next: next?.amount ?? 0 }
}

function most(a: Agreed, b: Agreed = a): Agreed {
  return { amount: Math.max(a.amount, b.amount), price: Math.max(a.price, b.price), next: Math.max(a.next, b.next) }
}
