import { findApp } from '../../catalog/apps/store.ts'
import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { type Business, effectiveNow } from '../../core/business.ts'
import { isSeenFrom } from '../../core/location.ts'
import { type Plan, priceIn } from '../../core/plan.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { start } from '../../core/start.ts'
import type { Change, Location, Subscription } from '../../core/subscription.ts'
import { findDevice, findStore, lockBusiness } from '../../merchants/businesses/store.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findLive, hadTrial, insertSubscription, lockUnpaidOfBusiness } from '../subscriptions/store.ts'
import { findTaxTerms } from '../tax/terms.ts'
import { freshIds, openCreditBalances } from './load.ts'
import { canPay, prefer } from './payment-method.ts'
import { type WritePorts, writeEffects } from './write.ts'

/**
 * Subscribes a business to a plan. Subscription, invoice, first charge and notifications share one transaction; the
 * charge is sent after the commit. Source: interface, States and transitions; decisions 5.
 */
export async function subscribe(
  ports: WritePorts & Pick<Ports, 'db'>,
  input: SubscribeInput,
): Promise<Subscription | Rejection> {
  return await ports.db.transaction(async tx => {
    const change = await evaluateStart(tx, ports, input)
    if (isRejection(change)) return change
    await writeStart(tx, ports, change, input)
    return change.subscription
  })
}

interface SubscribeInput {
  readonly appId: string
  readonly businessId: string
  readonly planId: string
  readonly storeId?: string
  readonly deviceId?: string
  readonly paymentMethodId?: string
  /** The caller is bound to this store or device. */
  readonly seenFrom?: Location
  /** The purchase that led to the subscription. */
  readonly bundleId?: string
}

/** Reads the facts of a new subscription and decides. Locks the business and its money. Writes nothing. */
export async function evaluateStart(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  input: SubscribeInput & { readonly assumesPaymentMethod?: boolean },
): Promise<Change | Rejection> {
  // Serializes the subscriptions of one business, so a second one to the same plan is rejected.
  const business = await lockBusiness(tx.sql, input.businessId)
  if (business === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
  const app = await findApp(tx.sql, input.appId)
  if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
  if (app.status === 'DISABLED')
    return reject('APPLICATION_DISABLED', 'The app is disabled and accepts no subscribers.')
  const plan = await findPlan(tx.sql, input.planId)
  if (plan === null || plan.appId !== app.appId || plan.approvedAt === undefined) {
    return reject('PLAN_NOT_FOUND', 'The app has no approved plan with this planId.')
  }
  const location = await locationOf(tx.sql, plan, input)
  if (isRejection(location)) return location
  const live = await findLive(tx.sql, { planId: plan.planId, businessId: business.businessId, ...location })
  if (live !== null) {
    return reject(
      'ALREADY_SUBSCRIBED',
      `Subscription ${live} to this plan is still live. Cancel or change that subscription.`,
    )
  }
  const hasPaymentMethod = await canPay(tx.sql, input)
  if (isRejection(hasPaymentMethod)) return hasPaymentMethod
  // `prefer` locks these subscriptions. In the order of locks they precede the credit balance.
  if (input.paymentMethodId !== undefined) await lockUnpaidOfBusiness(tx.sql, business.businessId)
  const parties = { organizationId: app.organizationId, businessId: business.businessId }
  const tax = (await findTaxTerms(tx.sql, [parties]))(parties)
  return start({
    ...(tax === undefined ? {} : { tax }),
    plan,
    organizationId: app.organizationId,
    business: business satisfies Business,
    ...location,
    hasPaymentMethod,
    hadTrial: await hadTrial(tx.sql, { appId: app.appId, businessId: business.businessId }),
    credit: await creditFor(tx.sql, plan, app, business),
    ids: { ...freshIds(ports.newId), subscriptionId: ports.newId(), bundleId: input.bundleId ?? ports.newId() },
    now: effectiveNow(business, ports.clock.now()),
  })
}

/** Writes the decision of `evaluateStart` in the same transaction. */
export async function writeStart(
  tx: Tx,
  ports: WritePorts,
  change: Change,
  { businessId, paymentMethodId }: Pick<SubscribeInput, 'businessId' | 'paymentMethodId'>,
): Promise<void> {
  if (paymentMethodId !== undefined) await prefer(tx, ports, { businessId, paymentMethodId })
  await insertSubscription(tx.sql, change.subscription)
  await writeEffects(tx, ports, [change])
}

/** The credit in the currency of the price. */
async function creditFor(
  sql: Sql,
  plan: Plan,
  { organizationId }: { readonly organizationId: string },
  { businessId, country }: Business,
): Promise<number> {
  const price = priceIn(plan, country)
  if (price === null) return 0
  const holder = { businessId, organizationId, currency: price.currency }
  return (await openCreditBalances(sql, [holder])).of(holder)
}

type Asked = Location & { readonly businessId: string }

/**
 * Interface, Plan: scope. A store plan needs a store, a device plan a device. Rejects a location outside the caller's
 * view.
 */
export async function locationOf(
  sql: Sql,
  plan: Pick<Plan, 'scope'>,
  { seenFrom = {}, ...asked }: Asked & { readonly seenFrom?: Location },
): Promise<Location | Rejection> {
  const location = await findLocation(sql, plan, asked)
  if (isRejection(location) || isSeenFrom(seenFrom, location)) return location
  return reject('FORBIDDEN', 'The token belongs to another store or device.')
}

async function findLocation(
  sql: Sql,
  plan: Pick<Plan, 'scope'>,
  { businessId, storeId, deviceId }: Asked,
): Promise<Location | Rejection> {
  if (plan.scope === 'BUSINESS') return {}
  if (plan.scope === 'STORE') {
    if (storeId === undefined) return missing('storeId', 'STORE')
    const store = await findStore(sql, businessId, storeId)
    if (store === null || store.status === 'CLOSED')
      return reject('STORE_NOT_FOUND', 'The business has no open store with this storeId.')
    return { storeId }
  }
  assert(plan.scope === 'DEVICE', 'a plan has one of three scopes')
  if (deviceId === undefined) return missing('deviceId', 'DEVICE')
  const device = await findDevice(sql, businessId, deviceId)
  if (device === null || device.status === 'CLOSED')
    return reject('DEVICE_NOT_FOUND', 'The business has no open device with this deviceId.')
  if (storeId !== undefined && storeId !== device.storeId)
    return rejectField('storeId', 'the device is in another store')
  return { storeId: device.storeId, deviceId }
}

function missing(path: string, scope: string): Rejection {
  const problem = `required: the plan has scope ${scope}`
  return reject('MISSING_PARAMETER', `${path} is ${problem}.`, { fields: [{ path, problem }] })
}
