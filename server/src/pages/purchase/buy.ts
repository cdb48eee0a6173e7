import { Type } from 'typebox'
import { completePurchaseAsShown } from '../../billing/complete-purchase.ts'
import { isRefusal } from '../../core/refusal.ts'
import { type AnyPage, redirect } from '../../http/page.ts'
import { Uuid } from '../../http/wire.ts'
import type { Ports } from '../../ports.ts'
import { notice } from '../../web/components/notice.ts'
import { moneyWords } from '../../web/money.ts'
import { cannotBuy } from './cannot-buy.ts'
import { offer } from './offer.ts'
import { type TillPorts, tillPage } from './till.ts'

export type BuyPorts = Parameters<typeof completePurchaseAsShown>[0] & TillPorts & Pick<Ports, 'gateways'>

/** Minor units, as they were shown. */
const Shown = Type.String({ pattern: '^\\d{1,12}$' })
const Buy = Type.Object({ amount: Shown, price: Shown, next: Shown, paymentMethodId: Type.Optional(Uuid) })

/**
 * BUY NOW. What was shown is what is agreed to: were it more by now, it is shown anew and nothing is charged. Pressed again, on
 * this screen or another: it is done already, and the result is shown.
 */
export function buyPage(ports: BuyPorts): AnyPage {
  return tillPage(ports, {
    ...{ method: 'POST', path: '/purchases/:purchaseId/buy', name: 'buy', form: Buy },
    async handle(call, till) {
      const { amount, price, next, paymentMethodId } = call.form
      const completed = await completePurchaseAsShown(
        { ...ports, db: call.db },
        {
          purchaseId: till.purchase.purchaseId,
          by: till.by,
          agreed: { amount: Number(amount), price: Number(price), next: Number(next) },
          ...(paymentMethodId === undefined ? {} : { paymentMethodId: paymentMethodId.toLowerCase() }),
        },
      )
      // Over meanwhile, or without a card: the screen says so, and what to do.
      if (isRefusal(completed)) {
        const isShown = completed.refused === 'PURCHASE_CLOSED' || completed.refused === 'PAYMENT_METHOD_REQUIRED'
        return isShown ? redirect(till.path) : cannotBuy(call, till, completed)
      }
      if (!('costs' in completed)) return redirect(till.path)
      const { costs } = completed
      const money = moneyWords({ amount: costs.amount, currency: costs.currency })
      const words = `Today it is ${money}, since time has passed or your credit was used. Nothing was charged yet: look again, then press.`
      return offer(ports, call, { ...till, preview: costs }, notice('warn', 'The price has changed', words))
    },
  })
}
