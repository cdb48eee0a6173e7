import type { Gateway } from '../gateway.ts'
import { cancel } from './cancel.ts'
import { confirm, create } from './charge.ts'
import { openAccount, type StripeOptions } from './client.ts'
import { readEvent } from './event.ts'
import { orUnknown, orUnreachable } from './failures.ts'
import { findCharge, findConfirmation } from './find.ts'
import { findMoney, listTouched } from './money.ts'
import { begin, save } from './payment-methods.ts'
import { findRefund, refund } from './refund.ts'

/** Stripe behind the port, by its official SDK. README.md says what is what there. */
export function createStripe(options: StripeOptions): Gateway {
  const account = openAccount(options)
  return {
    name: 'stripe',
    // Two calls each, of some 0.4 s: Stripe lets an account make 100 a second, and 25 in its test mode.
    atOnce: 16,
    beginPaymentMethod: request => orUnreachable(() => begin(account, request)),
    savePaymentMethod: request => orUnreachable(() => save(account, request)),
    createCharge: request => orUnreachable(() => create(account, request)),
    confirmCharge: request => orUnknown(() => confirm(account, request)),
    findConfirmation: request => orUnknown(() => findConfirmation(account, request)),
    cancelCharge: request => orUnknown(() => cancel(account, request)),
    findCharge: request => orUnreachable(() => findCharge(account, request)),
    refund: request => orUnknown(() => refund(account, request)),
    findRefund: request => orUnknown(() => findRefund(account, request)),
    findMoney: gatewayChargeId => orUnreachable(() => findMoney(account, gatewayChargeId)),
    listTouched: request => orUnreachable(() => listTouched(account, request)),
    readEvent: posted => readEvent(account, posted),
  }
}
