import { assert } from '../../core/assert.ts'
import { given } from '../../core/given.ts'
import { isSeenFrom } from '../../core/location.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, type RejectionCode, reject, rejectField } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Location, Subscription } from '../../core/subscription.ts'
import { type Answer, type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { PurchaseJson, purchaseToJson } from '../purchases/schema.ts'
import { AppParams, SubscriptionJson, SubscriptionParams, subscriptionToJson } from '../subscriptions/schema.ts'
import { findSubscription } from '../subscriptions/store.ts'
import { type ActInput, cancel, endByOperator, findOwn, restore, transfer } from './act.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { awaitFirstPayment, type Started } from './first-payment.ts'
import { missing, openPurchase, type Wanted } from './open-purchase.ts'
import {
  AwaitedJson,
  type ChangeSubscription,
  ChangeSubscriptionBody,
  PlanChangeBody,
  PreviewJson,
  previewToJson,
  SubscribeBody,
} from './schema.ts'
import { subscribe } from './subscribe.ts'

/** Routes that change subscriptions. The routes that read them are in subscriptions/routes.ts. */
export function subscriptionActRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/apps/:appId/subscriptions',
      name: 'subscribe',
      operation: 'subscriptions.subscribe',
      orElse: 'purchases.ask',
      summary:
        'Subscribe a merchant to a plan. The response waits up to 5 s for the first payment; without an outcome the subscription is PENDING (202). Without the right SUBSCRIBE the merchant must confirm a purchase (202)',
      params: AppParams,
      body: SubscribeBody,
      answers: { 201: SubscriptionJson, 202: AwaitedJson },
      rejections: [
        'BUSINESS_NOT_FOUND',
        'PLAN_NOT_FOUND',
        'STORE_NOT_FOUND',
        'DEVICE_NOT_FOUND',
        'FORBIDDEN',
        'PAYMENT_METHOD_NOT_FOUND',
        'APPLICATION_DISABLED',
        'TOO_MANY_PURCHASES',
        'ALREADY_SUBSCRIBED',
        'PLAN_RETIRED',
        'PLAN_NOT_SOLD_IN_COUNTRY',
        'PAYMENT_METHOD_REQUIRED',
        'PAYMENT_DECLINED',
      ],
      subject: ({ params, body }) => ({
        appId: uuidOfUrn(params.appId),
        businessId: body.businessId.toLowerCase(),
        ...locationNamed(body),
      }),
      handle: async ({ params, body, principal, operation, db }) => {
        const { paymentMethodId } = body
        const location = locationNamed(body)
        if (operation === 'purchases.ask') {
          return await ask({ ...ports, db }, principal, { planId: body.planId.toLowerCase() }, location)
        }
        const made = await subscribe(
          { ...ports, db },
          {
            appId: uuidOfUrn(params.appId),
            businessId: body.businessId.toLowerCase(),
            planId: body.planId.toLowerCase(),
            ...location,
            seenFrom: locationOfCaller(principal),
            ...(paymentMethodId === undefined ? {} : { paymentMethodId: paymentMethodId.toLowerCase() }),
          },
        )
        return isRejection(made) ? made : started(made)
      },
      follows: 202,
      follow: async (_call, given) => {
        const made = given.body as { subscriptionId: string } | { purchaseId: string }
        // A purchase waits for the merchant, not for a payment.
        if ('purchaseId' in made) return given
        const outcome = await awaitFirstPayment(ports, made.subscriptionId)
        return isRejection(outcome) ? outcome : started(outcome)
      },
    }),
    act(ports, {
      method: 'DELETE',
      path: '/apps/:appId/subscriptions/:subscriptionId',
      name: 'cancelSubscription',
      operation: 'subscriptions.cancel',
      summary: 'Cancel a subscription, at once or at the end of the paid period, as the plan defines',
      rejections: ['SUBSCRIPTION_NOT_FOUND', 'FORBIDDEN', 'ALREADY_ENDED'],
      verb: cancel,
    }),
    act(ports, {
      method: 'POST',
      path: '/apps/:appId/subscriptions/:subscriptionId/restore',
      name: 'restoreSubscription',
      operation: 'subscriptions.restore',
      orElse: 'purchases.ask',
      summary: 'Undo a scheduled cancellation. Without the right SUBSCRIBE the merchant must confirm (202)',
      rejections: [
        ...(['SUBSCRIPTION_NOT_FOUND', 'ALREADY_ENDED', 'NOT_SCHEDULED_TO_CANCEL', 'TOO_MANY_PURCHASES'] as const),
        ...(['STORE_NOT_FOUND', 'DEVICE_NOT_FOUND'] as const),
      ],
      verb: restore,
      asked: subscriptionId => ({ restore: true, subscriptionId }),
    }),
    act(ports, {
      method: 'POST',
      path: '/apps/:appId/subscriptions/:subscriptionId/end',
      name: 'endSubscription',
      operation: 'subscriptions.end',
      summary: 'End a subscription now, as the operator',
      rejections: ['SUBSCRIPTION_NOT_FOUND', 'ALREADY_ENDED'],
      verb: endByOperator,
    }),
  ]
}

/** Decisions 5: 202 while the first payment is open. */
function started(subscription: Started): Answer {
  return answer(subscription.status === 'PENDING' ? 202 : 201, subscriptionToJson(subscription))
}

function locationNamed({ storeId, deviceId }: { readonly storeId?: string; readonly deviceId?: string }): Location {
  return {
    ...(storeId === undefined ? {} : { storeId: storeId.toLowerCase() }),
    ...(deviceId === undefined ? {} : { deviceId: uuidOfUrn(deviceId) }),
  }
}

interface Act {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly name: string
  readonly operation: Operation
  readonly summary: string
  readonly rejections: readonly RejectionCode[]
  readonly verb: (ports: Ports, input: ActInput) => Promise<Subscription | Rejection>
  /** With `orElse`: the purchase that the merchant is asked to confirm. */
  readonly orElse?: Operation
  readonly asked?: (subscriptionId: string) => Wanted
}

/** A route that does one act to one subscription and answers with the new record. */
function act(ports: Ports, { verb, asked, ...given }: Act): AnyRoute {
  return route({
    ...given,
    params: SubscriptionParams,
    answers: { 200: SubscriptionJson, ...(asked && { 202: PurchaseJson }) },
    subject: aboutOne(ports),
    handle: async ({ params, principal, operation, db }) => {
      if (asked && operation === 'purchases.ask') {
        return await ask({ ...ports, db }, principal, asked(params.subscriptionId.toLowerCase()))
      }
      const done = await verb(
        { ...ports, db },
        { appId: uuidOfUrn(params.appId), subscriptionId: params.subscriptionId, ...within(principal) },
      )
      return isRejection(done) ? done : answer(200, subscriptionToJson(done))
    },
  })
}

/** The subject of an act, for `authorize`. */
function aboutOne({ db }: Pick<Ports, 'db'>) {
  return async ({ params, principal }: AboutOne): Promise<Subject> => {
    const appId = uuidOfUrn(params.appId)
    // Decisions 3: an app may cancel its own subscriptions. For people the business counts; an unknown subscription
    // names none, so the answer does not reveal whether it exists.
    if (principal.kind === 'app') return { appId }
    const subscription = await findSubscription(db.sql, params.subscriptionId)
    return subscription?.appId === appId ? { appId, businessId: subscription.businessId } : { appId }
  }
}

interface AboutOne {
  readonly params: { readonly appId: string; readonly subscriptionId: string }
  readonly principal: Principal
}

/** The limits of the caller's view. */
export function within(principal: Principal): Pick<ActInput, 'businessId' | 'seenFrom'> {
  if (!('businessId' in principal) || principal.businessId === undefined) return {}
  return { businessId: principal.businessId, seenFrom: locationOfCaller(principal) }
}

const CHANGE_REJECTIONS: readonly RejectionCode[] = [
  'ALREADY_ENDED',
  'CANCEL_SCHEDULED',
  'PAYMENT_DUE',
  'CHARGE_IN_PROGRESS',
  'SAME_PLAN',
  'PLAN_RETIRED',
  'PLAN_INCOMPATIBLE',
  'APPLICATION_DISABLED',
  'PLAN_NOT_SOLD_IN_COUNTRY',
  'PAYMENT_METHOD_REQUIRED',
  'ALREADY_SUBSCRIBED',
]

/** Routes that change the plan or the location of a subscription. */
export function subscriptionChangeRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'PATCH',
      path: '/apps/:appId/subscriptions/:subscriptionId',
      name: 'changeSubscription',
      operation: 'subscriptions.change',
      orElse: 'purchases.ask',
      summary:
        'Change the plan of a subscription, now or at the end of the period, or move it to another device or store. Without the right SUBSCRIBE the merchant must confirm the change (202)',
      params: SubscriptionParams,
      body: ChangeSubscriptionBody,
      answers: { 200: SubscriptionJson, 202: PurchaseJson },
      rejections: [
        // No single field is required.
        'MISSING_PARAMETER',
        ...(['SUBSCRIPTION_NOT_FOUND', 'PLAN_NOT_FOUND', 'STORE_NOT_FOUND', 'DEVICE_NOT_FOUND'] as const),
        'FORBIDDEN',
        'TOO_MANY_PURCHASES',
        ...CHANGE_REJECTIONS,
      ],
      subject: aboutOne(ports),
      handle: async ({ params, body, principal, operation, db }) => {
        const input = { appId: uuidOfUrn(params.appId), subscriptionId: params.subscriptionId, ...within(principal) }
        if (operation === 'purchases.ask') return await askToChange({ ...ports, db }, principal, input, body)
        const changed = await change({ ...ports, db }, input, body)
        return isRejection(changed) ? changed : answer(200, subscriptionToJson(changed))
      },
    }),
    route({
      method: 'POST',
      path: '/apps/:appId/subscriptions/:subscriptionId/preview',
      name: 'previewPlanChange',
      operation: 'subscriptions.change',
      summary: 'Preview a plan change: the lines of its invoice and the credit. Nothing is stored',
      params: SubscriptionParams,
      body: PlanChangeBody,
      answers: { 200: PreviewJson },
      rejections: ['SUBSCRIPTION_NOT_FOUND', 'PLAN_NOT_FOUND', ...CHANGE_REJECTIONS],
      // A preview changes nothing, and a repeated preview is a new one.
      idempotent: false,
      audited: false,
      subject: aboutOne(ports),
      handle: async ({ params, body, principal, db }) => {
        const input = { appId: uuidOfUrn(params.appId), subscriptionId: params.subscriptionId, ...within(principal) }
        const preview = await previewPlanChange(
          { ...ports, db },
          { ...input, planId: body.planId.toLowerCase(), when: body.when },
        )
        return isRejection(preview) ? preview : answer(200, previewToJson(preview))
      },
    }),
  ]
}

/** An app can ask a merchant for another plan at once, and for no other change. */
async function askToChange(
  ports: Ports,
  principal: Principal,
  input: ActInput,
  { planId, when, storeId, deviceId }: ChangeSubscription,
): Promise<Answer | Rejection> {
  const own = await findOwn(ports.db.sql, input)
  if (isRejection(own)) return own
  if (planId === undefined || when !== 'NOW' || storeId !== undefined || deviceId !== undefined) {
    return reject('FORBIDDEN', 'Without the right SUBSCRIBE, an app can only request another plan, with when: NOW.')
  }
  const { subscriptionId } = own
  return await ask(ports, principal, { planId: planId.toLowerCase(), replace: true, subscriptionId })
}

/** Either a plan with `when`, or a location. */
async function change(
  ports: Ports,
  input: ActInput,
  { planId, when, storeId, deviceId }: ChangeSubscription,
): Promise<Subscription | Rejection> {
  // An unknown subscription is 404, even if the body is invalid.
  const own = await findOwn(ports.db.sql, input)
  if (isRejection(own)) return own
  if (storeId === undefined && deviceId === undefined) {
    if (planId === undefined) return missing('planId', 'required, with `when`; or a deviceId or storeId to move to')
    if (when === undefined) return missing('when', 'required with planId: NOW or PERIOD_END')
    return await changePlan(ports, { ...input, planId: planId.toLowerCase(), when })
  }
  if (planId !== undefined || when !== undefined) {
    return rejectField(
      'planId',
      'cannot be sent together with a location: send the plan and the location in separate requests',
    )
  }
  const to = locationNamed(given({ storeId, deviceId }))
  if (!isSeenFrom(input.seenFrom ?? {}, to)) return reject('FORBIDDEN', 'The token belongs to another store or device.')
  return await transfer(ports, { ...input, to })
}

/**
 * Decisions 3: an app without the right SUBSCRIBE gets "an OPEN purchase for the merchant to confirm". `at` is the
 * location in the request; the app's own location wins.
 */
async function ask(ports: Ports, principal: Principal, wanted: Wanted, at: Location = {}): Promise<Answer | Rejection> {
  assert(principal.kind === 'app' && principal.businessId !== undefined, 'ask: by an app, within a business')
  const { appId, businessId, user } = principal
  const opened = await openPurchase(ports, {
    ...{ appId, businessId, openedBy: 'APP', wanted, ...at, ...locationOfCaller(principal) },
    ...(user === undefined ? {} : { businessUserId: user.businessUserId }),
  })
  return isRejection(opened) ? opened : answer(202, purchaseToJson(opened.purchase, opened.url))
}
