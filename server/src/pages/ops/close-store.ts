import { Type } from 'typebox'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findStore } from '../../merchants/businesses/store.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { notice } from '../../platform/web/components/content.ts'
import { buttons, confirmation, linkButton } from '../../platform/web/components/form.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { closeStore } from '../../terminals/terminal-api/close.ts'
import { keepingStoreOpen, subscriptionLinks } from '../subscription-links.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'
import { framed, opsPage } from './ops-page.ts'
import { OPS_SIDE } from './ops-side.ts'

interface StoreId {
  readonly businessId: string
  readonly storeId: string
}

/** Closes a store of a merchant with its terminals, after the same page as for the merchant (`merchant/close-location.ts`). */
export function closeStorePages(ports: Parameters<typeof closeStore>[0]): AnyPage[] {
  const definition = {
    path: `${OPERATOR_PATHS.merchants}/:businessId/stores/:storeId/close`,
    params: Type.Object({ businessId: Uuid, storeId: Uuid }),
    operation: 'businesses.write',
  } as const
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeClosingStoreOfMerchant' },
      handle: call => ask(call, idOf(call.params)),
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'closeStoreOfMerchant' },
      async handle(call) {
        const id = idOf(call.params)
        const closed = await closeStore({ ...ports, db: call.db }, id)
        if (!isRejection(closed)) return redirect(addressOf(merchantOf(id), { done: 'storeClosed' }))
        return closed.rejected === 'STORE_IN_USE' ? ask(call, id, PROBLEMS.STORE_IN_USE.status) : closed
      },
    }),
  ]
}

/** A store with subscriptions has no button: the subscriptions are moved or cancelled first. */
async function ask(
  call: PageCall<unknown, unknown, unknown>,
  id: StoreId,
  status = 200,
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const backHref = merchantOf(id)
  const store = await findStore(sql, id.businessId, id.storeId)
  if (store === null) return reject('STORE_NOT_FOUND', 'The merchant has no store with this id.')
  if (store.status === 'CLOSED') return redirect(backHref)
  const own = await keepingStoreOpen(sql, id)
  const title = `Close ${store.displayName}?`
  const frame = { title, part: 'merchants', width: 'narrow' } as const
  if (own.length > 0) {
    const main = html`<h1>${title}</h1>
${notice('warn', 'This store still has subscriptions. Cancel them, or let the merchant move them to another store, first:')}
${await subscriptionLinks(sql, own, one => pathOfSubscription(OPS_SIDE, one))}
${buttons(linkButton('Go back', backHref))}`
    return framed(call, { ...frame, main }, { status })
  }
  const main = confirmation({
    ...{ title, verb: 'Close the store', isDangerous: true, backHref, csrf: call.csrf },
    words: html`<ul>
<li>All its terminals stop working at once. Everyone is signed out, and open purchases are cancelled.</li>
<li>A closed store cannot be opened again.</li>
<li>Orders and invoices stay.</li></ul>`,
  })
  return framed(call, { ...frame, main })
}

const idOf = ({ businessId, storeId }: StoreId): StoreId => ({
  businessId,
  storeId,
})

const merchantOf = ({ businessId }: StoreId) => `${OPERATOR_PATHS.merchants}/${businessId}`
