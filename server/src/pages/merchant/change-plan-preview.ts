import { type Plan, priceIn } from '../../core/plan.ts'
import type { Preview } from '../../core/preview.ts'
import type { Subscription } from '../../core/subscription.ts'
import { button, buttons, linkButton } from '../../platform/web/components/button.ts'
import { facts } from '../../platform/web/components/facts.ts'
import { form } from '../../platform/web/components/form.ts'
import { receipt } from '../../platform/web/components/price.ts'
import { dayWords } from '../../platform/web/dates.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { moneyWords, priceWords } from '../../platform/web/money.ts'
import type { When } from './change-plan-choice.ts'
import { PATHS } from './frame.ts'
import type { Shop } from './own-page.ts'

export interface ShownPreview {
  readonly subscription: Subscription
  readonly current: Pick<Plan, 'name'>
  readonly plan: Plan
  readonly when: When
  readonly preview: Preview
}

/** What a change brings, line by line, and the button that agrees to it. */
export function changePreview(csrf: string, shop: Shop, shown: ShownPreview): Html {
  const { subscription, plan, when, preview, current } = shown
  const path = `${PATHS.subscriptions}/${subscription.subscriptionId}/change`
  const chargedNow = when === 'NOW' ? preview.amount : 0
  return html`<h1>Change to ${plan.name}?</h1>
${facts(knownOf(shop, shown))}
${preview.lines.length > 0 && bill(shop, shown)}
${words(shop, shown).map(sentence => html`<p>${sentence}</p>`)}
${form({
  csrf,
  action: path,
  hidden: { planId: plan.planId, when, amount: String(chargedNow) },
  body: buttons(
    button(verbOf(shown, chargedNow), { kind: 'primary' }),
    linkButton('Choose again', `${path}?planId=${plan.planId}&when=${when}`),
    linkButton(`Stay on ${current.name}`, `${PATHS.subscriptions}/${subscription.subscriptionId}`, { kind: 'quiet' }),
  ),
})}`
}

function knownOf({ timezone }: Shop, { subscription, current, plan, when, preview }: ShownPreview) {
  const price = priceIn(plan, subscription.country)
  const { amount, currency } = { amount: price?.value ?? 0, currency: subscription.currency }
  return [
    ['Now', current.name],
    ['Then', html`<strong>${plan.name}</strong>`],
    ['Price', priceWords({ amount, currency, interval: plan.interval, scope: plan.scope })],
    ['From', when === 'NOW' ? 'now' : dayWords(preview.effectiveAt, timezone)],
  ] as (readonly [string, Part])[]
}

/** The lines of the invoice, as it will be. */
function bill({ timezone }: Shop, { when, preview }: ShownPreview): Html {
  const { lines, amount, currency } = preview
  return receipt({
    currency,
    lines: lines.map(line => ({
      text: line.description,
      detail: `${dayWords(line.periodStart, timezone)} to ${dayWords(line.periodEnd, timezone)}`,
      amount: line.amount,
    })),
    total: { text: when === 'NOW' ? 'Charged today' : `Charged on ${dayWords(preview.effectiveAt, timezone)}`, amount },
  })
}

function words(shop: Shop, shown: ShownPreview): Html[] {
  const { timezone } = shop
  const { subscription, plan, when, preview } = shown
  const { creditGranted, creditBalance, currency, lines } = preview
  const money = (amount: number) => moneyWords({ amount, currency })
  const isTrial = subscription.phase === 'TRIAL' && when === 'NOW'
  const price = priceIn(plan, subscription.country)?.value ?? 0
  const day = dayWords(subscription.currentPeriodEnd, timezone)
  return [
    isTrial &&
      html`Nothing is charged today. Your free trial goes on until ${day}${price > 0 && html`; then ${money(price)} is charged`}.`,
    when === 'NOW' &&
      creditGranted > 0 &&
      (creditBalance > 0
        ? html`For the time that you paid for and do not use you get ${money(creditGranted)} as credit.`
        : html`For the time that you paid for and do not use, ${money(creditGranted)} is taken off.`),
    creditBalance > 0 &&
      html`After this, ${money(creditBalance)} of credit is left. It is taken off your next invoices.`,
    when === 'PERIOD_END' && html`Nothing is charged today.`,
    when === 'NOW' && nextWords(shop, shown, price),
    when === 'NOW' && !isTrial && lines.length === 0 && html`Nothing is charged.`,
  ].filter(sentence => sentence instanceof Object)
}

/** When the new plan's first period is over: less whatever credit is left then. */
function nextWords({ timezone }: Shop, { preview }: ShownPreview, price: number): Html | false {
  const { currency, creditBalance, lines } = preview
  const end = lines.find(({ kind }) => kind === 'PLAN')?.periodEnd
  if (end === undefined) return false
  const amount = Math.max(0, price - creditBalance)
  return html`Next charge: ${moneyWords({ amount, currency })} on ${dayWords(end, timezone)}.`
}

function verbOf({ preview: { currency }, when }: ShownPreview, chargedNow: number): string {
  if (when === 'PERIOD_END') return 'Arrange the change'
  return chargedNow > 0 ? `Pay ${moneyWords({ amount: chargedNow, currency })} and change now` : 'Change now'
}
