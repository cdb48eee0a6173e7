import { Type } from 'typebox'
import { isRejection, type RejectionCode } from '../../core/rejection.ts'
import { completePurchaseAsAgreed } from '../../money/billing/purchase.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { moneyWords } from '../../platform/web/money.ts'
import type { Ports } from '../../ports.ts'
import { cannotBuy } from './cannot-buy.ts'
import { offer } from './offer.ts'
import type { TillPorts } from './till.ts'
import { tillPage } from './till-page.ts'

export type BuyPorts = Parameters<typeof completePurchaseAsAgreed>[0] & TillPorts & Pick<Ports, 'gateways'>

/** Over meanwhile, without a card, or to be waited for: the screen says so, and what to do. */
const SAID_BY_SCREEN: readonly RejectionCode[] = ['PURCHASE_CLOSED', 'PAYMENT_METHOD_REQUIRED', 'CHARGE_IN_PROGRESS']

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
      const completed = await completePurchaseAsAgreed(
        { ...ports, db: call.db },
        {
          purchaseId: till.purchase.purchaseId,
          by: till.by,
          agreed: { amount: Number(amount), price: Number(price), next: Number(next) },
          ...(paymentMethodId === undefined ? {} : { paymentMethodId: paymentMethodId.toLowerCase() }),
        },
      )
      if (isRejection(completed)) {
        return SAID_BY_SCREEN.includes(completed.rejected) ? redirect(till.path) : cannotBuy(call, till, completed)
      }
      if (!('costs' in completed)) return redirect(till.path)
      const { costs } = completed
      const money = moneyWords({ amount: costs.amount, currency: costs.currency })
      const words = `Today it is ${money}, since time has passed or your credit was used. Nothing was charged yet: look again, then press.`
      return offer(ports, call, { ...till, preview: costs }, notice('warn', 'The price has changed', words))
    },
  })
}
