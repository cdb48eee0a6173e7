import { isSeenFrom } from '../../core/place.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Place, Subscription } from '../../core/subscription.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { findOwner, findSubscription, lockSubscription } from '../subscriptions/store.ts'

/** Which subscription, and who asks. */
export interface ActInput {
  readonly appId: string
  readonly subscriptionId: string
  /** Only a subscription of this business. */
  readonly businessId?: string
  /** Only one that is seen from there. */
  readonly seenFrom?: Place
}

/** The subscription of the app, and of the business where one is named. */
export async function findOwn(sql: Sql, input: ActInput): Promise<Subscription | Rejection> {
  const subscription = await findSubscription(sql, input.subscriptionId)
  return subscription !== null && isOf(subscription, input) ? subscription : notFound()
}

/** The same, locked. */
export async function lockOwn(sql: Sql, input: ActInput): Promise<Subscription | Rejection> {
  const subscription = await lockSubscription(sql, input.subscriptionId)
  return subscription !== null && isOf(subscription, input) ? subscription : notFound()
}

/** The same, with its business locked before it: what else that business subscribes to then stays as it is. */
export async function lockOwnAndBusiness(sql: Sql, input: ActInput): Promise<Subscription | Rejection> {
  const owner = await findOwner(sql, input.subscriptionId)
  if (owner === null || !isOf(owner, input)) return notFound()
  await lockBusiness(sql, owner.businessId)
  return await lockOwn(sql, input)
}

function isOf(
  owner: { appId: string; businessId: string } & Place,
  { appId, businessId, seenFrom = {} }: ActInput,
): boolean {
  if (owner.appId !== appId || (businessId !== undefined && owner.businessId !== businessId)) return false
  return isSeenFrom(seenFrom, owner)
}

function notFound(): Rejection {
  return reject('SUBSCRIPTION_NOT_FOUND', 'The app has no subscription with this id.')
}
