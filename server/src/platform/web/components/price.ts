import { type Html, html, type Part } from '../html.ts'
import { moneyWords, perWords, type Recurring } from '../money.ts'

/** The price of a plan, large, and what it is for. */
export function price(recurring: Recurring): Html {
  if (recurring.amount === 0)
    return html`<p class="price"><strong>Free</strong> <span>no payment method needed</span></p>`
  return html`<p class="price"><strong>${moneyWords(recurring)}</strong> <span>${perWords(recurring)}</span></p>`
}

export interface ReceiptLine {
  readonly text: Part
  readonly detail?: Part
  readonly amount: number
}

export interface ReceiptOptions {
  readonly lines: readonly ReceiptLine[]
  readonly total: { readonly text: string; readonly amount: number }
  readonly currency: string
}

/** What is to be paid and why, as a till prints it. */
export function receipt({ lines, total, currency }: ReceiptOptions): Html {
  return html`<div class="receipt"><dl>
${lines.map(
  ({ text, detail, amount }) => html`<div class="receipt-line">
<dt>${text}${detail && html`<small>${detail}</small>`}</dt><dd>${moneyWords({ amount, currency })}</dd>
</div>`,
)}
<div class="receipt-line receipt-total"><dt>${total.text}</dt><dd>${moneyWords({ amount: total.amount, currency })}</dd></div>
</dl></div>`
}
