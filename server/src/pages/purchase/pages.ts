import { Type } from 'typebox'
import { given } from '../../core/given.ts'
import { isRejection, type Rejection, type RejectionCode } from '../../core/rejection.ts'
import { addPaymentMethod, choosePaymentMethod } from '../../money/billing/payment-method.ts'
import { completePurchaseAsAgreed, lockBuyer, showPurchase } from '../../money/billing/purchase.ts'
import { cancelPurchase, outcomeOf } from '../../money/purchases/purchases.ts'
import { type AnyPage, type PageAnswer, page, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { notice } from '../../platform/web/components/content.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { moneyWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { CardForm, cardEntry, saveEntered } from '../merchant/card-entry.ts'
import { cannotBuy, offer } from './offer.ts'
import { mayPay, over, result } from './result.ts'
import {
  ABOUT,
  isLockedOut,
  notForYou,
  pathOf,
  type Till,
  type TillCall,
  type TillPorts,
  tillPage,
  tillShownOf,
  withTill,
} from './till-page.ts'

/** The screen that confirms a purchase, on a terminal or a phone. */
export function purchasePages(ports: BuyPorts): AnyPage[] {
  return [showPurchasePage(ports), buyPage(ports), cancelPage(ports), ...cardPages(ports), payPage(ports)]
}

/** A return visit is possible this long; the purchase is open half as long. */
const COOKIE_SECONDS = 3_600

/** The purchase screen: the offer, the result, or the end. */
function showPurchasePage(ports: TillPorts): AnyPage {
  const Query = Type.Object({ key: Type.Optional(Type.String({ maxLength: 255 })) })
  return page<typeof ABOUT.params, typeof Query, never>({
    ...ABOUT,
    ...{ method: 'GET', path: '/purchases/:purchaseId', name: 'showPurchaseScreen', query: Query },
    async handle(call) {
      const { key } = call.query
      return key === undefined
        ? withTill(ports, call, till => show(ports, call, till))
        : exchangeSecret(ports, call, key)
    },
  })
}

/** Moves the secret from the address to a cookie for this purchase alone, so that no history keeps it. */
async function exchangeSecret(ports: TillPorts, call: TillCall, key: string): Promise<PageAnswer> {
  const purchaseId = call.params.purchaseId
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

type BuyPorts = Parameters<typeof completePurchaseAsAgreed>[0] & TillPorts & Pick<Ports, 'gateways'>

/** The purchase has ended, lacks a card, or waits for an outcome: the screen says so, and what to do. */
const SAID_BY_SCREEN: readonly RejectionCode[] = ['PURCHASE_CLOSED', 'PAYMENT_METHOD_REQUIRED', 'CHARGE_IN_PROGRESS']

/** Minor units, as they were shown. */
const Shown = Type.String({ pattern: '^\\d{1,12}$' })
const Buy = Type.Object({ amount: Shown, price: Shown, next: Shown, paymentMethodId: Type.Optional(Uuid) })

/**
 * BUY NOW. Charges at most the amount that the screen showed. If the price has risen, the screen shows the new amount and nothing is charged. A
 * repeated press shows the result.
 */
function buyPage(ports: BuyPorts): AnyPage {
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
          ...(paymentMethodId === undefined ? {} : { paymentMethodId }),
        },
      )
      if (isRejection(completed)) {
        return SAID_BY_SCREEN.includes(completed.rejected) ? redirect(till.path) : cannotBuy(call, till, completed)
      }
      if (!('costs' in completed)) return redirect(till.path)
      const { costs } = completed
      const money = moneyWords({ amount: costs.amount, currency: costs.currency })
      const words = say`Today it is ${money}, since time has passed or your credit was used. Nothing was charged yet: check the new price, then confirm.`
      return offer(ports, call, { ...till, preview: costs }, notice('warn', say`The price has changed`, words))
    },
  })
}

/** The merchant leaves. Too late or pressed twice: the screen shows the result. */
function cancelPage(ports: TillPorts): AnyPage {
  return tillPage(ports, {
    ...{ method: 'POST', path: '/purchases/:purchaseId/cancel', name: 'leavePurchase' },
    async handle(call, { purchase: { purchaseId }, path }) {
      await cancelPurchase({ ...ports, db: call.db }, { purchaseId, isMine: one => one.purchaseId === purchaseId })
      return redirect(path)
    },
  })
}

const CARD_PATH = '/purchases/:purchaseId/card'

/** Another card, without leaving the purchase. */
function cardPages(ports: BuyPorts): AnyPage[] {
  return [
    tillPage(ports, {
      ...{ method: 'GET', path: CARD_PATH, name: 'enterCardForPurchase' },
      async handle(call, till) {
        return mayAdd(ports, till) ? enter(ports, call, till, { once: ports.newId() }) : redirect(till.path)
      },
    }),
    tillPage(ports, {
      ...{ method: 'POST', path: CARD_PATH, name: 'addCardForPurchase' },
      form: CardForm,
      async handle(call, till) {
        return mayAdd(ports, till) ? add(ports, call, till, call.form) : redirect(till.path)
      },
    }),
  ]
}

/** Whether the purchase still has something to pay, so that another card is useful. */
function mayAdd({ clock }: BuyPorts, till: Till): boolean {
  if (till.barred !== undefined) return false
  const { status } = till.purchase
  return status === 'OPEN' || (status === 'COMPLETED' && mayPay(till, clock.now()))
}

async function add(ports: BuyPorts, call: TillCall, till: Till, entered: CardForm): Promise<PageAnswer | Rejection> {
  const entry = await saveEntered(ports, till.business, entered)
  if (isRejection(entry)) return entry
  if ('problems' in entry) return enter(ports, call, till, entry)
  const { businessId } = till.purchase
  const added = await addPaymentMethod(
    { ...ports, db: call.db },
    { businessId, saved: entry.saved, hold: sql => lockBuyer(sql, till.purchase, ports.clock.now()) },
  )
  return isRejection(added) && !isLockedOut(added) ? added : redirect(till.path)
}

async function enter(
  ports: BuyPorts,
  call: TillCall,
  till: Till,
  { problems = {}, ...entered }: CardForm & { readonly problems?: Problems },
): Promise<PageAnswer | Rejection> {
  const entry = await cardEntry(ports, till.business, { csrf: call.csrf, problems, backHref: till.path, ...entered })
  if (isRejection(entry)) return entry
  const isOpen = till.purchase.status === 'OPEN'
  const main = html`<h1>${say`Add a card`}</h1>
<p>${say`It pays for all your subscriptions from now on.`} ${isOpen ? say`Nothing is bought yet.` : say`What is due is charged to it at once.`}</p>
${entry.body}`
  const status = Object.keys(problems).length > 0 ? 400 : 200
  return tillShownOf(call, till, { title: say`Add a card`, main }, { status, ...given({ sources: entry.sources }) })
}

/**
 * Retries the payment of a completed purchase after a decline. A second press finds the first payment in progress. A user who lost access
 * pays nothing, and the screen says so.
 */
function payPage(ports: BuyPorts): AnyPage {
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
          ...{ businessId, paymentMethodId, isAgain: true },
          hold: sql => lockBuyer(sql, purchase, ports.clock.now()),
        },
      )
      return isRejection(chosen) && !isLockedOut(chosen) ? chosen : redirect(path)
    },
  })
}
