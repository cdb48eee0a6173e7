import type { AnyPage } from '../../platform/http/page.ts'
import { type BuyPorts, buyPage } from './buy.ts'
import { cancelPage } from './cancel.ts'
import { cardPages } from './card.ts'
import { payPage } from './pay.ts'
import { showPurchasePage } from './show-purchase.ts'

/** The screen that confirms a purchase, on a terminal or a phone. */
export function purchasePages(ports: BuyPorts): AnyPage[] {
  return [showPurchasePage(ports), buyPage(ports), cancelPage(ports), ...cardPages(ports), payPage(ports)]
}
