import { Type } from 'typebox'
import { v7 } from 'uuid'
import { findApp } from '../../catalog/apps/store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { changeDraft } from '../../catalog/releases/draft.ts'
import type { Plan } from '../../core/plan.ts'
import { DEFAULT_GRACE_DAYS, MAX_GRACE_DAYS } from '../../core/plan.ts'
import type { PlanDefinition } from '../../core/plan-definition.ts'
import { MAX_DESCRIPTION_LENGTH, MAX_INTERVAL_COUNT, MAX_NAME_LENGTH } from '../../core/plan-definition.ts'
import { previewOfPurchase } from '../../core/preview.ts'
import { isRejection } from '../../core/rejection.ts'
import type { ReleaseDraft } from '../../core/release-draft.ts'
import { type DraftPlan, withPlan } from '../../core/release-draft.ts'
import { start } from '../../core/start.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect, shown } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { type AppFace, appFace, emptyState } from '../../platform/web/components/content.ts'
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
import { addressOf, table } from '../../platform/web/components/table.ts'
import { moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { COUNTRY_OPTIONS } from '../countries.ts'
import { faceOf } from '../merchant/standing.ts'
import { TERM_COLUMNS } from '../ops/words.ts'
import { firstWords, planTerms } from '../purchase/offer.ts'
import { devPage } from './dev-page.ts'
import {
  definitionOf,
  entriesOf,
  NEW_PLAN,
  PLAN_FIELDS,
  type PlanEntries,
  type PriceEntry,
  priceEntries,
  withPrices,
} from './plan-entries.ts'
import {
  type Drafted,
  findDrafted,
  hiddenOf,
  kept,
  OF_RELEASE,
  pathOfStep,
  RELEASE_PATH,
  Revision,
  revisionOf,
  stepShown,
} from './release-steps.ts'

type PlanPorts = Pick<Ports, 'db' | 'clock' | 'newId'>
type Call = PageCall<{ readonly appId: string }>
const PLAN_PATH = `${RELEASE_PATH}/plans/:planId`

/** Step 2 of a new release: its plans, and one in the editor beside the screen of the terminal. */
export function planPages(ports: PlanPorts): AnyPage[] {
  const params = Type.Object({ ...OF_RELEASE.params.properties, planId: Uuid })
  return [
    devPage({
      ...{ ...OF_RELEASE, method: 'GET', path: `${RELEASE_PATH}/plans`, name: 'showReleasePlans' },
      async handle(call) {
        const drafted = await findDrafted(call)
        return isRejection(drafted) ? drafted : plansStep(call, drafted)
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'GET', path: PLAN_PATH, name: 'editReleasePlan' },
      query: Type.Object({ like: Type.Optional(Uuid) }),
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { planId } = call.params
        const find = (id: string | undefined) => drafted.draft?.plans.find(one => one.planId === id)
        const known = find(planId) ?? find(call.query.like)
        return editor(ports, call, drafted, { planId, entries: known ? entriesOf(known) : NEW_PLAN })
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'POST', path: PLAN_PATH, name: 'saveReleasePlan', audited: false },
      form: Type.Object({ ...PLAN_FIELDS, revision: Revision, do: Type.Optional(Text(20, 0)) }),
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { app, draft } = drafted
        const { do: what = 'save', ...entries } = call.form
        const planId = call.params.planId
        const [, row] = /^remove-(\d+)$/.exec(what) ?? []
        if (row !== undefined || what === 'row') {
          const changed = withPrices(entries, row === undefined ? 'add' : { remove: Number(row) })
          return editor(ports, call, drafted, { planId, entries: changed })
        }
        const definition = definitionOf(entries)
        if ('problems' in definition) return editor(ports, call, drafted, { planId, entries, ...definition })
        const plans = withPlan(draft?.plans ?? [], { ...definition, planId })
        const change = { appId: app.appId, revision: revisionOf(call.form), change: { plans } }
        const saved = await changeDraft({ ...ports, db: call.db }, change)
        if (!isRejection(saved)) return redirect(pathOfStep(app, 'plans'))
        if (saved.rejected === 'DRAFT_CHANGED') {
          return editor(ports, call, drafted, { planId, entries, isChanged: true })
        }
        return saved
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'POST', path: `${PLAN_PATH}/card`, name: 'showPlanCard', audited: false },
      form: Type.Object({ ...PLAN_FIELDS, revision: Revision }),
      async handle(call) {
        const card = await cardOf(ports, call, call.form)
        return shown(() => html`<!doctype html><title>Plan</title>${card}`)
      },
    }),
    devPage({
      ...{ ...OF_RELEASE, params, method: 'POST', path: `${PLAN_PATH}/remove`, name: 'removeReleasePlan' },
      audited: false,
      form: Type.Object({ revision: Revision }),
      async handle(call) {
        const drafted = await findDrafted(call)
        if (isRejection(drafted)) return drafted
        const { app, draft } = drafted
        const plans = (draft?.plans ?? []).filter(({ planId }) => planId !== call.params.planId)
        const change = { appId: app.appId, revision: revisionOf(call.form), change: { plans } }
        const saved = await changeDraft({ ...ports, db: call.db }, change)
        if (isRejection(saved) && saved.rejected === 'DRAFT_CHANGED') return plansStep(call, drafted, true)
        return isRejection(saved) ? saved : redirect(pathOfStep(app, 'plans'))
      },
    }),
  ]
}

function plansStep(call: Call, drafted: Drafted, isChanged = false) {
  const { app, draft } = drafted
  const path = pathOfStep(app, 'plans')
  const plans = draft?.plans ?? []
  // The id is made here, so that a form that is sent twice makes one plan.
  const add = linkButton(plans.length === 0 ? 'Add a plan' : 'Add another plan', `${path}/${v7()}`, {
    ...(plans.length === 0 && { kind: 'primary' }),
  })
  const main = html`${
    plans.length === 0
      ? emptyState(
          'No plans in this release',
          'A release without plans only brings a new package. Plans of earlier releases stay on sale.',
          add,
        )
      : table<DraftPlan>({
          caption: 'Plans of this release',
          rows: plans,
          columns: [
            { name: 'Name', cell: ({ planId, name }) => html`<a href="${`${path}/${planId}`}">${name}</a>` },
            ...TERM_COLUMNS,
            {
              name: 'Actions',
              cell: ({ planId, name }) =>
                html`<div class="actions">${linkButton('Copy', addressOf(`${path}/${v7()}`, { like: planId }), { size: 'small', about: name })}${form(
                  {
                    csrf: call.csrf,
                    action: `${path}/${planId}/remove`,
                    hidden: hiddenOf(draft),
                    body: button('Remove', { size: 'small', about: name }),
                  },
                )}</div>`,
            },
          ],
        })
  }
${buttons(...(plans.length === 0 ? [] : [add]), linkButton('Continue', pathOfStep(app, 'notes'), plans.length === 0 ? {} : { kind: 'primary' }), linkButton('Back to the package', pathOfStep(app, 'package'), { kind: 'quiet' }))}`
  return stepShown(call, { ...drafted, step: 'plans', main, isChanged })
}

interface Edited {
  readonly planId: string
  readonly entries: PlanEntries
  readonly problems?: Readonly<Record<string, string>>
  readonly isChanged?: boolean
}

async function editor(
  ports: PlanPorts,
  call: Call,
  drafted: Drafted,
  { planId, entries, problems = {}, isChanged = false }: Edited,
) {
  const { app, draft } = drafted
  const card = await cardOf(ports, call, entries)
  const main = planForm({
    csrf: call.csrf,
    path: `${pathOfStep(app, 'plans')}/${planId}`,
    draft,
    entries,
    problems,
    card,
  })
  return stepShown(call, { app, draft, step: 'plans', main, problems, isChanged })
}

async function cardOf({ clock }: PlanPorts, { db, params }: Call, entries: PlanEntries) {
  const face = await findFace(db.sql, params.appId)
  const definition = definitionOf(entries)
  return 'problems' in definition ? emptyCard(face) : planCard(face, definition, clock.now())
}

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
function planForm({ csrf, path, draft, entries, problems, card }: PlanForm): Html {
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

/** A plan as the terminal of a new merchant with a card would show it, in the country of its first price. */
function planCard(app: AppFace, definition: PlanDefinition, now: Date): Html {
  const [first] = definition.amounts
  const plan: Plan = {
    ...{ ...definition, planId: v7(), appId: v7(), releaseId: v7(), status: 'ACTIVE' },
    ...{ createdAt: now, updatedAt: now },
  }
  const ids = { subscriptionId: v7(), bundleId: v7(), invoiceId: v7(), chargeId: v7(), refundId: v7() }
  const change = start({
    ...{ plan, ids, now, organizationId: v7(), hasPaymentMethod: true, hadTrial: false, credit: 0 },
    business: { businessId: v7(), type: 'MERCHANT', country: first?.country ?? '' },
  })
  if (isRejection(change)) return emptyCard(app)
  const preview = previewOfPurchase(change, now)
  const today = preview.amount === 0 ? 'Nothing' : moneyWords(preview)
  return html`<section class="till-card" aria-label="The plan on the terminal">${appFace(app, 2)}
${planTerms(plan, preview, { title: html`<h3>${plan.name}</h3>`, points: firstWords(plan, preview) })}
<div class="buy-bar"><p><span>Charged today</span> <strong>${today}</strong></p>
<span class="button primary large">BUY NOW</span><span class="button quiet">Cancel</span></div></section>`
}

/** Shown while the entries do not make a valid plan yet. */
function emptyCard(app: AppFace): Html {
  return html`<section class="till-card" aria-label="The plan on the terminal">${appFace(app, 2)}
<p class="fine">The plan appears here as merchants see it, as soon as it has a name and a price.</p></section>`
}

/** An app with its developer, as merchants know it. */
async function findFace(sql: Sql, appId: string): Promise<AppFace> {
  const app = await findApp(sql, appId)
  if (app === null) return { name: 'An app', developer: '' }
  return faceOf(app, (await findOrganization(sql, app.organizationId))?.name)
}
