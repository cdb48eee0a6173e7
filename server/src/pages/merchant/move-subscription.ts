import { Type } from 'typebox'
import { findPlan } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Location, Subscription } from '../../core/subscription.ts'
import { findDevices, findStores } from '../../merchants/businesses/store.ts'
import { transfer } from '../../money/billing/act.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { DeviceUrn, deviceUrn, Uuid, uuidOfUrn } from '../../platform/http/wire.ts'
import { emptyState, notice } from '../../platform/web/components/content.ts'
import { button, buttons, type Choice, choices, form, linkButton } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import { findOwnSubscription, framed, ownPage, PATHS, type Shop } from './own-page.ts'

type MovePorts = Parameters<typeof transfer>[0]
type Call = PageCall<{ readonly subscriptionId: string }>

const path = `${PATHS.subscriptions}/:subscriptionId/move`
const params = Type.Object({ subscriptionId: Uuid })
const operation = 'subscriptions.change'

/** Moves a subscription of one store or terminal to another of the business. Decisions 5, "Device moves". */
export function moveSubscriptionPages(ports: MovePorts): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, params, operation, name: 'chooseLocation' },
      async handle(call, shop) {
        const subscription = await findOwnSubscription(call.db.sql, shop, call.params.subscriptionId)
        return isRejection(subscription) ? subscription : choose(call, shop, subscription)
      },
    }),
    ownPage(ports, {
      ...{ method: 'POST', path, params, operation, name: 'moveOwnSubscription' },
      /** The field of the plan's scope counts. */
      form: Type.Object({ storeId: Type.Optional(Uuid), deviceId: Type.Optional(DeviceUrn) }),
      async handle(call, shop) {
        const { sql } = call.db
        const subscription = await findOwnSubscription(sql, shop, call.params.subscriptionId)
        if (isRejection(subscription)) return subscription
        const { appId, businessId, subscriptionId } = subscription
        const to = locationOf(call.form, await planOf(sql, subscription))
        if (to === undefined) return choose(call, shop, subscription, { isIncomplete: true })
        // Pressed twice: a move to the current location changes nothing.
        const moved = await transfer({ ...ports, db: call.db }, { appId, businessId, subscriptionId, to })
        if (isRejection(moved)) return rejectedPage(call, shop, subscription, moved)
        return redirect(`${PATHS.subscriptions}/${subscriptionId}?done=moved`)
      },
    }),
  ]
}

async function planOf(sql: Sql, { planId }: Subscription): Promise<Plan> {
  const plan = await findPlan(sql, planId)
  assert(plan, 'a plan with subscriptions is never deleted')
  return plan
}

function fieldOf({ scope }: Plan): 'storeId' | 'deviceId' {
  return scope === 'DEVICE' ? 'deviceId' : 'storeId'
}

function locationOf(given: { storeId?: string; deviceId?: string }, plan: Plan): Location | undefined {
  const id = given[fieldOf(plan)]
  if (id === undefined) return undefined
  return plan.scope === 'DEVICE' ? { deviceId: uuidOfUrn(id) } : { storeId: id }
}

async function choose(
  call: Call,
  shop: Shop,
  subscription: Subscription,
  { isIncomplete = false } = {},
): Promise<PageAnswer> {
  const plan = await planOf(call.db.sql, subscription)
  const name = fieldOf(plan)
  const isOfDevice = name === 'deviceId'
  const options = plan.scope === 'BUSINESS' ? [] : await locationsOf(call.db.sql, subscription, plan)
  const title = isOfDevice ? say`Move to another terminal` : say`Move to another store`
  const back = `${PATHS.subscriptions}/${subscription.subscriptionId}`
  const problem = isIncomplete && options.length > 0 ? { problem: say`Choose one of them.` } : {}
  const asked = html`<p class="lead">${say`The price and the next charge stay the same.`}</p>
${form({
  csrf: call.csrf,
  ...('problem' in problem && { problems: { [name]: problem.problem } }),
  body: html`${choices({
    ...{ name, options, ...problem },
    legend: isOfDevice ? say`Which terminal?` : say`Which store?`,
    ...(options.length === 1 && options[0] && { value: options[0].value }),
  })}
${buttons(button(say`Move subscription`, { kind: 'primary' }), linkButton(say`Go back`, back))}`,
})}`
  const main = html`<h1>${title}</h1>
${options.length > 0 ? asked : nowhere(plan, back)}`
  const status = isIncomplete ? { status: 400 } : {}
  return framed(call, shop, { title, part: 'subscriptions', width: 'narrow', main }, status)
}

function nowhere({ scope }: Plan, back: string) {
  const way = linkButton(say`Go back`, back)
  if (scope === 'BUSINESS') {
    return emptyState(
      say`Nothing to move`,
      say`This subscription is for the whole business. You use it everywhere.`,
      way,
    )
  }
  return scope === 'STORE'
    ? emptyState(say`No other store`, say`The platform sets up your stores and their terminals.`, way)
    : emptyState(say`No other terminal`, say`The platform sets up your stores and their terminals.`, way)
}

/** The open stores or terminals other than the current location. */
async function locationsOf(
  sql: Sql,
  { businessId, storeId, deviceId }: Subscription,
  { scope }: Plan,
): Promise<Choice[]> {
  const stores = await findStores(sql, businessId)
  if (scope === 'STORE') {
    return stores
      .filter(store => store.status !== 'CLOSED' && store.storeId !== storeId)
      .map(store => ({ value: store.storeId, text: store.displayName }))
  }
  const names = new Map(stores.map(store => [store.storeId, store.displayName]))
  return (await findDevices(sql, businessId))
    .filter(device => device.status !== 'CLOSED' && device.deviceId !== deviceId)
    .map(device => ({ value: deviceUrn(device.deviceId), text: device.name, detail: names.get(device.storeId) ?? '' }))
}

const ADVICE: Partial<Record<Rejection['rejected'], string>> = {
  ALREADY_SUBSCRIBED: english('Another subscription to this plan is used there. Choose another place.'),
  CHARGE_IN_PROGRESS: english('A payment is being confirmed. Try again in a few minutes.'),
}

/** The reason, and what to do. A closed or another business's location is not found. */
function rejectedPage(
  call: Call,
  shop: Shop,
  { subscriptionId }: Subscription,
  rejection: Rejection,
): PageAnswer | Rejection {
  const { status, message } = PROBLEMS[rejection.rejected]
  if (status !== 409) return rejection
  const back = `${PATHS.subscriptions}/${subscriptionId}`
  const title = say`The subscription was not moved`
  const advice = ADVICE[rejection.rejected] ?? english('Nothing was changed, and nothing was charged.')
  const main = html`<h1>${title}</h1>
${notice('warn', sayText(message), sayText(advice))}
${buttons(linkButton(say`Choose again`, `${back}/move`, { kind: 'primary' }), linkButton(say`Back to the subscription`, back))}`
  return framed(call, shop, { title, part: 'subscriptions', width: 'narrow', main }, { status })
}
