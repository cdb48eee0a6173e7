import { Type } from 'typebox'
import { isOfBuyer, whileBuyerMay } from '../../billing/buyer.ts'
import { choosePaymentMethod } from '../../billing/change-payment-method.ts'
import { isRefusal } from '../../core/refusal.ts'
import { type AnyPage, redirect } from '../../http/page.ts'
import { Uuid } from '../../http/wire.ts'
import { outcomeOf } from '../../purchases/outcome.ts'
import type { BuyPorts } from './buy.ts'
import { mayPay } from './refused.ts'
import { tillPage } from './till.ts'

/**
 * Another try to pay for a purchase that came true and whose payment was refused. Only then: pressed twice, the second press
 * finds the first one's payment under way. Whoever is locked out meanwhile pays nothing, and the screen says so.
 */
export function payPage(ports: BuyPorts): AnyPage {
  return tillPage(ports, {
    ...{ method: 'POST', path: '/purchases/:purchaseId/pay', name: 'payAgain' },
    form: Type.Object({ paymentMethodId: Type.Optional(Uuid) }),
    async handle(call, till) {
      const { purchase, path } = till
      const { paymentMethodId } = call.form
      if (paymentMethodId === undefined || purchase.status !== 'COMPLETED') return redirect(path)
      const { status } = await outcomeOf(call, purchase)
      if (status !== 'REFUSED' || !mayPay(till, ports.clock.now())) return redirect(path)
      const chosen = { businessId: purchase.businessId, paymentMethodId: paymentMethodId.toLowerCase() }
      const paid = await whileBuyerMay({ ...ports, db: call.db }, purchase, tx =>
        choosePaymentMethod({ ...ports, db: tx }, chosen),
      )
      return isRefusal(paid) && !isOfBuyer(paid) ? paid : redirect(path)
    },
  })
}
