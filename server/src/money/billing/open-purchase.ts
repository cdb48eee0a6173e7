import { createHash, randomBytes } from 'node:crypto'
import { given } from '../../core/given.ts'
import { MAX_OPEN_PURCHASES, PURCHASE_OPEN_MS, type Purchase } from '../../core/purchase.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Location } from '../../core/subscription.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { countOpen, insertPurchase } from '../purchases/store.ts'
import { findLiveSeenFrom, findSubscription } from '../subscriptions/store.ts'
import { evaluatePurchase, type ToBuy } from './purchase.ts'

interface OpenPurchase extends Location {
  readonly appId: string
  readonly businessId: string
  readonly openedBy: Purchase['openedBy']
  readonly businessUserId?: string
  /** The sign-in at the terminal that asked. */
  readonly terminalSessionId?: string
  readonly wanted: Wanted
}

/**
 * Decisions 9, Purchase extras: a plan, a plan that replaces another (`replace`), or the `restore` of a subscription.
 */
export interface Wanted {
  readonly planId?: string
  readonly replace?: boolean
  readonly restore?: boolean
  readonly subscriptionId?: string
}

/** A purchase and the URL of its screen. */
export interface OpenedPurchase {
  readonly purchase: Purchase
  readonly url: string
}

type OpenPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>

/**
 * Opens a purchase for the merchant to confirm within 30 minutes. A purchase that could not be completed is rejected;
 * only the payment method may be missing. Source: decisions 3 and 9.
 */
export async function openPurchase(ports: OpenPorts, input: OpenPurchase): Promise<OpenedPurchase | Rejection> {
  const { appId, businessId, storeId, deviceId, businessUserId, terminalSessionId, openedBy, wanted } = input
  const location = given({ storeId, deviceId })
  const purchaseId = ports.newId()
  const secret = openedBy === 'TERMINAL' ? randomBytes(32).toString('base64url') : undefined
  return ports.db.transaction(async tx => {
    // The lock makes the count of open purchases exact.
    await lockBusiness(tx.sql, businessId)
    const what = await resolveWanted(tx, { appId, businessId, location }, wanted)
    if (isRejection(what)) return what
    const toBuy: ToBuy = { purchaseId, appId, businessId, ...location, ...what }
    const change = await evaluatePurchase(tx, ports, toBuy, { assumesPaymentMethod: true })
    if (isRejection(change)) return change
    const createdAt = ports.clock.now()
    const tooMany = await rejectMore(tx, { appId, businessId, now: createdAt })
    if (tooMany !== null) return tooMany
    const purchase: Purchase = {
      ...toBuy,
      ...given({ businessUserId, terminalSessionId }),
      ...{ status: 'OPEN', openedBy, createdAt, expiresAt: new Date(createdAt.getTime() + PURCHASE_OPEN_MS) },
    }
    await insertPurchase(tx.sql, secret === undefined ? purchase : { ...purchase, secretHash: hashSecret(secret) })
    return { purchase, url: urlOf(ports.settings, purchaseId, secret) }
  })
}

async function rejectMore(
  { sql }: Tx,
  of: { appId: string; businessId: string; now: Date },
): Promise<Rejection | null> {
  if ((await countOpen(sql, { ...of, limit: MAX_OPEN_PURCHASES })) < MAX_OPEN_PURCHASES) return null
  const words = `The app has ${MAX_OPEN_PURCHASES} open purchases at this business. Cancel one, or wait: each is open for 30 minutes.`
  return reject('TOO_MANY_PURCHASES', words)
}

/** SHA-256 is enough for 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** The URL of the screen. Everyone with the secret may confirm; without a secret the merchant signs in. */
export function urlOf({ baseUrl }: Ports['settings'], purchaseId: string, secret?: string): string {
  return `${baseUrl}/purchases/${purchaseId}${secret === undefined ? '' : `?key=${secret}`}`
}

type What = Pick<ToBuy, 'kind' | 'planId' | 'subscriptionId'>

async function resolveWanted(
  { sql }: Tx,
  of: { readonly appId: string; readonly businessId: string; readonly location: Location },
  { planId, replace = false, restore = false, subscriptionId }: Wanted,
): Promise<What | Rejection> {
  if (restore) {
    if (subscriptionId === undefined) return missing('subscriptionId', 'required with restore')
    const subscription = await findSubscription(sql, subscriptionId)
    // `evaluatePurchase` checks the owner.
    if (subscription === null) return reject('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
    return { kind: 'RESTORE', planId: subscription.planId, subscriptionId }
  }
  if (planId === undefined) return missing('planId', 'required, but with restore')
  if (!replace) return { kind: 'SUBSCRIBE', planId }
  if (subscriptionId !== undefined) return { kind: 'REPLACE', planId, subscriptionId }
  const [live, another] = await findLiveSeenFrom(sql, of)
  if (live === undefined) return reject('SUBSCRIPTION_NOT_FOUND', 'The business has no subscription to replace.')
  if (another !== undefined) return missing('subscriptionId', 'required with replace where there are several')
  return { kind: 'REPLACE', planId, subscriptionId: live }
}

export function missing(path: string, problem: string): Rejection {
  return reject('MISSING_PARAMETER', `${path}: ${problem}.`, { fields: [{ path, problem }] })
}
