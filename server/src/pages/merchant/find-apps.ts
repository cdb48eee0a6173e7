import { Type } from 'typebox'
import { findApp, listAppsSoldIn } from '../../catalog/apps/store.ts'
import { findPlansSoldIn } from '../../catalog/plans/store.ts'
import type { App } from '../../core/app.ts'
import { listed } from '../../core/page.ts'
import { type Plan, priceIn } from '../../core/plan.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { parseSearch } from '../../core/search.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findDevices, findStores } from '../../merchants/businesses/store.ts'
import { openPurchase } from '../../money/billing/open-purchase.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { DeviceUrn, deviceUrn, Text, Uuid, uuidOfUrn } from '../../platform/http/wire.ts'
import { type AppFace, appFace, badge, cards, emptyState, notice } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, selectField } from '../../platform/web/components/form.ts'
import { pager } from '../../platform/web/components/table.ts'
import { priceWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { say, sayText } from '../../platform/web/say.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'
import { appFaces } from './standing.ts'

export const FIND_APPS_PATH = `${PATHS.apps}/find`
const path = FIND_APPS_PATH
const ON_A_PAGE = 24
/** More than any business has. */
const MOST_LIVE = 200
/** More plans are on the page of the app. */
const PLANS_ON_A_CARD = 3

const params = Type.Object({ appId: Uuid })

type FindPorts = Parameters<typeof openPurchase>[0]

/** The apps that the merchant can subscribe to: the catalogue, one app with its plans, and the way to the purchase screen. */
export function findAppsPages(ports: FindPorts): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, name: 'findApps', operation: 'businesses.read' },
      query: Type.Object({ q: Type.Optional(Text(200, 0)), after: Type.Optional(Uuid) }),
      handle: (call, shop) => catalogue(call, shop, call.query),
    }),
    ownPage(ports, {
      ...{ method: 'GET', path: `${path}/:appId`, params, name: 'showPlansOfApp', operation: 'businesses.read' },
      handle: (call, shop) => withApp(call, shop, ({ app, plans }) => plansPage(call, shop, app, plans)),
    }),
    ownPage(ports, {
      ...{
        method: 'POST',
        path: `${path}/:appId`,
        params,
        name: 'beginPurchase',
        operation: 'subscriptions.subscribe',
      },
      form: Type.Object({ planId: Uuid, storeId: Type.Optional(Uuid), deviceId: Type.Optional(DeviceUrn) }),
      handle: (call, shop) =>
        withApp(call, shop, async ({ app, plans }) => {
          const { planId, storeId, deviceId } = call.form
          // The price and the confirmation are on the purchase screen.
          const opened = await openPurchase(
            { ...ports, db: call.db },
            {
              ...{ appId: app.appId, businessId: shop.businessId, openedBy: 'APP' },
              ...(storeId !== undefined && { storeId }),
              ...(deviceId !== undefined && { deviceId: uuidOfUrn(deviceId) }),
              wanted: { planId },
            },
          )
          if (!isRejection(opened)) return redirect(`/purchases/${opened.purchase.purchaseId}`)
          const { status, message } = PROBLEMS[opened.rejected]
          if (status !== 409) return opened
          const said = notice('warn', sayText(message), say`Nothing was changed, and nothing was charged.`)
          return plansPage(call, shop, app, plans, { said, status })
        }),
    }),
  ]
}

async function catalogue(
  call: PageCall,
  shop: Shop,
  { q = '', after }: { readonly q?: string; readonly after?: string },
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const { country } = shop.business
  // A search without a letter or digit finds everything.
  const search = /[\p{L}\p{N}]/u.test(q) ? parseSearch(q) : undefined
  if (isRejection(search)) return search
  const slice = { limit: ON_A_PAGE + 1, ...(after && { after }) }
  const found = await listAppsSoldIn(sql, { country, ...(search && { search }) }, slice)
  const { items, next } = listed(found, ON_A_PAGE, ({ appId }) => appId)
  const appIds = items.map(({ appId }) => appId)
  const faces = await appFaces(sql, appIds)
  const plans = await findPlansSoldIn(sql, { appIds, country })
  const list = items.map(app =>
    appCard(
      app,
      faces.get(app.appId),
      cheapestFirst(
        plans.filter(({ appId }) => appId === app.appId),
        country,
      ),
      country,
    ),
  )
  const kept = { q: q || undefined }
  const main = html`<h1>${say`Find apps`}</h1>
<p class="lead">${say`The apps of the platform, with their prices in your country.`}</p>
${searchForm(q)}
${list.length === 0 ? nothing(q) : cards(list)}
${pager(say`More apps`, { path, kept, after, next })}`
  return framed(call, shop, { title: say`Find apps`, part: 'apps', main })
}

function searchForm(q: string): Html {
  return html`<search class="filter-bar"><form method="get" action="${path}">
<div class="filter-field search"><label for="q">${say`Name of the app`}</label><input ${{ class: 'input', type: 'search', id: 'q', name: 'q', value: q, maxlength: 200, autocomplete: 'off' }}></div>
${button(say`Search`, { size: 'small' })}
</form></search>`
}

function nothing(q: string): Html {
  return q === ''
    ? emptyState(say`No apps yet`, say`The platform offers no app in your country yet.`)
    : emptyState(say`No such app`, say`No app of the platform has this name.`, linkButton(say`All apps`, path))
}

function appCard({ appId }: App, face: AppFace | undefined, plans: readonly Plan[], country: string): Html {
  const shown = face ?? { name: say`An app`, developer: say`unknown` }
  const others = plans.length - PLANS_ON_A_CARD
  return html`<section class="card">
${appFace(shown)}
<ul class="bullets">${plans.slice(0, PLANS_ON_A_CARD).map(plan => html`<li>${planLine(plan, country)}</li>`)}
${others > 0 && html`<li>${others === 1 ? say`1 more plan` : say`${others} more plans`}</li>`}</ul>
${linkButton(say`See plans`, `${path}/${appId}`, { about: say`of ${shown.name}` })}
</section>`
}

function cheapestFirst(plans: readonly Plan[], country: string): Plan[] {
  const priceValue = (plan: Plan) => priceIn(plan, country)?.value ?? 0
  return plans.toSorted((a, b) => priceValue(a) - priceValue(b))
}

/** "Pro: $5.00 per month, per business". A free plan is often called "Free". */
function planLine(plan: Plan, country: string): string {
  const words = priceOf(plan, country)
  return plan.name === words ? words : `${plan.name}: ${words}`
}

function priceOf(plan: Plan, country: string): string {
  const price = priceIn(plan, country)
  return price ? priceWords({ ...plan, amount: price.value, currency: price.currency }) : ''
}

interface OfferedApp {
  readonly app: App
  readonly plans: readonly Plan[]
}

/** An app that is not in the store is not found. */
async function withApp(
  call: PageCall<{ readonly appId: string }>,
  { business: { country } }: Shop,
  work: (offered: OfferedApp) => Promise<PageAnswer | Rejection>,
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const app = await findApp(sql, call.params.appId)
  const plans = app?.status === 'ACTIVE' ? await findPlansSoldIn(sql, { appIds: [app.appId], country }) : []
  if (app === null || plans.length === 0) {
    return reject('APPLICATION_NOT_FOUND', 'No app with this id is sold in the country of the business.')
  }
  return work({ app, plans: cheapestFirst(plans, country) })
}

async function plansPage(
  call: PageCall,
  shop: Shop,
  app: App,
  plans: readonly Plan[],
  { said, status = 200 }: { readonly said?: Html; readonly status?: number } = {},
): Promise<PageAnswer> {
  const { country } = shop.business
  const face = (await appFaces(call.db.sql, [app.appId])).get(app.appId)
  const live = await listOfBusiness(call.db.sql, { businessId: shop.businessId, status: 'ACTIVE', limit: MOST_LIVE })
  const subscribing = shop.may('subscriptions.subscribe') && (await subscribeForms(call, shop, live))
  const list = plans.map(
    plan => html`<section class="card">
<h2>${plan.name}</h2>
${heldPlan(live.filter(isFor(plan)))}
<p><strong>${priceOf(plan, country)}</strong>${plan.trialPeriodDays > 0 && html`<br>${trialWords(plan)}`}</p>
${plan.description !== '' && html`<p>${plan.description}</p>`}
${subscribing && subscribing(plan)}
</section>`,
  )
  const main = html`${said}${face && appFace(face, 1)}
<p class="lead">${say`You see what is charged, and confirm, on the next page.`}</p>
${cards(list)}
${buttons(linkButton(say`All apps`, path))}`
  return framed(call, shop, { title: app.name, part: 'apps', main }, { status })
}

function trialWords({ trialPeriodDays: days }: Plan): string {
  return days === 1 ? say`1 day free` : say`${days} days free`
}

/** A plan is held once per business, store or terminal (decisions 5). A pending plan counts. */
const isFor =
  ({ planId }: Plan) =>
  (subscription: Subscription) =>
    [subscription.planId, subscription.pendingPlanId].includes(planId)

function heldPlan(held: readonly Subscription[]): Html | false {
  const [first] = held
  if (first === undefined) return false
  const href = held.length === 1 ? `${PATHS.subscriptions}/${first.subscriptionId}` : PATHS.subscriptions
  return html`<p>${badge(say`Subscribed`, 'good')} <a href="${href}">${say`Details`}</a></p>`
}

/** The form of a plan, for the stores or terminals that do not have the plan. Renders nothing if the plan is held already. */
async function subscribeForms({ db: { sql }, csrf }: PageCall, { businessId }: Shop, live: readonly Subscription[]) {
  const stores = (await findStores(sql, businessId)).filter(({ status }) => status !== 'CLOSED')
  const devices = (await findDevices(sql, businessId)).filter(({ status }) => status !== 'CLOSED')
  const names = new Map(stores.map(({ storeId, displayName }) => [storeId, displayName]))
  const storeOptions = stores.map(({ storeId, displayName }) => ({ id: storeId, value: storeId, text: displayName }))
  const deviceOptions = devices.map(({ deviceId, storeId, name }) => ({
    ...{ id: deviceId, value: deviceUrn(deviceId) },
    text: `${name} · ${names.get(storeId) ?? ''}`,
  }))
  return (plan: Plan): Html | false => {
    const { planId, scope } = plan
    const held = live.filter(isFor(plan))
    const pressed = buttons(button(say`Choose`, { kind: 'primary', about: plan.name }))
    const choose = (field?: Html) => form({ csrf, hidden: { planId }, body: html`${field}${pressed}` })
    if (scope === 'BUSINESS') return held.length === 0 && choose()
    const isStore = scope === 'STORE'
    const all = isStore ? storeOptions : deviceOptions
    if (all.length === 0) return html`<p class="fine">${say`The platform sets up your stores and their terminals.`}</p>`
    const taken = new Set(held.map(({ storeId, deviceId }) => (isStore ? storeId : deviceId)))
    const options = all.filter(({ id }) => !taken.has(id))
    const field = isStore
      ? selectField({ name: 'storeId', id: `store-${planId}`, label: say`Store`, options })
      : selectField({ name: 'deviceId', id: `terminal-${planId}`, label: say`Terminal`, options })
    return options.length > 0 && choose(field)
  }
}
