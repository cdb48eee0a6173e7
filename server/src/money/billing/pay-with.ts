import { type Rejection, reject } from '../../core/rejection.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import {
  findDefaultPaymentMethods,
  findPaymentMethod,
  listPaymentMethods,
  type PaymentMethod,
  preferPaymentMethod,
} from '../payment-methods/store.ts'
import { chargeWhatIsDue, tryAgain } from './charge-what-is-due.ts'
import type { WritePorts } from './write.ts'

/** Who pays, and with what, where that is said; where not, with what the business pays with by default. */
export interface Payer {
  readonly businessId: string
  readonly paymentMethodId?: string
  /** Whether it has anything to pay with does not matter: nothing of this will be written. */
  readonly assumesPaymentMethod?: boolean
}

/** Whether a charge could be made. Refuses a payment method that is not the business's. */
export async function canPay(
  sql: Sql,
  { businessId, paymentMethodId, assumesPaymentMethod = false }: Payer,
): Promise<boolean | Rejection> {
  if (paymentMethodId === undefined) {
    return assumesPaymentMethod || (await listPaymentMethods(sql, businessId, { offset: 0, limit: 1 })).length > 0
  }
  const method = await findPaymentMethod(sql, { businessId, paymentMethodId })
  if (method === null) {
    return reject('PAYMENT_METHOD_NOT_FOUND', 'The business has no payment method with this paymentMethodId.')
  }
  return true
}

/** Which payment method of whom is to be the default. */
export interface Preference {
  readonly businessId: string
  readonly paymentMethodId: string
  /** It was saved just now, so whatever was charged before was charged to another one. */
  readonly isNew?: boolean
  /** Somebody asks for another try with what was the default before. */
  readonly isAgain?: boolean
}

/**
 * A payment method named here becomes the default of the business, so that later charges and its changes mean one thing, and what is
 * due is charged at once. The same named again changes nothing, and so charges nothing, unless another try is asked for: then what it
 * refused for good is left out. Null: it is not the business's. The business must be locked.
 * Source: decisions 6, "at once when the payment method changes", "hard refusals stop tries until the method changes".
 */
export async function prefer(
  tx: Tx,
  ports: WritePorts,
  { businessId, paymentMethodId, isNew = false, isAgain = false }: Preference,
): Promise<PaymentMethod | null> {
  const before = isNew ? undefined : (await findDefaultPaymentMethods(tx.sql, [businessId])).get(businessId)
  const preferred = await preferPaymentMethod(tx.sql, { businessId, paymentMethodId, now: ports.clock.now() })
  if (preferred === null) return null
  if (before !== paymentMethodId) await chargeWhatIsDue(tx, ports, businessId)
  else if (isAgain) await tryAgain(tx, ports, businessId)
  return preferred
}
