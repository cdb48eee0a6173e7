import { Type } from 'typebox'
import { pageOfApps } from '../../catalog/apps/list.ts'
import { listPlans } from '../../catalog/plans/store.ts'
import type { App } from '../../core/app.ts'
import { effectiveNow } from '../../core/business.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { type Plan, priceIn } from '../../core/plan.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findDevices } from '../../merchants/businesses/store.ts'
import { awaitFirstPayment } from '../../money/billing/first-payment.ts'
import type { SubscriptionForecast } from '../../money/billing/forecast.ts'
import { subscribe } from '../../money/billing/subscribe.ts'
import { type Invoice, listInvoices } from '../../money/invoices/store.ts'
import { listPaymentMethods } from '../../money/payment-methods/store.ts'
import { outcomeOf, type PurchaseOutcome } from '../../money/purchases/purchases.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { badge, card, facts, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { button, buttons, form, linkButton, selectField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { day, moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countryName } from '../countries.ts'
import { invoiceBadge } from '../state-badges.ts'
import { merchantTimeline } from '../subscriptions/timeline.ts'
import { devPage, framed, type Own } from './dev-page.ts'
import { disputeForm, simulatorForm } from './test-actions.ts'
import { clockForms, forecastsOf, nextChargeOf } from './test-clock.ts'
import { findOwn, pathOfMerchant, saveCard } from './test-merchants.ts'

/** The sandbox's cards (decisions 11), by what each does. */
const CARDS = {
  tok_ok: 'Pays',
  tok_insufficient_funds: 'Declined: not enough money; retries follow',
  tok_stolen: 'Declined for good: stolen',
  tok_fail_after_1: 'Pays once, then is declined',
  tok_timeout_then_ok: 'The gateway times out, and the payment succeeds',
  tok_timeout_then_declined: 'The gateway times out, and the payment is declined',
  tok_pending: 'Stays pending',
  tok_action_required: 'The bank asks for a confirmation',
  tok_refund_fails: 'Pays, and refunds fail',
  tok_expires_soon: 'Pays, and expires soon',
} as const

const MOST = 50

/** A charge takes a second or two. */
const REFRESH_SECONDS = 2

const DONE = {
  created: 'Test merchant created',
  advanced: 'The clock was moved',
  advancing: 'The clock is on its way. Reload the page to see how far.',
  card: 'The card is the default now',
  changed: 'The plan change was saved',
  subscribed: 'Subscribed',
  disputed: 'The bank’s word is recorded, and its events are sent',
  pending: 'The first payment is open: the subscription starts when it succeeds.',
} as const
type Done = keyof typeof DONE

const params = Type.Object({ businessId: Uuid })

/** A test merchant: its clock, card, subscriptions and invoices. */
export function testMerchantPage(ports: Ports, { hasSimulator }: { readonly hasSimulator: boolean }): AnyPage[] {
  const shown = { ...ports, hasSimulator }
  const at = `${DEVELOPER_PATHS.testMerchants}/:businessId`
  return [
    devPage({
      ...{ method: 'GET', path: at, params, name: 'showTestMerchant', operation: 'apps.read' },
      query: Type.Object({
        done: Type.Optional(Type.Enum(Object.keys(DONE) as Done[])),
        since: Type.Optional(Text(30, 0)),
      }),
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        return isRejection(business) ? business : show(shown, call, own, business, call.query)
      },
    }),
    devPage({
      ...{ method: 'POST', path: at, params, name: 'actAsTestMerchant', operation: 'businesses.create' },
      form: Type.Object({
        token: Type.Optional(Type.Enum(Object.keys(CARDS) as (keyof typeof CARDS)[])),
        planId: Type.Optional(Uuid),
      }),
      async handle(call, own) {
        const business = await findOwn({ db: call.db }, own, call.params.businessId)
        if (isRejection(business)) return business
        const { token, planId } = call.form
        const done =
          token === undefined
            ? await subscribeTo(call, own, business, planId)
            : ((await saveCard(
                { ...ports, db: call.db },
                { businessId: business.businessId, token, key: ports.newId() },
              )) ?? 'card')
        if (!isRejection(done)) return redirect(addressOf(pathOfMerchant(business), { done }))
        const now = await findOwn({ db: call.db }, own, business.businessId)
        return show(shown, call, own, isRejection(now) ? business : now, { problem: done.developerMessage })
      },
    }),
  ]

  async function subscribeTo(
    call: PageCall,
    own: Own,
    business: BusinessRecord,
    planId = '',
  ): Promise<Done | Rejection> {
    const offer = (await offersTo(call, own, business)).find(({ plan }) => plan.planId === planId)
    if (offer === undefined) return reject('PLAN_NOT_FOUND', 'None of your apps sells this plan in this country.')
    const location = await locationFor(call.db.sql, business, offer.plan)
    const wanted = { appId: offer.app.appId, businessId: business.businessId, planId, ...location }
    const made = await subscribe({ ...ports, db: call.db }, wanted)
    if (isRejection(made)) return made
    const started = await awaitFirstPayment(ports, made.subscriptionId)
    if (isRejection(started)) return started
    return started.status === 'ACTIVE' ? 'subscribed' : 'pending'
  }
}

interface Offer {
  readonly app: App
  readonly plan: Plan
}

/** The plans of the organization's apps that are sold in the merchant's country. */
async function offersTo(
  { db }: Pick<PageCall, 'db'>,
  { organizationId }: Own,
  { country }: BusinessRecord,
): Promise<Offer[]> {
  const apps = await pageOfApps({ db }, { organizationId }, { limit: MOST })
  if (isRejection(apps)) return []
  const offers = await Promise.all(
    apps.items.map(async app => {
      const plans = await listPlans(db.sql, { appId: app.appId, status: 'ACTIVE' })
      return plans.map(plan => ({ app, plan }))
    }),
  )
  return offers.flat().filter(({ plan }) => priceIn(plan, country) !== null)
}

/** Plans of stores and terminals are sold to the first terminal. */
async function locationFor(sql: Sql, { businessId }: BusinessRecord, { scope }: Plan) {
  const [device] = scope === 'BUSINESS' ? [] : await findDevices(sql, businessId)
  if (device === undefined) return {}
  return scope === 'STORE' ? { storeId: device.storeId } : { deviceId: device.deviceId }
}

async function show(
  ports: Pick<Ports, 'clock'> & { readonly hasSimulator: boolean },
  call: PageCall,
  own: Own,
  business: BusinessRecord,
  { done, since = '', problem }: { readonly done?: Done; readonly since?: string; readonly problem?: string },
) {
  const { sql } = call.db
  const { businessId, clock } = business
  const now = effectiveNow(business, ports.clock.now())
  // Before the subscriptions: one whose invoice is paid by now is not shown as past due.
  const { invoices } = await listInvoices(sql, { businessId, first: 'newest', offset: 0, limit: MOST })
  const outcomes = await outcomesOfOpen(call, invoices)
  const forecasts = await forecastsOf(sql, business, now)
  const ended = await listOfBusiness(sql, { businessId, status: 'ENDED', limit: MOST })
  const offers = await offersTo(call, own, business)
  const [newest] = await listPaymentMethods(sql, businessId, { limit: 1 })
  const names = new Map(offers.map(({ app, plan }) => [plan.planId, `${app.name}, ${plan.name}`]))
  const mayAct = own.may('businesses.create')
  const happened = await merchantTimeline(ports, call, businessId, new Date(since))
  if (isRejection(happened)) return happened
  const main = html`${pageHead({
    title: business.doingBusinessAs,
    above: [{ href: DEVELOPER_PATHS.testMerchants, text: 'Test merchants' }],
    badge: badge('Test', 'warn'),
    actions: linkButton('What it paid', `${DEVELOPER_PATHS.merchants}/${businessId}`),
  })}
${done !== undefined && toast(DONE[done])}${problem !== undefined && notice('bad', 'That did not work', problem)}
${outcomes.map(bankNotice)}
<div class="section">${facts([
    ['Clock', clock ? moment(clock.now) : 'Real time'],
    ['Card', newest?.label ?? 'None'],
    ['Country', countryName(business.country)],
    ['ID', copyId('merchant-id', businessId, 'the merchant’s id')],
  ])}</div>
${happened}
${mayAct && clock !== undefined && clockForms(business, forecasts)}
<div class="section">${forecastTable(forecasts, ended.length, names, mayAct && own.may('subscriptions.change') ? pathOfMerchant(business) : undefined)}</div>
${
  mayAct &&
  html`<div class="columns">${subscribeForm(call.csrf, business, offers)}
${cardForm(call.csrf, business)}
${disputeForm(call.csrf, business, invoices)}
${ports.hasSimulator && simulatorForm(call.csrf, business)}</div>`
}
${invoices.length === 0 ? html`<h2>Invoices</h2><p>No invoice was issued yet.</p>` : invoiceTable(invoices)}
<p><a href="${addressOf(WEBHOOKS_PATH, {})}">Webhooks</a> show the events that your endpoints received.</p>`
  const status = problem === undefined ? 200 : 409
  // Paid meanwhile: the page still shows it as open.
  const isBeingPaid = outcomes.some(({ status }) => status === 'PENDING' || status === 'PAID')
  const isAwaited = (done === 'card' || done === 'pending') && isBeingPaid
  const waits = isAwaited ? { refreshSeconds: REFRESH_SECONDS } : {}
  return framed(call, { title: business.doingBusinessAs, part: 'testMerchants', main, ...waits }, { status })
}

async function outcomesOfOpen({ db }: Pick<PageCall, 'db'>, invoices: readonly Invoice[]): Promise<PurchaseOutcome[]> {
  const open = invoices.filter(({ status }) => status === 'OPEN')
  return Promise.all(open.map(({ invoiceId }) => outcomeOf({ db }, { invoiceId })))
}

function bankNotice(outcome: PurchaseOutcome): Html | false {
  if (outcome.status !== 'ACTION_REQUIRED' || outcome.actionUrl === undefined) return false
  const link = html`<a href="${outcome.actionUrl}">Confirm or decline the payment at the test bank</a>`
  return notice('warn', 'The bank asks for a confirmation', link)
}

function cardForm(csrf: string, business: BusinessRecord): Html {
  const options = Object.entries(CARDS).map(([value, text]) => ({ value, text }))
  return card({
    title: 'Card',
    body: form({
      csrf,
      action: pathOfMerchant(business),
      body: html`${selectField({ name: 'token', label: 'The next charges', value: 'tok_ok', options })}
${buttons(button('Use this card'))}`,
    }),
  })
}

function subscribeForm(csrf: string, business: BusinessRecord, offers: readonly Offer[]): Html {
  if (offers.length === 0) {
    return card({
      title: 'Subscribe',
      body: html`<p>None of your approved plans is sold in ${countryName(business.country)}. <a href="${DEVELOPER_PATHS.apps}">Submit a release</a> first.</p>`,
    })
  }
  const options = offers.map(({ app, plan }) => ({ value: plan.planId, text: `${app.name}, ${plan.name}` }))
  return card({
    title: 'Subscribe',
    body: form({
      csrf,
      action: pathOfMerchant(business),
      body: html`${selectField({ name: 'planId', label: 'Plan', value: options[0]?.value ?? '', options })}
${buttons(button('Subscribe', { kind: 'primary' }))}`,
    }),
  })
}

/** `at`: the merchant's page, for a person who may change the plan. */
function forecastTable(
  forecasts: readonly SubscriptionForecast[],
  ended: number,
  names: ReadonlyMap<string, string>,
  at: string | undefined,
): Html {
  const more = ended > 0 && html`<p>${ended} ended.</p>`
  if (forecasts.length === 0) return html`<h2>Subscriptions</h2><p>No current subscription.</p>${more}`
  return html`${table<SubscriptionForecast>({
    caption: 'Current subscriptions, and what comes next',
    rows: forecasts,
    columns: [
      {
        name: 'App and plan',
        cell: ({ subscription: { appId, planId, subscriptionId }, plan }) =>
          html`<a href="${`${DEVELOPER_PATHS.apps}/${appId}/subscriptions/${subscriptionId}`}">${names.get(planId) ?? plan.name}</a>`,
      },
      { name: 'State', cell: stateOf },
      { name: 'Next', cell: nextOf },
      {
        name: 'Action',
        cell: ({ subscription: { subscriptionId }, plan }) =>
          at !== undefined &&
          linkButton('Change plan', `${at}/subscriptions/${subscriptionId}/plan`, { size: 'small', about: plan.name }),
      },
    ],
  })}${more}`
}

function stateOf({ subscription: { paymentStatus, phase, cancelAt } }: SubscriptionForecast): Html {
  if (paymentStatus === 'PAST_DUE') return badge('Past due', 'bad')
  if (cancelAt !== undefined) return badge('Ends soon', 'warn')
  return phase === 'TRIAL' ? badge('On trial') : badge('Active', 'good')
}

function nextOf(forecast: SubscriptionForecast): Html {
  const { subscription, nextCharge } = forecast
  if (nextCharge !== undefined)
    return html`${moneyWords({ ...nextCharge, currency: subscription.currency })} on ${moment(nextCharge.at)}`
  const retryAt = nextChargeOf(forecast)
  if (retryAt !== undefined) return html`Next attempt ${moment(retryAt)}`
  return html`Period ends ${moment(subscription.cancelAt ?? subscription.currentPeriodEnd)}`
}

function invoiceTable(invoices: readonly Invoice[]): Html {
  return table<Invoice>({
    caption: 'Invoices, newest first',
    rows: invoices,
    columns: [
      { name: 'Number', cell: ({ number }) => number },
      { name: 'Date', cell: ({ createdAt }) => day(createdAt) },
      { name: 'Amount', isNumber: true, cell: moneyWords },
      { name: 'State', cell: ({ status }) => invoiceBadge(status) },
    ],
  })
}
