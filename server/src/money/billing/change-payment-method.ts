import type { MerchantType } from '../../core/business.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { findBusiness, lockBusiness } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import {
  type BegunPaymentMethod,
  GATEWAY_NAMES,
  type Gateway,
  type GatewayName,
  type Gateways,
} from '../gateway/gateway.ts'
import { findPaymentMethod, findSaved, insertPaymentMethod, type PaymentMethod } from '../payment-methods/store.ts'
import { isFor } from './gateway-for.ts'
import { type Preference, prefer } from './pay-with.ts'
import type { WritePorts } from './write.ts'

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/** A payment method as its gateway knows it. */
export interface SavedAtGateway {
  readonly gateway: GatewayName
  readonly reference: string
  readonly label: string
}

interface AtGateway {
  readonly businessId: string
  readonly gateway: GatewayName
  readonly key: string
}

/** Begins the saving of a payment method by the gateway's own element in a page. */
export async function beginAtGateway(
  ports: Pick<Ports, 'db' | 'gateways'>,
  request: AtGateway,
): Promise<BegunPaymentMethod | Rejection> {
  const gateway = await gatewayFor(ports, request)
  return isRejection(gateway) ? gateway : await gateway.beginPaymentMethod(request)
}

/**
 * Saves at the gateway what a token stands for. Repeated with the same key it gives the same, so it may run before, and outside,
 * the transaction that keeps it. Throws GatewayUnreachable, which is answered 503, while the gateway cannot be reached.
 */
export async function saveAtGateway(
  ports: Pick<Ports, 'db' | 'gateways'>,
  request: AtGateway & { readonly token: string },
): Promise<SavedAtGateway | Rejection> {
  const gateway = await gatewayFor(ports, request)
  if (isRejection(gateway)) return gateway
  const saved = await gateway.savePaymentMethod(request)
  if (saved === null) return rejectField('token', `the ${gateway.name} gateway does not know this token`)
  if ('refused' in saved) {
    return reject('PAYMENT_METHOD_DECLINED', `The gateway refused to save it: ${saved.refused}. Ask for another one.`)
  }
  return { gateway: gateway.name, ...saved }
}

/** The gateway, if it is configured and meant for this type of business: see `isFor`. */
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

/** The one that a business adds payment methods at, where nobody names another: a real gateway before the sandbox. */
export function gatewayOf(gateways: Gateways, type: MerchantType): GatewayName {
  return GATEWAY_NAMES.findLast(name => gateways[name] !== undefined && isFor(gateways, name, type)) ?? 'sandbox'
}

interface ByWhom {
  /**
   * Says whether whoever does it still may, and holds it so until the transaction ends. Absent: who calls was asked by the table of
   * rights, as every caller of the API is.
   */
  readonly hold?: (sql: Sql) => Promise<Rejection | null>
}

/**
 * Keeps a saved payment method: it becomes the default, and where another one was, what is past due is charged at once.
 * Source: decisions 6, 11.
 */
export async function addPaymentMethod(
  ports: ChangePorts,
  { businessId, saved, hold }: ByWhom & { businessId: string; saved: SavedAtGateway },
): Promise<PaymentMethod | Rejection> {
  return await ports.db.transaction(async tx => {
    const barred = await hold?.(tx.sql)
    if (barred) return barred
    if ((await lockBusiness(tx.sql, businessId)) === null) return noBusiness()
    const createdAt = ports.clock.now()
    // What the gateway saved once is kept once, as of a form that was sent twice.
    const known = await findSaved(tx.sql, { businessId, ...saved })
    const method = known ?? { paymentMethodId: ports.newId(), businessId, ...saved, preferredAt: createdAt, createdAt }
    if (known === null) await insertPaymentMethod(tx.sql, method)
    const { paymentMethodId } = method
    return (await prefer(tx, ports, { businessId, paymentMethodId, isNew: known === null })) ?? method
  })
}

/**
 * Makes a saved payment method the default, and where another one was, charges what is past due with it. `isAgain`: also where it was
 * the default before, except what it refused for good.
 */
export async function choosePaymentMethod(
  ports: ChangePorts & Pick<Ports, 'gateways'>,
  { hold, ...chosen }: ByWhom & Omit<Preference, 'isNew'>,
): Promise<PaymentMethod | Rejection> {
  return await ports.db.transaction(async tx => {
    const barred = await hold?.(tx.sql)
    if (barred) return barred
    const business = await lockBusiness(tx.sql, chosen.businessId)
    if (business === null) return noBusiness()
    const method = await findPaymentMethod(tx.sql, chosen)
    // Saved before a real gateway was configured.
    if (method !== null && !isFor(ports.gateways, method.gateway, business.type)) {
      return notFor(method.gateway, business.type)
    }
    return (await prefer(tx, ports, chosen)) ?? noMethod()
  })
}

function notFor(gateway: GatewayName, type: MerchantType): Rejection {
  return reject('GATEWAY_NOT_FOR_BUSINESS', `The ${gateway} gateway is not for a ${type}.`)
}

function noMethod(): Rejection {
  return reject('PAYMENT_METHOD_NOT_FOUND', 'The business has no payment method with this paymentMethodId.')
}

function noBusiness(): Rejection {
  return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
}
