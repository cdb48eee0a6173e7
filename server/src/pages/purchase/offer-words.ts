import type { Plan } from '../../core/plan.ts'
import type { PurchasePreview } from '../../core/preview.ts'
import type { Subscription } from '../../core/subscription.ts'
import { dayWords } from '../../platform/web/dates.ts'
import { moneyWords, trialWords } from '../../platform/web/money.ts'
import type { Till } from './till.ts'

/** The subscription that is changed or kept, and its plan. */
export interface Before {
  readonly subscription: Subscription
  readonly plan: Plan
}

/** What happens when it is pressed, a sentence or two a point: for somebody who pays, and reads it once. */
export function offerWords(till: Till, preview: PurchasePreview, before: Before | undefined): string[] {
  if (till.purchase.kind === 'RESTORE') return keepWords(till, preview, before)
  if (till.purchase.kind === 'REPLACE') return changeWords(till, preview, before)
  return [...startWords(till, preview), ...endWords(till, preview)]
}

function startWords({ plan, business: { timezone } }: Till, preview: PurchasePreview): string[] {
  const { price, amount, currency, trialEndAt, next } = preview
  const each = `${moneyWords({ amount: price, currency })} per ${plan.interval.toLowerCase()}`
  if (trialEndAt !== undefined) {
    const free = trialWords(plan.trialPeriodDays).replace(/ free$/, '')
    if (price === 0) return [`Free for ${free}, and free afterwards.`]
    const first = `First charge: ${nextWords(preview, timezone)}.`
    return [`Free for ${free}, then ${each}.`, next === undefined ? credited(preview) : first]
  }
  if (price === 0) return ['Nothing is charged.']
  const then =
    next === undefined ? credited(preview) : `Then ${each}: the next charge is ${nextWords(preview, timezone)}.`
  if (amount === 0) return ['Your credit pays for it today.', then]
  return [`${moneyWords({ amount, currency })} is charged today.`, then]
}

function changeWords({ plan, business: { timezone } }: Till, preview: PurchasePreview, before: Before | undefined) {
  const { price, amount, currency, trialEndAt, creditGranted, creditBalance } = preview
  const money = (value: number) => moneyWords({ amount: value, currency })
  const said = [`It takes the place of ${before?.plan.name ?? 'your plan'} at once.`]
  if (trialEndAt !== undefined)
    said.push(`Your free trial goes on until ${dayWords(trialEndAt, timezone)}. Nothing is charged today.`)
  if (creditGranted > 0) said.push(`For the paid time that you do not use you get ${money(creditGranted)} as credit.`)
  if (trialEndAt === undefined)
    said.push(amount === 0 ? 'Nothing is charged today.' : `${money(amount)} is charged today.`)
  if (creditBalance > 0) said.push(`${money(creditBalance)} of credit is left for your next invoices.`)
  const then = `Then ${money(price)} per ${plan.interval.toLowerCase()}: the next charge is ${nextWords(preview, timezone)}.`
  if (price > 0) said.push(preview.next === undefined ? credited(preview) : then)
  return said
}

function keepWords({ business: { timezone } }: Till, preview: PurchasePreview, before: Before | undefined): string[] {
  const cancelAt = before?.subscription.cancelAt
  return [
    cancelAt === undefined ? 'You cancelled it.' : `You cancelled it: it would end on ${dayWords(cancelAt, timezone)}.`,
    'If you keep it, it goes on as before. Nothing is charged today.',
    preview.next === undefined ? credited(preview) : `Next charge: ${nextWords(preview, timezone)}.`,
  ]
}

/** What cancelling will do, said before anything is bought. */
function endWords({ plan }: Till, { price, trialEndAt }: PurchasePreview): string[] {
  if (price === 0) return ['You can cancel at any time.']
  const after =
    plan.cancelPolicy === 'BILLING'
      ? 'You can cancel at any time: it then goes on until the end of what is paid.'
      : 'You can cancel at any time: it then ends at once, and what is paid is not paid back.'
  return trialEndAt === undefined ? [after] : ['If you cancel before the first charge, you pay nothing.', after]
}

/** "$5.00 on 12 March 2026", with a word where credit makes it less. */
function nextWords({ next, price, currency }: PurchasePreview, timezone: string): string {
  if (next === undefined) return 'nothing'
  const less = next.amount < price ? ', after your credit' : ''
  return `${moneyWords({ amount: next.amount, currency })} on ${dayWords(next.at, timezone)}${less}`
}

function credited({ price }: PurchasePreview): string {
  return price === 0 ? 'Nothing is charged later, either.' : 'Your credit pays for the next charge, too.'
}
