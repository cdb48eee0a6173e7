import { timingSafeEqual } from 'node:crypto'
import { findRoleInSession, holdRoleInSession } from '../../access/business-users/session-store.ts'
import { assert } from '../../core/assert.ts'
import { type BusinessUserRole, TERMINAL_SESSION_IDLE_MS } from '../../core/business-user.ts'
import { decide } from '../../core/decide.ts'
import { type PurchasePreview, previewOfPurchase } from '../../core/preview.ts'
import type { Principal } from '../../core/principal.ts'
import { isScreenGone, type Purchase, purchaseAt, purchaseClosed, purchaseNotFound } from '../../core/purchase.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Change } from '../../core/subscription.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { listPaymentMethods, type PaymentMethod } from '../payment-methods/store.ts'
import { endPurchase, findPurchase, lockPurchase, type StoredPurchase } from '../purchases/store.ts'
import { type ActInput, considerAct, lockOwnAndBusiness } from './act.ts'
import { considerChange } from './change-plan.ts'
import { nowOf, openPurse } from './load.ts'
import { hashSecret } from './open-purchase.ts'
import { type Payer, prefer } from './payment-method.ts'
import { considerPlan, writeStart } from './subscribe.ts'
import { type WritePorts, writeChanges } from './write.ts'

/** What the screen of a purchase shows. */
export interface PurchaseScreen {
  readonly purchase: Purchase
  /** Why who came may not buy or pay any more, though the purchase is shown. */
  readonly barred?: Rejection
  /** What completing it now would bring, or why it could not be completed; absent once it is over. */
  readonly preview?: PurchasePreview | Rejection
  /** The default comes first. */
  readonly paymentMethods: readonly PaymentMethod[]
}

/**
 * A purchase as its screen shows it, for whoever may complete it; to others there is none. What would be charged now and next is
 * decided by what completing it decides by, from the same facts. Nothing is stored.
 */
export async function showPurchase(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { purchaseId, by }: { readonly purchaseId: string; readonly by: Buyer },
): Promise<PurchaseScreen | Rejection> {
  const stored = await findPurchase(ports.db.sql, purchaseId)
  const now = ports.clock.now()
  if (stored === null || !isShownTo(stored, by, now)) return purchaseNotFound()
  const { secretHash, ...purchase } = purchaseAt(stored, now)
  const paymentMethods = await listPaymentMethods(ports.db.sql, purchase.businessId)
  const barred = await refuseBuyer(ports.db.sql, purchase, now)
  const screen = { purchase, paymentMethods, ...(barred === null ? {} : { barred }) }
  if (purchase.status !== 'OPEN') return screen
  const preview = barred ?? (await ports.db.transaction(tx => previewOf(tx, ports, purchase)))
  return { ...screen, preview }
}

async function previewOf(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  purchase: Purchase,
): Promise<PurchasePreview | Rejection> {
  // The price is shown before a card is asked for.
  const change = await considerPurchase(tx, ports, purchase, { assumesPaymentMethod: true })
  if (isRejection(change)) return change
  return foretellPurchase(tx, ports, change)
}

type CompletePorts = WritePorts & Pick<Ports, 'db'>

interface CompletePurchase {
  readonly purchaseId: string
  /** Absent: with what the business pays with by default. */
  readonly paymentMethodId?: string
  readonly by: Buyer
}

/**
 * The merchant confirms: the purchase, and what it brings, are one transaction, so that it comes true once, however often and
 * wherever it is pressed, and is OPEN after a crash before the commit. Completed before: as it was, and nothing happens. Refused
 * (a payment method is missing, the plan was retired, its user is not signed in on the terminal any more): it stays OPEN, and nothing is changed. The charge follows by
 * itself; `purchases/outcome.ts` tells what became of it. Source: decisions 9.
 */
export async function completePurchase(ports: CompletePorts, input: CompletePurchase): Promise<Purchase | Rejection> {
  const most = Number.POSITIVE_INFINITY
  const completed = await completePurchaseAsShown(ports, {
    ...input,
    agreed: { amount: most, price: most, next: most },
  })
  assert(!('costs' in completed), 'nothing costs more than anything')
  return completed
}

/** What a person was shown: what is charged at once, for each period, and at the end of the first. Minor units. */
export interface Agreed {
  readonly amount: number
  readonly price: number
  readonly next: number
}

/**
 * The same, where a person was shown what it costs and agreed to that. Were it more by now, since time has passed or credit was
 * used elsewhere, nothing happens, the purchase stays OPEN, and what it costs is told. Less is never objected to.
 */
export function completePurchaseAsShown(
  ports: CompletePorts,
  { purchaseId, paymentMethodId, by, agreed }: CompletePurchase & { readonly agreed: Agreed },
): Promise<Purchase | { readonly costs: PurchasePreview } | Rejection> {
  return ports.db.transaction(async tx => {
    const stored = await lockPurchase(tx.sql, purchaseId)
    const now = ports.clock.now()
    if (stored === null || !isShownTo(stored, by, now)) return purchaseNotFound()
    const { secretHash, ...purchase } = purchaseAt(stored, now)
    if (purchase.status === 'COMPLETED') return purchase
    if (purchase.status !== 'OPEN') return purchaseClosed(purchase)
    const barred = await holdBuyer(tx.sql, purchase, now)
    if (barred !== null) return barred
    const paying = paymentMethodId === undefined ? {} : { paymentMethodId }
    const change = await considerPurchase(tx, ports, purchase, paying)
    if (isRejection(change)) return change
    const costs = await foretellPurchase(tx, ports, change)
    if (isMore(costs, agreed)) return { costs }
    await writePurchase(tx, ports, change, { ...purchase, ...paying })
    // Where credit pays for all of it, there is nothing to wait for.
    const invoiceId = change.charges[0]?.invoiceId
    const { subscriptionId } = change.subscription
    const completed: Purchase = {
      ...purchase,
      ...{ subscriptionId, status: 'COMPLETED', endedAt: now },
      ...(invoiceId === undefined ? {} : { invoiceId }),
    }
    await endPurchase(tx.sql, completed)
    return completed
  })
}

function isMore({ amount, price, next }: PurchasePreview, agreed: Agreed): boolean {
  return amount > agreed.amount || price > agreed.price || (next?.amount ?? 0) > agreed.next
}

/** What is to be bought, whether or not it is a purchase yet. */
export type ToBuy = Pick<
  Purchase,
  'purchaseId' | 'appId' | 'businessId' | 'storeId' | 'deviceId' | 'kind' | 'planId' | 'subscriptionId'
>

/**
 * Decides what a purchase brings, by what the same act of a merchant is decided by: subscribing, changing the plan at once,
 * undoing a cancellation. Locks what those lock, and writes nothing.
 */
export async function considerPurchase(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  toBuy: ToBuy,
  paying: Omit<Payer, 'businessId'>,
): Promise<Change | Rejection> {
  const { purchaseId: bundleId, kind, planId } = toBuy
  if (kind === 'SUBSCRIBE') return considerPlan(tx, ports, { ...toBuy, ...paying, bundleId })
  if (kind === 'REPLACE') {
    const considered = await considerChange(tx, ports, { ...ownOf(toBuy), ...paying, planId, when: 'NOW' }, decide)
    return isRejection(considered) ? considered : considered.decided
  }
  const subscription = await lockOwnAndBusiness(tx.sql, ownOf(toBuy))
  return isRejection(subscription) ? subscription : considerAct(tx, ports, subscription, { kind: 'restored' })
}

/** Writes what `considerPurchase` decided, in the same transaction. */
async function writePurchase(
  tx: Tx,
  ports: WritePorts,
  change: Change,
  { kind, businessId, paymentMethodId }: Pick<Purchase, 'kind' | 'businessId'> & Payer,
): Promise<void> {
  const payer = { businessId, ...(paymentMethodId === undefined ? {} : { paymentMethodId }) }
  if (kind === 'SUBSCRIBE') return writeStart(tx, ports, change, payer)
  // Nothing is charged when a cancellation is undone, so nothing is paid with.
  if (kind === 'REPLACE' && paymentMethodId !== undefined) await prefer(tx, ports, { businessId, paymentMethodId })
  await writeChanges(tx, ports, [change])
}

function ownOf({ appId, businessId, storeId, deviceId, subscriptionId = '' }: ToBuy): ActInput {
  const seenFrom = {
    ...(storeId === undefined ? {} : { storeId }),
    ...(deviceId === undefined ? {} : { deviceId }),
  }
  return { appId, businessId, subscriptionId, seenFrom }
}

/** What the change that a purchase brings would cost, now and next. Writes nothing. */
async function foretellPurchase(
  { sql }: Tx,
  { clock }: Pick<Ports, 'clock'>,
  change: Change,
): Promise<PurchasePreview> {
  const { subscription } = change
  const now = await nowOf(sql, subscription, clock.now())
  // What follows is foretold with the credit of today, which undoing a cancellation need not know.
  const credit = change.credit ?? (await openPurse(sql, [subscription])).of(subscription)
  return previewOfPurchase({ ...change, credit }, now)
}

/** Who stands before the screen: whoever has its address, or a merchant's user who signed in. */
export type Buyer = { readonly secret: string } | { readonly principal: Principal }

/**
 * Whether a purchase is there for them. A terminal's: for whoever has the address of its screen, until an hour after it ended. An
 * app's: for a merchant's user of that business who may subscribe, after signing in. Others are told that there is none.
 */
function isShownTo(stored: StoredPurchase, by: Buyer, now: Date): boolean {
  const { secretHash, businessId } = stored
  if ('secret' in by) {
    const isRight = secretHash !== undefined && timingSafeEqual(secretHash, hashSecret(by.secret))
    return isRight && !(purchaseAt(stored, now).status !== 'OPEN' && isScreenGone(stored, now))
  }
  const { principal } = by
  if (principal.kind !== 'merchant' || secretHash !== undefined) return false
  return principal.businessId === businessId && !isTakenByRole(principal, 'subscriptions.subscribe')
}

/**
 * Null while who asked for it at the terminal is signed in there and may buy. Whoever signed out, was idle for too long, was
 * disabled, or whose terminal was activated anew, buys nothing with a screen that is still open; nor does who is a clerk by now.
 */
async function refuseBuyer(sql: Sql, purchase: Purchase, now: Date): Promise<Rejection | null> {
  return refuseBy(purchase, now, of => findRoleInSession(sql, of))
}

/** The same, and so it stays until the transaction ends: who locks them out meanwhile waits, and comes after what is bought. */
export async function holdBuyer(sql: Sql, purchase: Purchase, now: Date): Promise<Rejection | null> {
  return refuseBy(purchase, now, of => holdRoleInSession(sql, of))
}

async function refuseBy(
  { openedBy, terminalSessionId: sessionId, businessId, storeId = '', deviceId = '' }: Purchase,
  now: Date,
  roleIn: (of: { sessionId: string; idleSince: Date }) => Promise<BusinessUserRole | null>,
): Promise<Rejection | null> {
  if (openedBy !== 'TERMINAL') return null
  const idleSince = new Date(now.getTime() - TERMINAL_SESSION_IDLE_MS)
  const role = sessionId === undefined ? null : await roleIn({ sessionId, idleSince })
  if (role === null || sessionId === undefined) {
    return reject('INVALID_USER_SESSION', 'Who opened the purchase is not signed in on the terminal any more.')
  }
  const user = { businessUserId: '', role, sessionId }
  const isTaken = isTakenByRole({ kind: 'terminal', businessId, storeId, deviceId, user }, 'terminal.purchase')
  return isTaken ? reject('FORBIDDEN', 'Who opened the purchase may not buy any more.') : null
}
