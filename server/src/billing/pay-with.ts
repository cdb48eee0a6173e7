import { type Refusal, refuse } from '../core/refusal.ts'
import type { Sql, Tx } from '../db/db.ts'
import { findPaymentMethod, listPaymentMethods, preferPaymentMethod } from '../payment-methods/store.ts'
import { chargeWhatIsDue } from './charge-what-is-due.ts'
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
): Promise<boolean | Refusal> {
  if (paymentMethodId === undefined) {
    return assumesPaymentMethod || (await listPaymentMethods(sql, businessId)).length > 0
  }
  const method = await findPaymentMethod(sql, { businessId, paymentMethodId })
  if (method === null) {
    return refuse('PAYMENT_METHOD_NOT_FOUND', 'The business has no payment method with this paymentMethodId.')
  }
  return true
}

/** A payment method named here becomes the default of the business, so that later charges and its changes mean one thing. */
export async function prefer(
  tx: Tx,
  ports: WritePorts,
  { businessId, paymentMethodId }: { readonly businessId: string; readonly paymentMethodId: string },
): Promise<void> {
  await preferPaymentMethod(tx.sql, { businessId, paymentMethodId, now: ports.clock.now() })
  await chargeWhatIsDue(tx, ports, businessId)
}
