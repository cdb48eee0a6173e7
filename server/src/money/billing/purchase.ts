import { timingSafeEqual } from 'node:crypto'
import { findRoleInSession, holdRoleInSession } from '../../access/business-users/session-store.ts'
import { type BusinessUserRole, TERMINAL_SESSION_IDLE_MS } from '../../core/business-user.ts'
import { given } from '../../core/given.ts'
import { type PurchasePreview, previewOfPurchase } from '../../core/preview.ts'
import type { Principal } from '../../core/principal.ts'
import { isScreenGone, type Purchase, purchaseAt, purchaseClosed, purchaseNotFound } from '../../core/purchase.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Change } from '../../core/subscription.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { listPaymentMethods, type PaymentMethod } from '../payment-methods/store.ts'
import { type OfferedAgain, offeredAgain } from '../purchases/purchases.ts'
import { endPurchase, findPurchase, lockPurchase, type StoredPurchase } from '../purchases/store.ts'
import { type ActInput, evaluateAct, lockOwnAndBusiness } from './act.ts'
import { evaluatePlanChange } from './change-plan.ts'
import { nowOf, openCreditBalances } from './load.ts'
import { hashSecret } from './open-purchase.ts'
import { type Payer, prefer } from './payment-method.ts'
import { evaluateStart, writeStart } from './subscribe.ts'
import { type WritePorts, writeChanges } from './write.ts'

/** The data of the purchase screen. */
export interface PurchaseScreen {
  readonly purchase: Purchase
  /** The reason why the viewer may not buy, although the purchase is shown. */
  readonly barred?: Rejection
  /**
   * The effect of completing the purchase now, or the reason why it cannot be completed. Absent once the purchase is
   * closed.
   */
  readonly preview?: PurchasePreview | Rejection
  /** Set after a declined first payment: the purchase is open again. */
  readonly declined?: OfferedAgain['declined']
  /** The default comes first. */
  readonly paymentMethods: readonly PaymentMethod[]
}

/**
 * Shows a purchase to a viewer who may complete it. The preview uses the same decision and the same facts as
 * `completePurchase`. Stores nothing.
 */
export async function showPurchase(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { purchaseId, by }: { readonly purchaseId: string; readonly by: Buyer },
): Promise<PurchaseScreen | Rejection> {
  const stored = await findPurchase(ports.db.sql, purchaseId)
  const now = ports.clock.now()
  if (stored === null || !isShownTo(stored, by, now)) return purchaseNotFound()
  const { secretHash, ...current } = purchaseAt(stored, now)
  const { purchase, declined } = await offeredAgain(ports.db, current, now)
  const paymentMethods = await listPaymentMethods(ports.db.sql, purchase.businessId)
  const barred = await rejectBuyer(ports.db.sql, purchase, now)
  const screen = { purchase, paymentMethods, ...(declined && { declined }), ...(barred === null ? {} : { barred }) }
  if (purchase.status !== 'OPEN') return screen
  const preview = barred ?? (await ports.db.transaction(tx => previewOf(tx, ports, purchase)))
  return { ...screen, preview }
}

async function previewOf(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  purchase: Purchase,
): Promise<PurchasePreview | Rejection> {
  // The screen shows the price before it asks for a card.
  const change = await evaluatePurchase(tx, ports, purchase, { assumesPaymentMethod: true })
  if (isRejection(change)) return change
  return previewCosts(tx, ports, change)
}

export type CompletePorts = WritePorts & Pick<Ports, 'db'>

export interface CompletePurchase {
  readonly purchaseId: string
  /** Absent: the default payment method. */
  readonly paymentMethodId?: string
  readonly by: Buyer
}

/** The amounts that the person agreed to: at once, per period, and at the end of the first period. Minor units. */
export interface Agreed {
  readonly amount: number
  readonly price: number
  readonly next: number
}

/**
 * Completes a purchase. The purchase and its effect share one transaction, so it completes once, however often the
 * button is pressed. A completed purchase is returned unchanged, and a rejected one stays OPEN. If the purchase costs
 * more by now than the person agreed to, it stays OPEN, and the answer is the new cost. The charge follows;
 * `purchases/purchases.ts` reads its outcome. Source: decisions 9.
 */
export function completePurchaseAsAgreed(
  ports: CompletePorts,
  { purchaseId, paymentMethodId, by, agreed }: CompletePurchase & { readonly agreed: Agreed },
): Promise<Purchase | { readonly costs: PurchasePreview } | Rejection> {
  return ports.db.transaction(async tx => {
    const stored = await lockPurchase(tx.sql, purchaseId)
    const now = ports.clock.now()
    if (stored === null || !isShownTo(stored, by, now)) return purchaseNotFound()
    const { secretHash, ...current } = purchaseAt(stored, now)
    const { purchase } = await offeredAgain(tx, current, now)
    if (purchase.status === 'COMPLETED') return purchase
    if (purchase.status !== 'OPEN') return purchaseClosed(purchase)
    const barred = await lockBuyer(tx.sql, purchase, now)
    if (barred !== null) return barred
    const paying = paymentMethodId === undefined ? {} : { paymentMethodId }
    const change = await evaluatePurchase(tx, ports, purchase, paying)
    if (isRejection(change)) return change
    const costs = await previewCosts(tx, ports, change)
    if (isMore(costs, agreed)) return { costs }
    await writePurchase(tx, ports, change, { ...purchase, ...paying })
    // An invoice that credit covers has no charge to wait for.
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

/** The effect that is bought, with or without a stored purchase. */
export type ToBuy = Pick<
  Purchase,
  'purchaseId' | 'appId' | 'businessId' | 'storeId' | 'deviceId' | 'kind' | 'planId' | 'subscriptionId'
>

/**
 * Decides the effect of a purchase: subscribe, change the plan or restore. Makes the same decision and takes the same
 * locks as the use case without a purchase. Writes nothing.
 */
export async function evaluatePurchase(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  toBuy: ToBuy,
  paying: Omit<Payer, 'businessId'>,
): Promise<Change | Rejection> {
  const { purchaseId: bundleId, kind, planId } = toBuy
  if (kind === 'SUBSCRIBE') return evaluateStart(tx, ports, { ...toBuy, ...paying, bundleId })
  if (kind === 'REPLACE') return evaluatePlanChange(tx, ports, { ...ownOf(toBuy), ...paying, planId, when: 'NOW' })
  const subscription = await lockOwnAndBusiness(tx.sql, ownOf(toBuy))
  return isRejection(subscription) ? subscription : evaluateAct(tx, ports, subscription, { kind: 'restored' })
}

/** Writes the decision of `evaluatePurchase` in the same transaction. */
async function writePurchase(
  tx: Tx,
  ports: WritePorts,
  change: Change,
  { kind, businessId, paymentMethodId }: Pick<Purchase, 'kind' | 'businessId'> & Payer,
): Promise<void> {
  if (kind === 'SUBSCRIBE') return writeStart(tx, ports, change, given({ businessId, paymentMethodId }))
  // A restore charges nothing, so the payment method does not matter.
  if (kind === 'REPLACE' && paymentMethodId !== undefined) await prefer(tx, ports, { businessId, paymentMethodId })
  await writeChanges(tx, ports, [change])
}

function ownOf({ appId, businessId, storeId, deviceId, subscriptionId = '' }: ToBuy): ActInput {
  return { appId, businessId, subscriptionId, seenFrom: given({ storeId, deviceId }) }
}

/** Previews the costs of a change, now and at the end of the period. */
async function previewCosts({ sql }: Tx, { clock }: Pick<Ports, 'clock'>, change: Change): Promise<PurchasePreview> {
  const { subscription } = change
  const now = await nowOf(sql, subscription, clock.now())
  // A restore does not read the credit balance, but the next charge depends on it.
  const credit = change.credit ?? (await openCreditBalances(sql, [subscription])).of(subscription)
  return previewOfPurchase({ ...change, credit }, now)
}

/** The viewer of the screen: a holder of the secret URL, or a signed-in user of the merchant. */
export type Buyer = { readonly secret: string } | { readonly principal: Principal }

/**
 * Whether the viewer may see the purchase. The URL of a terminal's purchase works until an hour after the end. An
 * app's purchase is shown to users of the business who may subscribe.
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

/** Rejects a buyer who is no longer signed in at the terminal, or whose role may not buy any more. */
async function rejectBuyer(sql: Sql, purchase: Purchase, now: Date): Promise<Rejection | null> {
  return rejectByRole(purchase, now, of => findRoleInSession(sql, of))
}

/** Like `rejectBuyer`, and locks the session until the transaction ends. */
export async function lockBuyer(sql: Sql, purchase: Purchase, now: Date): Promise<Rejection | null> {
  return rejectByRole(purchase, now, of => holdRoleInSession(sql, of))
}

async function rejectByRole(
  { openedBy, terminalSessionId: sessionId, businessId, storeId = '', deviceId = '' }: Purchase,
  now: Date,
  roleIn: (of: { sessionId: string; idleSince: Date }) => Promise<BusinessUserRole | null>,
): Promise<Rejection | null> {
  if (openedBy !== 'TERMINAL') return null
  const idleSince = new Date(now.getTime() - TERMINAL_SESSION_IDLE_MS)
  const role = sessionId === undefined ? null : await roleIn({ sessionId, idleSince })
  if (role === null || sessionId === undefined) {
    return reject(
      'INVALID_USER_SESSION',
      'The user who opened the purchase is no longer signed in on the terminal. Sign in and open a new purchase.',
    )
  }
  const user = { businessUserId: '', role, sessionId }
  const isTaken = isTakenByRole({ kind: 'terminal', businessId, storeId, deviceId, user }, 'terminal.purchase')
  return isTaken
    ? reject('FORBIDDEN', 'The user who opened the purchase may no longer buy. Ask a manager to open a new purchase.')
    : null
}
