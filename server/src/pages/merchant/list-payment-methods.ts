import { Type } from 'typebox'
import { listPaymentMethods, type PaymentMethod } from '../../money/payment-methods/store.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { button, linkButton } from '../../platform/web/components/button.ts'
import { badge } from '../../platform/web/components/card.ts'
import { emptyState, notice } from '../../platform/web/components/notice.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { framed, PATHS } from './frame.ts'
import { ownPage, type Shop } from './own-page.ts'
import { findOwed, MOST_PAYING, payingOf } from './paying.ts'

/** Of a page that waits for a gateway's answer. */
const LOOK_AGAIN_SECONDS = 3

/** What was just done, and the invoices that are charged because of it. */
const Done = Type.Object({
  done: Type.Optional(Type.Enum(['added', 'chosen'])),
  paying: Type.Optional(Type.String({ pattern: `^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,${MOST_PAYING - 1}}$` })),
})

/** What the merchant pays with, and what came of the last change. */
export function listPaymentMethodsPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return ownPage(ports, {
    method: 'GET',
    path: PATHS.paymentMethods,
    name: 'showOwnPaymentMethods',
    operation: 'businesses.read',
    query: Done,
    async handle(call, shop) {
      const { done, paying } = call.query
      const methods = await listPaymentMethods(call.db.sql, shop.businessId)
      const came = await payingOf(call, shop, paying?.split(',').filter(isUuid) ?? [])
      const owes = (await findOwed(call.db.sql, shop)).length > 0 && paying === undefined
      const main = html`<h1>Payment methods</h1>
${done !== undefined && methods.length > 0 && notice('good', done === 'added' ? 'Added' : 'Changed', `${methods[0]?.label} pays from now on.`)}
${came.words}
${owes && notice('bad', 'A payment failed', 'As soon as you choose or add another payment method, what is due is charged to it.')}
${methods.length === 0 ? nothing() : list(call.csrf, shop, methods, owes)}
${shop.may('paymentMethods.manage') && html`<p>${linkButton('Add a payment method', `${PATHS.paymentMethods}/add`, { kind: 'primary' })}</p>`}`
      const waits = came.isUnderWay ? { looksAgainEach: LOOK_AGAIN_SECONDS } : {}
      return framed(call, shop, { title: 'Payment methods', part: 'paymentMethods', main, ...waits })
    },
  })
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

function nothing(): Html {
  return emptyState('No payment method', 'Add one before your first payment is due.')
}

function list(csrf: string, shop: Shop, methods: readonly PaymentMethod[], owes: boolean): Html {
  return html`<ul class="rows">${methods.map(
    (method, i) => html`
<li class="row"><span><strong>${method.label}</strong> ${i === 0 && badge('Pays', 'good')}</span>
${i > 0 && shop.may('paymentMethods.manage') && choose(csrf, method, owes)}</li>`,
  )}
</ul>`
}

function choose(csrf: string, { paymentMethodId, label }: PaymentMethod, owes: boolean): Html {
  const action = `${PATHS.paymentMethods}/${paymentMethodId}/default`
  const text = owes ? 'Pay with this now' : 'Pay with this'
  return html`<form ${{ method: 'post', action }}><input type="hidden" name="csrf" value="${csrf}">${button(text, { size: 'small', about: label })}</form>`
}
