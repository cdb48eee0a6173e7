import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { choosePaymentMethod } from '../../money/billing/payment-method.ts'
import { lockBuyer } from '../../money/billing/purchase.ts'
import { outcomeOf } from '../../money/purchases/purchases.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { BuyPorts } from './buy.ts'
import { mayPay } from './refused.ts'
import { isLockedOut, tillPage } from './till-page.ts'

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
      if (status !== 'DECLINED' || !mayPay(till, ports.clock.now())) return redirect(path)
      const { businessId } = purchase
      const chosen = await choosePaymentMethod(
        { ...ports, db: call.db },
        {
          ...{ businessId, paymentMethodId: paymentMethodId.toLowerCase(), isAgain: true },
          hold: sql => lockBuyer(sql, purchase, ports.clock.now()),
        },
      )
      return isRejection(chosen) && !isLockedOut(chosen) ? chosen : redirect(path)
    },
  })
}
