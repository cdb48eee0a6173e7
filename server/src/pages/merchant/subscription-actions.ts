import { button, linkButton } from '../../platform/web/components/button.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { PATHS } from './frame.ts'
import type { Shop } from './own-page.ts'
import type { ShownSubscription } from './own-subscriptions.ts'

/** What can be done to a subscription as it stands, by this person. Each leads to a page that asks first, or undoes. */
export function subscriptionActions(csrf: string, shop: Shop, { foreseen }: ShownSubscription): Html | false {
  const { subscription, plan, pendingPlan } = foreseen
  if (subscription.status === 'ENDED') return false
  const path = `${PATHS.subscriptions}/${subscription.subscriptionId}`
  const ends = subscription.cancelAt !== undefined
  const isPastDue = subscription.paymentStatus === 'PAST_DUE'
  const mayChange = shop.may('subscriptions.change')
  const actions = [
    isPastDue &&
      shop.may('paymentMethods.manage') &&
      linkButton('Change payment method', PATHS.paymentMethods, { kind: 'primary' }),
    ends &&
      shop.may('subscriptions.restore') &&
      post(`${path}/restore`, csrf, button('Keep it after all', { kind: 'primary' })),
    pendingPlan && mayChange && post(`${path}/keep`, csrf, button(`Stay on ${plan.name}`)),
    !ends && !isPastDue && mayChange && linkButton('Change plan', `${path}/change`),
    !ends && shop.may('subscriptions.cancel') && linkButton('Cancel subscription', `${path}/cancel`, { kind: 'quiet' }),
  ].filter(action => action !== false && action !== undefined)
  return actions.length > 0 && html`<div class="buttons">${actions}</div>`
}

/** A form that is only a button. */
function post(action: string, csrf: string, pressed: Html): Html {
  return html`<form ${{ method: 'post', action }}><input type="hidden" name="csrf" value="${csrf}">${pressed}</form>`
}
