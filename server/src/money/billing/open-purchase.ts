import { createHash, randomBytes } from 'node:crypto'
import { MAX_OPEN_PURCHASES, PURCHASE_OPEN_MS, type Purchase } from '../../core/purchase.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Place } from '../../core/subscription.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { countOpen, insertPurchase } from '../purchases/store.ts'
import { findLiveSeenFrom, findSubscription } from '../subscriptions/store.ts'
import { considerPurchase, type ToBuy } from './purchase.ts'

interface OpenPurchase extends Place {
  readonly appId: string
  readonly businessId: string
  readonly openedBy: Purchase['openedBy']
  readonly businessUserId?: string
  /** Of a terminal: in which its user is signed in. */
  readonly terminalSessionId?: string
  readonly wanted: Wanted
}

/** Decisions 9, Purchase extras: a plan; with `replace`, in place of another; or `restore` of a subscription. */
export interface Wanted {
  readonly planId?: string
  readonly replace?: boolean
  readonly restore?: boolean
  readonly subscriptionId?: string
}

/** A purchase, and where its screen is. */
export interface OpenedPurchase {
  readonly purchase: Purchase
  readonly url: string
}

type OpenPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>

/**
 * Asks a merchant to confirm: open for 30 minutes. Refused at once where it could not be completed as things are, so that no
 * screen is shown for nothing; a payment method may still be missing, which the screen asks for. TOO_MANY_PURCHASES where the app
 * has as many open at the business as it may. Source: decisions 3 and 9.
 */
export async function openPurchase(ports: OpenPorts, input: OpenPurchase): Promise<OpenedPurchase | Rejection> {
  const { appId, businessId, storeId, deviceId, businessUserId, terminalSessionId, openedBy, wanted } = input
  const place = { ...(storeId === undefined ? {} : { storeId }), ...(deviceId === undefined ? {} : { deviceId }) }
  const purchaseId = ports.newId()
  const secret = openedBy === 'TERMINAL' ? randomBytes(32).toString('base64url') : undefined
  return ports.db.transaction(async tx => {
    // Before what it asks for: one business opens one at a time, so that they are counted.
    await lockBusiness(tx.sql, businessId)
    const what = await whatIsWanted(tx, { appId, businessId, place }, wanted)
    if (isRejection(what)) return what
    const toBuy: ToBuy = { purchaseId, appId, businessId, ...place, ...what }
    const change = await considerPurchase(tx, ports, toBuy, { assumesPaymentMethod: true })
    if (isRejection(change)) return change
    const createdAt = ports.clock.now()
    const tooMany = await refuseMore(tx, { appId, businessId, now: createdAt })
    if (tooMany !== null) return tooMany
    const purchase: Purchase = {
      ...toBuy,
      ...(businessUserId === undefined ? {} : { businessUserId }),
      ...(terminalSessionId === undefined ? {} : { terminalSessionId }),
      ...{ status: 'OPEN', openedBy, createdAt, expiresAt: new Date(createdAt.getTime() + PURCHASE_OPEN_MS) },
    }
    await insertPurchase(tx.sql, secret === undefined ? purchase : { ...purchase, secretHash: hashSecret(secret) })
    return { purchase, url: urlOf(ports.settings, purchaseId, secret) }
  })
}

async function refuseMore(
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

/** Where the screen is. With the secret whoever has the address may confirm; without one, who signs in. */
export function urlOf({ baseUrl }: Ports['settings'], purchaseId: string, secret?: string): string {
  return `${baseUrl}/purchases/${purchaseId}${secret === undefined ? '' : `?key=${secret}`}`
}

type What = Pick<ToBuy, 'kind' | 'planId' | 'subscriptionId'>

async function whatIsWanted(
  { sql }: Tx,
  of: { readonly appId: string; readonly businessId: string; readonly place: Place },
  { planId, replace = false, restore = false, subscriptionId }: Wanted,
): Promise<What | Rejection> {
  if (restore) {
    if (subscriptionId === undefined) return missing('subscriptionId', 'required with restore')
    const subscription = await findSubscription(sql, subscriptionId)
    // Whose it is, is looked at when it is considered.
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

function missing(path: string, problem: string): Rejection {
  return reject('MISSING_PARAMETER', `${path}: ${problem}.`, { fields: [{ path, problem }] })
}
