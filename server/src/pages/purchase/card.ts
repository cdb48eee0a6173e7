import { Type } from 'typebox'
import { effectiveNow } from '../../core/business.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { addPaymentMethod, gatewayOf, saveAtGateway } from '../../money/billing/payment-method.ts'
import { lockBuyer } from '../../money/billing/purchase.ts'
import { type AnyPage, type PageAnswer, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { cardEntry } from '../merchant/card-entry.ts'
import type { BuyPorts } from './buy.ts'
import { tillShownOf } from './frame.ts'
import { mayPay } from './refused.ts'
import type { Till, TillCall } from './till.ts'
import { isLockedOut, tillPage } from './till-page.ts'

const path = '/purchases/:purchaseId/card'

/** Another card, without leaving the purchase. */
export function cardPages(ports: BuyPorts): AnyPage[] {
  return [
    tillPage(ports, {
      ...{ method: 'GET', path, name: 'enterCardForPurchase' },
      async handle(call, till) {
        return mayAdd(ports, till) ? enter(ports, call, till, { once: ports.newId() }) : redirect(till.path)
      },
    }),
    tillPage(ports, {
      ...{ method: 'POST', path, name: 'addCardForPurchase' },
      form: Type.Object({ once: Uuid, token: Type.Optional(Type.String({ maxLength: 255 })) }),
      async handle(call, till) {
        return mayAdd(ports, till) ? add(ports, call, till, call.form) : redirect(till.path)
      },
    }),
  ]
}

/** While there is something to pay for. */
function mayAdd({ clock }: BuyPorts, till: Till): boolean {
  if (till.barred !== undefined) return false
  const { status } = till.purchase
  return status === 'OPEN' || (status === 'COMPLETED' && mayPay(till, clock.now()))
}

interface Entered {
  readonly once: string
  readonly token?: string
}

async function add(ports: BuyPorts, call: TillCall, till: Till, entered: Entered): Promise<PageAnswer | Rejection> {
  const { once, token = '' } = entered
  const { businessId } = till.purchase
  if (token === '') return enter(ports, call, till, { once, problems: { token: 'Choose a card.' } })
  const gateway = gatewayOf(ports.gateways, till.business.type)
  // Of the form and what was entered: sent twice it is one, and with another card another one.
  const saved = await saveAtGateway(ports, { businessId, gateway, token, key: `${once} ${token}` })
  if (isRejection(saved)) {
    const problem = PROBLEMS_OF_SAVING[saved.rejected]
    if (problem === undefined) return saved
    // A new try is another form: what this one began at the gateway is used up.
    return enter(ports, call, till, { token, once: ports.newId(), problems: { token: problem } })
  }
  const added = await addPaymentMethod(
    { ...ports, db: call.db },
    { businessId, saved, hold: sql => lockBuyer(sql, till.purchase, ports.clock.now()) },
  )
  return isRejection(added) && !isLockedOut(added) ? added : redirect(till.path)
}

const PROBLEMS_OF_SAVING: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_PARAMETER: 'This card could not be read. Please enter it again.',
  PAYMENT_METHOD_DECLINED: 'The bank refused this card. Try another one.',
}

async function enter(
  ports: BuyPorts,
  call: TillCall,
  till: Till,
  { problems = {}, ...entered }: Entered & { readonly problems?: Problems },
): Promise<PageAnswer | Rejection> {
  const { business } = till
  const { businessId, timezone } = business
  const shop = { businessId, business, timezone, now: effectiveNow(business, ports.clock.now()), may: () => true }
  const entry = await cardEntry(ports, shop, { csrf: call.csrf, problems, backHref: till.path, ...entered })
  if (isRejection(entry)) return entry
  const isOpen = till.purchase.status === 'OPEN'
  const main = html`<h1>Add a card</h1>
<p>It pays for all your subscriptions from now on. ${isOpen ? 'Nothing is bought yet.' : 'What is due is charged to it at once.'}</p>
${entry.body}`
  const status = Object.keys(problems).length > 0 ? { status: 400 } : {}
  const sources = entry.sources ? { sources: entry.sources } : {}
  return tillShownOf(call, till, { title: 'Add a card', main }, { ...status, ...sources })
}
