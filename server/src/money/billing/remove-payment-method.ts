import { type Rejection, reject } from '../../core/rejection.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import type { Ports } from '../../ports.ts'
import { isMethodCharging } from '../charges/store.ts'
import { findDefaultPaymentMethods, findPaymentMethod, removePaymentMethodRow } from '../payment-methods/store.ts'
import { hasLivePaid } from '../subscriptions/store.ts'
import { noMethod } from './payment-method.ts'

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
