import type { AppliedTax } from '../../../core/tax.ts'
import { moneyWords, perWords, type Recurring, withTaxWords } from '../format.ts'
import { type Html, html, type Part } from '../html.ts'
import { say } from '../say.ts'
import { surroundings } from '../surroundings.ts'
import { addressOf } from './table.ts'

/** A list item with a title. */
export function card({ title, badge, body }: { title: string; badge?: Html; body: Part }): Html {
  return html`<section class="card">
<div class="card-head"><h2>${title}</h2>${badge}</div>
${body}
</section>`
}

/** Several things side by side where there is room. */
export function cards(items: readonly Html[]): Html {
  return html`<ul class="cards">${items.map(item => html`<li>${item}</li>`)}</ul>`
}

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

/** A state as a word; the colour only supports the word. */
export function badge(text: string, tone: Tone = 'plain'): Html {
  return html`<span class="badge ${tone}">${text}</span>`
}

export interface AppFace {
  readonly name: string
  readonly developer: string
  /** A URL of Tillhook, or an image as data. Absent: the first letter of the name. */
  readonly iconUrl?: string
}

/** An app's icon, name and developer. `level`: heading level of the name. */
export function appFace({ name, developer, iconUrl }: AppFace, level: 1 | 2 | 3 = 2): Html {
  const icon =
    iconUrl === undefined
      ? html`<span class="app-icon" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span>`
      : html`<img ${{ class: 'app-icon', src: iconUrl, alt: '', width: 52, height: 52 }}>`
  return html`<div class="app">${icon}<div>${headingOf(level, name)}<p class="fine">${say`by ${developer}`}</p></div></div>`
}

function headingOf(level: 1 | 2 | 3, text: string): Html {
  if (level === 1) return html`<h1>${text}</h1>`
  return level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`
}

/** A message beside the content of the page. `bad` and `warn` ask for an action. */
export function notice(kind: 'good' | 'warn' | 'bad', title: string, words?: Part): Html {
  return html`<div ${{ class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : 'status' }}>
<p class="notice-title">${title}</p>
${words && html`<p>${words}</p>`}
</div>`
}

/** The parameters of an address that say what a form has done. */
const OUTCOMES = ['done', 'said', 'sent', 'skipped', 'retried']

/**
 * What the form before this page did. The toast stays until the person closes the toast or goes on: nobody has to read fast (WCAG 2.2.1).
 * Messages that ask for an action are notices.
 */
export function toast(title: string, words?: Part): Html {
  const [path = '', query] = surroundings().address.split('?')
  const kept = [...new URLSearchParams(query)].filter(([name]) => !OUTCOMES.includes(name))
  return html`<div class="notice good toast" role="status">
<p class="notice-title">${title}</p>
${words && html`<p>${words}</p>`}
<a class="toast-close" href="${addressOf(path, Object.fromEntries(kept))}" aria-label="${say`Close`}"></a>
</div>`
}

/** An empty list with its next step. */
export function emptyState(title: string, words: Part, action?: Html): Html {
  return html`<div class="empty">
<h2>${title}</h2>
<p>${words}</p>
${action}
</div>`
}

/** An empty list of a search. */
export function nothingFound(q: string): Html {
  return emptyState(
    say`Nothing found for “${q}”`,
    say`Search for the beginning of a word, a whole id or a whole number.`,
  )
}

/** A name with its value. Nothing: there is no such fact here. */
export type Fact = readonly [name: string, value: Part] | false | null | undefined

export function facts(pairs: readonly Fact[]): Html {
  return html`<dl class="facts">
${pairs.map(pair => pair && html`<dt>${pair[0]}</dt><dd>${pair[1]}</dd>`)}
</dl>`
}

/** Text of a program, line by line. */
export function listing(text: string): Html {
  return html`<pre class="listing"><code>${text}</code></pre>`
}

/** A value to copy exactly: a key, a link. The button needs script. */
export function copyable(id: string, text: string, about: string): Html {
  return html`<p class="copy"><code ${{ id }}>${text}</code><button ${{ type: 'button', class: 'button plain small', 'data-copy': id, 'aria-label': say`Copy ${about}` }}>${say`Copy`}</button></p>`
}

/** A plan's price, large, with the interval. */
export function price({ tax, ...recurring }: Recurring & { readonly tax?: AppliedTax }): Html {
  if (recurring.amount === 0)
    return html`<p class="price"><strong>${say`Free`}</strong> <span>${say`no payment method needed`}</span></p>`
  return html`<p class="price"><strong>${moneyWords(recurring)}</strong> <span>${tax && html`${withTaxWords(tax).trim()} `}${perWords(recurring)}</span></p>`
}

interface ReceiptLine {
  readonly text: Part
  readonly detail?: Part
  readonly amount: number
}

interface ReceiptOptions {
  readonly lines: readonly ReceiptLine[]
  readonly total: { readonly text: string; readonly amount: number }
  readonly currency: string
}

/** Amounts to pay and their reasons, like a receipt. */
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

/** The position within a few steps. `current` counts from 0. */
export function steps(names: readonly string[], current: number): Html {
  return html`<ol class="steps">${names.map((name, i) => {
    const attributes = { class: i < current ? 'done' : undefined, 'aria-current': i === current ? 'step' : undefined }
    return html`<li ${attributes}>${name}${i < current && html`<span class="unseen"> ${say`(done)`}</span>`}</li>`
  })}</ol>`
}
