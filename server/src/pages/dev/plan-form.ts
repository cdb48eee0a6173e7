import { DEFAULT_GRACE_DAYS, MAX_GRACE_DAYS } from '../../core/plan.ts'
import { MAX_DESCRIPTION_LENGTH, MAX_INTERVAL_COUNT, MAX_NAME_LENGTH } from '../../core/plan-definition.ts'
import type { ReleaseDraft } from '../../core/release-draft.ts'
import {
  button,
  buttons,
  choices,
  form,
  linkButton,
  type Problems,
  selectField,
  textArea,
  textField,
} from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { COUNTRY_OPTIONS } from '../countries.ts'
import { type PlanEntries, type PriceEntry, priceEntries } from './plan-entries.ts'
import { hiddenOf, kept } from './release-steps.ts'

const INTERVALS = { DAY: 'Days', WEEK: 'Weeks', MONTH: 'Months', YEAR: 'Years' } as const
const SCOPES = [
  { value: 'BUSINESS', text: 'Per business', detail: 'One subscription for all stores and terminals.' },
  { value: 'STORE', text: 'Per store', detail: 'Each store subscribes and pays.' },
  { value: 'DEVICE', text: 'Per terminal', detail: 'Each terminal subscribes and pays.' },
]
const CANCELLATIONS = [
  { value: 'BILLING', text: 'At the end of the paid period' },
  { value: 'IMMEDIATE', text: 'At once', detail: 'The paid time is lost.' },
]
const TRIALS = [
  {
    value: 'ONCE_PER_BUSINESS',
    text: 'Once per business',
    detail: 'A business has one trial of the app, whatever the plan.',
  },
  { value: 'ALWAYS', text: 'With each subscription' },
]

interface PlanForm {
  readonly csrf: string
  readonly path: string
  readonly draft: ReleaseDraft | null
  readonly entries: PlanEntries
  readonly problems: Problems
  /** The plan on the terminal. */
  readonly card: Html
}

/** The plan editor beside the screen of the terminal. */
export function planForm({ csrf, path, draft, entries, problems, card }: PlanForm): Html {
  const text = (name: 'name' | 'intervalCount' | 'trial' | 'grace', label: string, hint?: string) =>
    textField({
      ...{ name, label, autocomplete: 'off', value: entries[name], problem: problems[name] },
      ...(hint !== undefined && { hint }),
      ...(name === 'name' ? { maxlength: MAX_NAME_LENGTH } : { maxlength: 3, inputmode: 'numeric' }),
      ...(name === 'grace' && { isOptional: true }),
    })
  const select = (name: 'interval', label: string, words: Readonly<Record<string, string>>) =>
    selectField({
      ...{ name, label, value: entries[name] },
      options: Object.entries(words).map(([value, text]) => ({ value, text })),
    })
  const choose = (name: 'scope' | 'cancelPolicy' | 'trialEligibility', legend: string, options: typeof SCOPES) =>
    choices({ name, legend, options, value: entries[name] })
  const grace = `Days during which a subscription stays active after a declined charge, at most ${MAX_GRACE_DAYS.DAY} for daily plans, ${MAX_GRACE_DAYS.WEEK} for weekly, ${MAX_GRACE_DAYS.MONTH} for monthly and ${MAX_GRACE_DAYS.YEAR} for yearly plans. Leave this empty for ${DEFAULT_GRACE_DAYS.MONTH}, or ${DEFAULT_GRACE_DAYS.DAY} for daily plans.`
  const body = html`<button type="submit" name="do" value="save" hidden></button>
${text('name', 'Name', 'Merchants see this name.')}
${textArea({ name: 'description', label: 'Description', hint: 'One or two sentences about what the merchant gets.', isOptional: true, maxlength: MAX_DESCRIPTION_LENGTH, rows: 3, value: entries.description, problem: problems.description })}
${prices(entries, problems)}
<div class="pair">${text('intervalCount', 'Billed every', `1 to ${MAX_INTERVAL_COUNT}`)}
${select('interval', 'Interval', INTERVALS)}</div>
${choose('scope', 'Sold', SCOPES)}
${text('trial', 'Free trial, in days', 'Enter 0 for no trial.')}
${choose('trialEligibility', 'Trial', TRIALS as typeof SCOPES)}
${choose('cancelPolicy', 'A cancellation takes effect', CANCELLATIONS as typeof SCOPES)}
${text('grace', 'Grace period, in days', grace)}
${buttons(button('Save the plan', { kind: 'primary', name: 'do', value: 'save' }), linkButton('Back to the plans', path.replace(/\/[^/]+$/, ''), { kind: 'quiet' }))}`
  const entered = kept(draft, path, form({ csrf, action: path, hidden: hiddenOf(draft), problems, body, id: 'plan' }))
  return html`<div class="beside"><div>${entered}</div>
<plan-card ${{ 'data-form': 'plan', 'data-from': `${path}/card` }}>${card}</plan-card></div>`
}

const COUNTRY_LIST = html`<datalist id="countries">${COUNTRY_OPTIONS.map(({ value, text }) => html`<option ${{ value, label: text }}></option>`)}</datalist>`

function prices(entries: PlanEntries, problems: Problems): Html {
  return html`<fieldset class="field"><legend class="label">Prices</legend>
<p class="hint">A merchant can buy the plan in the countries that have a price. 0 is a free plan. A price never changes later: a new price is a new plan.</p>
<price-rows>${priceEntries(entries).map((row, i) => priceRow(row, i, problems))}
${button('Add a country', { name: 'do', value: 'row', size: 'small' })}</price-rows>
${COUNTRY_LIST}</fieldset>`
}

function priceRow(row: PriceEntry, i: number, problems: Problems): Html {
  const field = (name: keyof PriceEntry, label: string, own: Readonly<Record<string, string | number>>) => {
    const id = `${name}-${i}`
    const problem = problems[id]
    const described = problem && { 'aria-invalid': 'true', 'aria-describedby': `${id}-problem` }
    return html`<div><label class="label" for="${id}">${label}</label>
<input ${{ class: 'input', type: 'text', id, name, value: row[name], autocomplete: 'off', ...own, ...described }}></div>`
  }
  const wrong = (['country', 'currency', 'price'] as const).flatMap(name => {
    const problem = problems[`${name}-${i}`]
    return problem === undefined
      ? []
      : [html`<p class="problem" id="${`${name}-${i}-problem`}"><span class="unseen">Problem: </span>${problem}</p>`]
  })
  return html`<div class="price-row" role="group" aria-label="${`Price ${i + 1}`}">${wrong}${field('country', 'Country', { maxlength: 2, list: 'countries' })}
${field('currency', 'Currency', { maxlength: 3 })}
${field('price', 'Price', { maxlength: 20, inputmode: 'decimal' })}
${button('Remove', { name: 'do', value: `remove-${i}`, kind: 'quiet', size: 'small', about: `price ${i + 1}` })}</div>`
}
