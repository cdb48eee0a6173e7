import { Type } from 'typebox'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { addPaymentMethod, choosePaymentMethod, gatewayOf, saveAtGateway } from '../../money/billing/payment-method.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import type { Problems } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { cardEntry } from './card-entry.ts'
import { framed, PATHS } from './frame.ts'
import { ownPage, type Shop } from './own-page.ts'
import { findOwed } from './paying.ts'

type ChangePorts = Parameters<typeof addPaymentMethod>[0] & Pick<Ports, 'gateways'>

const path = `${PATHS.paymentMethods}/add`
const operation = 'paymentMethods.manage'

/** Another payment method: a new one, or one that is there. What is past due is charged to it at once. */
export function changePaymentMethodPages(ports: ChangePorts): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, operation, name: 'enterPaymentMethod' },
      handle: (call, shop) => enter(ports, call, shop, { once: ports.newId() }),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path, operation, name: 'addOwnPaymentMethod' },
      form: Type.Object({ once: Uuid, token: Type.Optional(Type.String({ maxLength: 255 })) }),
      handle: (call, shop) => add(ports, call, shop, call.form),
    }),
    ownPage(ports, {
      ...{ method: 'POST', path: `${PATHS.paymentMethods}/:paymentMethodId/default`, operation },
      name: 'chooseOwnPaymentMethod',
      params: Type.Object({ paymentMethodId: Uuid }),
      async handle(call, shop) {
        const { businessId } = shop
        const owed = await findOwed(call.db.sql, shop)
        const { paymentMethodId } = call.params
        const chosen = await choosePaymentMethod({ ...ports, db: call.db }, { businessId, paymentMethodId })
        return isRejection(chosen) ? chosen : redirect(doneAddress('chosen', owed))
      },
    }),
  ]
}

interface Entered {
  readonly once: string
  readonly token?: string
}

async function add(
  ports: ChangePorts,
  call: PageCall<unknown, unknown, unknown>,
  shop: Shop,
  { once, token = '' }: Entered,
): Promise<PageAnswer | Rejection> {
  const { businessId, business } = shop
  const entered = { once, token }
  if (token === '') return enter(ports, call, shop, { ...entered, problems: { token: 'Choose a card.' } })
  const gateway = gatewayOf(ports.gateways, business.type)
  // Of the form and what was entered: sent twice it is one, and with another card another one.
  const key = `${once} ${token}`
  const saved = await saveAtGateway(ports, { businessId, gateway, token, key })
  if (isRejection(saved)) {
    const problem = PROBLEMS_OF_SAVING[saved.rejected]
    if (problem === undefined) return saved
    // A new try is another form: what this one began at the gateway is used up.
    return enter(ports, call, shop, { ...entered, once: ports.newId(), problems: { token: problem } })
  }
  const owed = await findOwed(call.db.sql, shop)
  const added = await addPaymentMethod({ ...ports, db: call.db }, { businessId, saved })
  return isRejection(added) ? added : redirect(doneAddress('added', owed))
}

const PROBLEMS_OF_SAVING: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_PARAMETER: 'This card could not be read. Please enter it again.',
  PAYMENT_METHOD_DECLINED: 'The bank refused this card. Try another one.',
}

async function enter(
  ports: ChangePorts,
  call: PageCall<unknown, unknown, unknown>,
  shop: Shop,
  { once, token, problems = {} }: Entered & { readonly problems?: Problems },
): Promise<PageAnswer | Rejection> {
  const { csrf } = call
  const entry = await cardEntry(ports, shop, { csrf, once, token, problems, backHref: PATHS.paymentMethods })
  if (isRejection(entry)) return entry
  const main = html`<h1>Add a payment method</h1>
<p class="lead">From then on, it pays for all your subscriptions. If a payment has failed, it is charged at once.</p>
${entry.body}`
  const status = Object.keys(problems).length > 0 ? { status: 400 } : {}
  const sources = entry.sources ? { sources: entry.sources } : {}
  const frame = { title: 'Add a payment method', part: 'paymentMethods', width: 'narrow', main } as const
  return framed(call, shop, frame, { ...status, ...sources })
}

function doneAddress(done: 'added' | 'chosen', owed: readonly string[]): string {
  const paying = owed.length > 0 ? `&paying=${owed.join(',')}` : ''
  return `${PATHS.paymentMethods}?done=${done}${paying}`
}
