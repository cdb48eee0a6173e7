import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { showPurchase } from '../../money/billing/purchase.ts'
import { type AnyPage, type PageAnswer, page, redirect } from '../../platform/http/page.ts'
import { notForYou } from './not-for-you.ts'
import { offer } from './offer.ts'
import { over } from './over.ts'
import { result } from './result.ts'
import { ABOUT, pathOf, type Till, type TillCall, type TillPorts } from './till.ts'
import { withTill } from './till-page.ts'

/** As long as somebody may come back to it: the purchase itself is open for half of that. */
const COOKIE_SECONDS = 3_600

/** The screen of a purchase: what is offered, what became of it, or that it is over. */
export function showPurchasePage(ports: TillPorts): AnyPage {
  const Query = Type.Object({ key: Type.Optional(Type.String({ maxLength: 255 })) })
  return page<typeof ABOUT.params, typeof Query, never>({
    ...ABOUT,
    ...{ method: 'GET', path: '/purchases/:purchaseId', name: 'showPurchaseScreen', query: Query },
    async handle(call) {
      const { key } = call.query
      return key === undefined ? withTill(ports, call, till => show(ports, call, till)) : enter(ports, call, key)
    },
  })
}

/**
 * The secret leaves the address bar at once, and with it histories, and whatever else keeps addresses: from here on a cookie has
 * it, which is sent to this purchase alone.
 */
async function enter(ports: TillPorts, call: TillCall, key: string): Promise<PageAnswer> {
  const purchaseId = call.params.purchaseId.toLowerCase()
  const path = pathOf({ purchaseId })
  const found = await showPurchase(ports, { purchaseId, by: { secret: key } })
  if (isRejection(found)) return notForYou(call)
  return redirect(path, [{ purpose: 'purchase', value: key, path, maxAgeSeconds: COOKIE_SECONDS }])
}

async function show(ports: TillPorts, call: TillCall, till: Till): Promise<PageAnswer> {
  switch (till.purchase.status) {
    case 'OPEN':
      return offer(ports, call, till)
    case 'COMPLETED':
      return result(ports, call, till)
    default:
      return over(call, till)
  }
}
