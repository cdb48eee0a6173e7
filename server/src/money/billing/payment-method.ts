import { findHeldApps } from '../../catalog/apps/store.ts'
import type { MerchantType } from '../../core/business.ts'
import { rest } from '../../core/change.ts'
import { decide } from '../../core/decide.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Change, SubscriptionState } from '../../core/subscription.ts'
import { findBusiness, lockBusiness } from '../../merchants/businesses/store.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices, isMethodCharging, pollAskedCharges } from '../charges/store.ts'
import {
  type BegunPaymentMethod,
  GATEWAY_NAMES,
  type Gateway,
  type GatewayName,
  type Gateways,
  type SavedPaymentMethod,
} from '../gateway/gateway.ts'
import {
  findDefaultPaymentMethods,
  findPaymentMethod,
  findSaved,
  insertPaymentMethod,
  listPaymentMethods,
  type PaymentMethod,
  preferPaymentMethod,
  removePaymentMethodRow,
} from '../payment-methods/store.ts'
import { hasLivePaid, lockUnpaidOfBusiness } from '../subscriptions/store.ts'
import { isFor } from './charge-submitter.ts'
import { freshIds, loadStates, nowOf } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/** A payment method as its gateway knows it. */
export type SavedAtGateway = SavedPaymentMethod & { readonly gateway: GatewayName }

interface AtGateway {
  readonly businessId: string
  readonly gateway: GatewayName
  readonly key: string
}

/** Starts saving a card in the gateway's own form. */
export async function beginAtGateway(
  ports: Pick<Ports, 'db' | 'gateways'>,
  request: AtGateway,
): Promise<BegunPaymentMethod | Rejection> {
  const gateway = await gatewayFor(ports, request)
  return isRejection(gateway) ? gateway : await gateway.beginPaymentMethod(request)
}

/**
 * Saves a token at the gateway. The key makes the call idempotent, so it runs before the transaction. Throws
 * GatewayUnreachable, which answers 503.
 */
export async function saveAtGateway(
  ports: Pick<Ports, 'db' | 'gateways'>,
  request: AtGateway & { readonly token: string },
): Promise<SavedAtGateway | Rejection> {
  const gateway = await gatewayFor(ports, request)
  if (isRejection(gateway)) return gateway
  const saved = await gateway.savePaymentMethod(request)
  if (saved === null) return rejectField('token', `the ${gateway.name} gateway does not know this token`)
  if ('declined' in saved) {
    return reject(
      'PAYMENT_METHOD_DECLINED',
      `The gateway declined the payment method: ${saved.declined}. Use another one.`,
    )
  }
  return { gateway: gateway.name, ...saved }
}

/** Returns the gateway if it is configured and meant for this type of business: see `isFor`. */
async function gatewayFor(
  { db, gateways }: Pick<Ports, 'db' | 'gateways'>,
  { businessId, gateway: name }: AtGateway,
): Promise<Gateway | Rejection> {
  const business = await findBusiness(db.sql, businessId)
  if (business === null) return noBusiness()
  const gateway = gateways[name]
  if (gateway === undefined) {
    return reject('GATEWAY_NOT_CONFIGURED', `This service has no ${name} gateway: its operator has set no key for it.`)
  }
  return isFor(gateways, name, business.type) ? gateway : notFor(name, business.type)
}

/** The default gateway for new payment methods: a real gateway before the sandbox. */
export function gatewayOf(gateways: Gateways, type: MerchantType): GatewayName {
  return GATEWAY_NAMES.findLast(name => gateways[name] !== undefined && isFor(gateways, name, type)) ?? 'sandbox'
}

interface Authorized {
  /**
   * Checks that the caller is still authorized, until the transaction ends. API routes leave it out: the table of
   * rights has answered.
   */
  readonly hold?: (sql: Sql) => Promise<Rejection | null>
}

/**
 * Stores a saved payment method as the default. If it replaces another default, past-due invoices are charged at
 * once. Source: decisions 6, 11.
 */
export async function addPaymentMethod(
  ports: ChangePorts,
  { businessId, saved, hold }: Authorized & { businessId: string; saved: SavedAtGateway },
): Promise<PaymentMethod | Rejection> {
  return await ports.db.transaction(async tx => {
    const barred = await hold?.(tx.sql)
    if (barred) return barred
    if ((await lockBusiness(tx.sql, businessId)) === null) return noBusiness()
    const createdAt = ports.clock.now()
    // A form that was sent twice saves one payment method.
    const known = await findSaved(tx.sql, { businessId, ...saved })
    const method = known ?? { paymentMethodId: ports.newId(), businessId, ...saved, preferredAt: createdAt, createdAt }
    if (known === null) await insertPaymentMethod(tx.sql, method)
    const { paymentMethodId } = method
    return (await prefer(tx, ports, { businessId, paymentMethodId, isNew: known === null })) ?? method
  })
}

/**
 * Makes a saved payment method the default. If it replaces another default, past-due invoices are charged at once.
 * `isAgain` also charges with the current default, except after a hard decline.
 */
export async function choosePaymentMethod(
  ports: ChangePorts & Pick<Ports, 'gateways'>,
  { hold, ...chosen }: Authorized & Omit<Preference, 'isNew'>,
): Promise<PaymentMethod | Rejection> {
  return await ports.db.transaction(async tx => {
    const barred = await hold?.(tx.sql)
    if (barred) return barred
    const business = await lockBusiness(tx.sql, chosen.businessId)
    if (business === null) return noBusiness()
    const method = await findPaymentMethod(tx.sql, chosen)
    // The method was saved before a real gateway was configured.
    if (method !== null && !isFor(ports.gateways, method.gateway, business.type)) {
      return notFor(method.gateway, business.type)
    }
    return (await prefer(tx, ports, chosen)) ?? noMethod()
  })
}

/**
 * Removes a payment method permanently. The default of a live paid subscription stays until another method is the
 * default, and a method stays while the method is being charged. Source: decisions 6, "Remove a card".
 */
export async function removePaymentMethod(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  of: { readonly businessId: string; readonly paymentMethodId: string },
): Promise<null | Rejection> {
  return await db.transaction(async ({ sql }) => {
    const { businessId, paymentMethodId } = of
    if ((await lockBusiness(sql, businessId)) === null) return noMethod()
    if ((await findPaymentMethod(sql, of)) === null) return noMethod()
    const defaultId = (await findDefaultPaymentMethods(sql, [businessId])).get(businessId)
    if (defaultId === paymentMethodId && (await hasLivePaid(sql, businessId))) {
      const remedy = 'Make another payment method the default, or cancel the subscriptions first.'
      return reject('PAYMENT_METHOD_IN_USE', `The default of a live paid subscription cannot be removed. ${remedy}`)
    }
    if (await isMethodCharging(sql, paymentMethodId)) {
      return reject('CHARGE_IN_PROGRESS', 'The payment method is being charged. Remove it after the outcome is known.')
    }
    await removePaymentMethodRow(sql, { ...of, now: clock.now() })
    return null
  })
}

export function notFor(gateway: GatewayName, type: MerchantType): Rejection {
  return reject('GATEWAY_NOT_FOR_BUSINESS', `A ${type} cannot use the gateway ${gateway}.`)
}

export function noMethod(): Rejection {
  return reject('PAYMENT_METHOD_NOT_FOUND', 'The business has no payment method with this paymentMethodId.')
}

function noBusiness(): Rejection {
  return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
}

/** The payer, with a named payment method or the default. */
export interface Payer {
  readonly businessId: string
  readonly paymentMethodId?: string
  /** For previews: a missing payment method does not matter. */
  readonly assumesPaymentMethod?: boolean
}

/** Returns whether a charge can be made. Rejects a payment method of another business. */
export async function canPay(
  sql: Sql,
  { businessId, paymentMethodId, assumesPaymentMethod = false }: Payer,
): Promise<boolean | Rejection> {
  if (paymentMethodId === undefined) {
    return assumesPaymentMethod || (await listPaymentMethods(sql, businessId, { offset: 0, limit: 1 })).length > 0
  }
  return (await findPaymentMethod(sql, { businessId, paymentMethodId })) === null ? noMethod() : true
}

/** The payment method that becomes the default. */
interface Preference {
  readonly businessId: string
  readonly paymentMethodId: string
  /** The method was saved in this transaction, so it paid nothing before. */
  readonly isNew?: boolean
  /** The merchant asks for another attempt with the current default. */
  readonly isAgain?: boolean
}

/**
 * Makes a payment method the default and charges past-due invoices if the default changed. Returns null for a method
 * of another business. The business must be locked. Source: decisions 6, "at once when the payment method changes",
 * "hard refusals stop tries until the method changes".
 */
export async function prefer(
  tx: Tx,
  ports: WritePorts,
  { businessId, paymentMethodId, isNew = false, isAgain = false }: Preference,
): Promise<PaymentMethod | null> {
  const before = isNew ? undefined : (await findDefaultPaymentMethods(tx.sql, [businessId])).get(businessId)
  const preferred = await preferPaymentMethod(tx.sql, { businessId, paymentMethodId, now: ports.clock.now() })
  if (preferred === null) return null
  if (before !== paymentMethodId) await chargePastDue(tx, ports, businessId)
  else if (isAgain) await retryDeclined(tx, ports, businessId)
  return preferred
}

/**
 * Charges past-due invoices with the new default. A charge that waits for the payer is polled first. The business
 * must be locked. Source: decisions 6.
 */
async function chargePastDue(tx: Tx, ports: WritePorts, businessId: string): Promise<void> {
  const states = await lockDue(tx.sql, businessId)
  await charge(tx, ports, states)
  const awaited = states.flatMap(({ subscription }) => subscription.awaitedChargeId ?? [])
  if (awaited.length === 0) return
  await pollAskedCharges(tx.sql, { chargeIds: awaited, nextPollAt: ports.clock.now() })
  tx.afterCommit(() => ports.wake.charges())
}

/**
 * Charges past-due invoices again, except after a hard decline. The business must be locked. Source: decisions 6,
 * "hard refusals … stop tries until the method changes".
 */
async function retryDeclined(tx: Tx, ports: WritePorts, businessId: string): Promise<void> {
  const states = (await lockDue(tx.sql, businessId)).filter(
    ({ subscription }) => subscription.awaitedChargeId === undefined,
  )
  const tried = await findChargesOfInvoices(
    tx.sql,
    states.flatMap(({ openInvoices: [oldest] }) => oldest?.invoiceId ?? []),
  )
  const latest = new Map(tried.map(({ subscriptionId, status }) => [subscriptionId, status]))
  await charge(
    tx,
    ports,
    states.filter(({ subscription }) => latest.get(subscription.subscriptionId) !== 'DECLINED_HARD'),
  )
}

async function lockDue(sql: Sql, businessId: string): Promise<SubscriptionState[]> {
  return await loadStates(sql, await lockUnpaidOfBusiness(sql, businessId))
}

async function charge(tx: Tx, ports: WritePorts, states: readonly SubscriptionState[]): Promise<void> {
  const changes: Change[] = []
  const held = await findHeldApps(
    tx.sql,
    states.map(({ subscription }) => subscription.appId),
  )
  for (const state of states) {
    const now = await nowOf(tx.sql, state.subscription, ports.clock.now())
    if (held.has(state.subscription.appId)) {
      // Tried when the operator enables the app again.
      changes.push(rest({ ...state, subscription: { ...state.subscription, nextRetryAt: now } }))
      continue
    }
    const change = decide(state, { kind: 'paymentMethodChanged' }, freshIds(ports.newId), now)
    if (!isRejection(change)) changes.push(change)
  }
  if (changes.length > 0) await writeChanges(tx, ports, changes)
}
