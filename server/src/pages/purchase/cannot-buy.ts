import { type Rejection, reject } from '../../core/rejection.ts'
import type { PageAnswer } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { html } from '../../platform/web/html.ts'
import { tillShownOf } from './frame.ts'
import type { Till, TillCall } from './till.ts'

/** Things are no longer as they were when the purchase was opened: why, and what to do. Nothing was charged. */
export function cannotBuy(
  call: TillCall,
  till: Till,
  rejection: Rejection = reject('PURCHASE_CLOSED', ''),
): PageAnswer {
  const { rejected: refused } = rejection
  const { message } = PROBLEMS[refused]
  // 401 is for tokens, which no browser has here.
  const status = refused === 'INVALID_USER_SESSION' ? 403 : PROBLEMS[refused].status
  const main = html`<h1>This cannot be bought now</h1>
<p class="lead">${SAID[refused] ?? message}</p>
<p>Nothing was bought, and nothing was charged. ${ADVICE[refused] ?? `Go back to ${till.app.name} and look again.`}</p>
<form method="post" action="${till.path}/cancel"><input type="hidden" name="csrf" value="${call.csrf}"><button class="button large" type="submit">Close</button></form>`
  // Under way: it may be possible in a moment.
  const waits = refused === 'CHARGE_IN_PROGRESS' ? { looksAgainEach: 5 } : {}
  return tillShownOf(call, till, { title: 'Not possible now', main }, { status, ...waits })
}

const SAID: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_USER_SESSION: 'Whoever started this is not signed in on the terminal any more.',
  FORBIDDEN: 'Whoever started this may not buy here any more: that is for a manager to do.',
  ALREADY_SUBSCRIBED: 'You have this plan already. Perhaps it was bought on another screen.',
  SAME_PLAN: 'You are on this plan already.',
  NOT_SCHEDULED_TO_CANCEL: 'The subscription is not cancelled: it goes on.',
  ALREADY_ENDED: 'The subscription has ended meanwhile.',
  PAYMENT_DUE: 'A payment of your subscription has failed, and comes first.',
  CHARGE_IN_PROGRESS: 'A payment of your subscription is under way.',
  CANCEL_SCHEDULED: 'The subscription was cancelled, and is about to end.',
  PLAN_RETIRED: 'This plan is no longer sold.',
  APPLICATION_DISABLED: 'This app takes no new subscribers at the moment.',
}

const ADVICE: Partial<Record<Rejection['rejected'], string>> = {
  INVALID_USER_SESSION: 'Sign in on the terminal, then start again in the app.',
  FORBIDDEN: 'Ask a manager to sign in on the terminal and to start again in the app.',
  PAYMENT_DUE: 'Change the payment method of the subscription, then try again.',
  CHARGE_IN_PROGRESS: 'This page looks again by itself.',
  CANCEL_SCHEDULED: 'Keep it first, then change the plan.',
  ALREADY_ENDED: 'Subscribe again to go on.',
  PLAN_RETIRED: 'Choose another plan in the app.',
}
