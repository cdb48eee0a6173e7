import type { Plan } from '../../core/plan.ts'
import type { PurchasePreview } from '../../core/preview.ts'
import { price } from '../../platform/web/components/content.ts'
import { dayWords, everyWords, moneyWords, withTaxWords } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { say } from '../../platform/web/say.ts'

interface Shown {
  readonly title: Html
  readonly bill?: Part
  readonly points: readonly string[]
}

/** A plan as the purchase screen shows it: name, description, price, and the consequences in short sentences. */
export function planTerms(plan: Plan, preview: PurchasePreview, { title, bill, points }: Shown): Html {
  return html`${title}
${plan.description && html`<p>${plan.description}</p>`}
${price({ ...plan, amount: preview.price, currency: preview.currency, ...(preview.tax && { tax: preview.tax }) })}
${bill}
<ul class="points">${points.map(words => html`<li>${words}</li>`)}</ul>`
}

/** The consequences of a first purchase, for a payer who reads once. */
export function firstWords(plan: Plan, preview: PurchasePreview, timezone?: string): string[] {
  return [...startWords(plan, preview, timezone), ...endWords(plan, preview)]
}

function startWords(plan: Plan, preview: PurchasePreview, timezone: string | undefined): string[] {
  const { price, amount, currency, trialEndAt, next, tax } = preview
  const each = `${moneyWords({ amount: price, currency })}${withTaxWords(tax)} ${everyWords(plan)}`
  if (trialEndAt !== undefined) {
    const days = plan.trialPeriodDays
    const free = days === 1 ? say`1 day` : say`${days} days`
    if (price === 0) return [say`Free for ${free}, and free afterwards.`]
    const first = say`First charge: ${nextWords(preview, timezone)}.`
    return [say`Free for ${free}, then ${each}.`, next === undefined ? creditedWords(preview) : first]
  }
  if (price === 0) return [say`Nothing is charged.`]
  const then =
    next === undefined ? creditedWords(preview) : say`Then ${each}: the next charge is ${nextWords(preview, timezone)}.`
  if (amount === 0) return [say`Your credit pays for it today.`, then]
  return [say`${moneyWords({ amount, currency })} is charged today.`, then]
}

/** The effect of a later cancellation, shown before the purchase. */
function endWords(plan: Plan, { price, trialEndAt }: PurchasePreview): string[] {
  if (price === 0) return [say`You can cancel at any time.`]
  const after =
    plan.cancelPolicy === 'BILLING'
      ? say`You can cancel at any time and use it until the end of the paid period.`
      : say`You can cancel at any time. It then ends at once, without a refund.`
  return trialEndAt === undefined ? [after] : [say`If you cancel before the first charge, you pay nothing.`, after]
}

/** "$5.00 on 12 March 2026", with a note if credit reduces the amount. */
export function nextWords({ next, price, tax, currency }: PurchasePreview, timezone?: string): string {
  if (next === undefined) return say`nothing`
  const money = moneyWords({ amount: next.amount, currency })
  const day = dayWords(next.at, timezone)
  return next.amount < (tax?.gross ?? price) ? say`${money} on ${day}, after your credit` : say`${money} on ${day}`
}

export function creditedWords({ price }: PurchasePreview): string {
  return price === 0 ? say`Nothing is charged later, either.` : say`Your credit pays for the next charge, too.`
}
