import { assert } from '../../core/assert.ts'
import { effectiveNow } from '../../core/business.ts'
import { forecastNext } from '../../money/billing/forecast.ts'
import { findInvoice } from '../../money/invoices/store.ts'
import { outcomeOf } from '../../money/purchases/purchases.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { PageAnswer } from '../../platform/http/page.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { facts } from '../../platform/web/components/facts.ts'
import { dayWords } from '../../platform/web/dates.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { moneyWords } from '../../platform/web/money.ts'
import type { Bought } from './bought.ts'
import { tillShownOf } from './frame.ts'
import { refusedResult } from './refused.ts'
import type { Till, TillCall, TillPorts } from './till.ts'

/** Of a page that waits for a bank's answer. */
const WAITING = { looksAgainEach: 3 }

/** What became of a completed purchase, as far as it is known by now. */
export async function result(ports: TillPorts, call: TillCall, till: Till): Promise<PageAnswer> {
  const { purchase, business } = till
  assert(purchase.subscriptionId, 'what is completed has its subscription')
  const { sql } = ports.db
  const subscription = await findSubscription(sql, purchase.subscriptionId)
  assert(subscription, 'a subscription is never deleted')
  const [foreseen] = await forecastNext(sql, [subscription], effectiveNow(business, ports.clock.now()))
  const invoice = purchase.invoiceId === undefined ? null : await findInvoice(sql, purchase.invoiceId)
  assert(foreseen, 'foresee: one for each')
  const bought = { till, foreseen, invoice }
  const outcome = await outcomeOf(ports, purchase)
  switch (outcome.status) {
    case 'NOTHING_DUE':
    case 'PAID':
      return tillShownOf(call, till, { title: 'Done', main: done(bought) })
    case 'PENDING':
      return tillShownOf(call, till, { title: 'Being confirmed', main: pending(bought) }, WAITING)
    case 'ACTION_REQUIRED':
      return tillShownOf(call, till, { title: 'Your bank asks you', main: asked(bought, outcome.actionUrl) }, WAITING)
    case 'DECLINED':
      return tillShownOf(call, till, {
        title: 'Payment refused',
        main: refusedResult(call, bought, { reason: outcome.reason, now: ports.clock.now() }),
      })
  }
}

function done({ till, foreseen, invoice }: Bought): Html {
  const { plan, app, business } = till
  const { subscription, nextCharge } = foreseen
  const { currency, trialEndAt, phase } = subscription
  const known: (readonly [string, Part])[] = [
    ['Charged', invoice === null ? 'nothing' : moneyWords({ amount: invoice.amountPaid, currency })],
  ]
  if (phase === 'TRIAL' && trialEndAt) known.push(['Free until', dayWords(trialEndAt, business.timezone)])
  if (nextCharge) {
    const next = `${moneyWords({ amount: nextCharge.amount, currency })} on ${dayWords(nextCharge.at, business.timezone)}`
    known.push(['Next charge', next])
  }
  return html`<div class="result good">${tick()}<h1>${doneTitle(till)}</h1></div>
<p class="lead">${plan.name} is yours to use.</p>
${facts(known)}
<p>Go back to ${app.name}: you can close this page.</p>`
}

function doneTitle({ purchase: { kind } }: Till): string {
  if (kind === 'RESTORE') return 'Done: it goes on'
  return kind === 'REPLACE' ? 'Done: plan changed' : 'Done'
}

function pending({ till: { app, path }, invoice }: Bought): Html {
  return html`<h1>The payment is being confirmed</h1>
<p class="lead">${money(invoice)} is on its way. The bank has not answered yet.</p>
<p>This page looks again by itself. Please do not pay again: nothing is charged twice.</p>
<p>You need not wait for it: you can use ${app.name} already.</p>
<p>${linkButton('Look again now', path, { size: 'small' })}</p>`
}

function asked({ invoice }: Bought, actionUrl: string | undefined): Html {
  return html`<h1>Your bank asks you to confirm</h1>
<p class="lead">${money(invoice)} is paid once you have confirmed it with your bank.</p>
${actionUrl !== undefined && html`<p>${linkButton('Confirm with your bank', actionUrl, { kind: 'primary', size: 'large' })}</p>`}
<p>Then come back: this page looks again by itself. Nothing is charged twice.</p>`
}

function money(invoice: Bought['invoice']): string {
  return invoice === null ? 'The payment' : moneyWords(invoice)
}

/** Decoration: the words stand beside it. */
function tick(): Html {
  return html`<svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M7 12.5l3.4 3.4L17 9"/></svg>`
}
