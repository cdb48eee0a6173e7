import { cancelPurchase } from '../../money/purchases/purchases.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import type { TillPorts } from './till.ts'
import { tillPage } from './till-page.ts'

/** The merchant leaves it. Too late, or pressed twice: the screen tells how it ended. */
export function cancelPage(ports: TillPorts): AnyPage {
  return tillPage(ports, {
    ...{ method: 'POST', path: '/purchases/:purchaseId/cancel', name: 'leavePurchase' },
    async handle(call, { purchase: { purchaseId }, path }) {
      await cancelPurchase({ ...ports, db: call.db }, { purchaseId, isMine: one => one.purchaseId === purchaseId })
      return redirect(path)
    },
  })
}
