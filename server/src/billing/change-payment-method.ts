import { lockBusiness } from '../businesses/store.ts'
import { AssertionFailure } from '../core/assert.ts'
import { type Refusal, refuse, refuseField } from '../core/refusal.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { GatewayName } from '../gateway/gateway.ts'
import { insertPaymentMethod, type PaymentMethod, preferPaymentMethod } from '../payment-methods/store.ts'
import type { Ports } from '../ports.ts'
import { chargeWhatIsDue } from './charge-what-is-due.ts'
import type { WritePorts } from './write.ts'

/** A gateway that is away is seldom back within the second. */
const GATEWAY_BACK_SECONDS = 5

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/** A payment method as its gateway knows it. */
export interface SavedAtGateway {
  readonly gateway: GatewayName
  readonly reference: string
  readonly label: string
}

/**
 * Saves at the gateway what a token stands for. Repeated with the same key it gives the same, so it may run before, and outside,
 * the transaction that keeps it. Refuses with SERVICE_UNAVAILABLE while the gateway cannot be reached.
 */
export async function saveAtGateway(
  { gateways, log }: Pick<Ports, 'gateways' | 'log'>,
  { gateway, token, key }: { gateway: GatewayName; token: string; key: string },
): Promise<SavedAtGateway | Refusal> {
  try {
    const saved = await gateways[gateway].savePaymentMethod({ token, key })
    return saved === null
      ? refuseField('token', `the ${gateway} gateway does not know this token`)
      : { gateway, ...saved }
  } catch (error) {
    if (error instanceof AssertionFailure || isDatabaseUnavailable(error)) throw error
    log.warn({ err: error, gateway }, 'the gateway could not be reached to save a payment method')
    return refuse('SERVICE_UNAVAILABLE', 'The gateway is away. Repeat the request with the same request id.', {
      retryAfterSeconds: GATEWAY_BACK_SECONDS,
    })
  }
}

/** Keeps a saved payment method: it becomes the default, and what is past due is charged at once. Source: decisions 6, 11. */
export async function addPaymentMethod(
  ports: ChangePorts,
  { businessId, saved }: { businessId: string; saved: SavedAtGateway },
): Promise<PaymentMethod | Refusal> {
  return await ports.db.transaction(async tx => {
    if ((await lockBusiness(tx.sql, businessId)) === null) return noBusiness()
    const createdAt = ports.clock.now()
    const paymentMethodId = ports.newId()
    const method = { paymentMethodId, businessId, ...saved, preferredAt: createdAt, createdAt }
    await insertPaymentMethod(tx.sql, method)
    const preferred = await preferPaymentMethod(tx.sql, { businessId, paymentMethodId, now: createdAt })
    await chargeWhatIsDue(tx, ports, businessId)
    return preferred ?? method
  })
}

/** Makes a saved payment method the default, and charges what is past due with it. */
export async function choosePaymentMethod(
  ports: ChangePorts,
  { businessId, paymentMethodId }: { businessId: string; paymentMethodId: string },
): Promise<PaymentMethod | Refusal> {
  return await ports.db.transaction(async tx => {
    if ((await lockBusiness(tx.sql, businessId)) === null) return noBusiness()
    const method = await preferPaymentMethod(tx.sql, { businessId, paymentMethodId, now: ports.clock.now() })
    if (method === null) {
      return refuse('PAYMENT_METHOD_NOT_FOUND', 'The business has no payment method with this paymentMethodId.')
    }
    await chargeWhatIsDue(tx, ports, businessId)
    return method
  })
}

function noBusiness(): Refusal {
  return refuse('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
}
