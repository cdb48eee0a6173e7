import { type Principal, placeOfCaller } from '../../core/principal.ts'
import { isRejection, type Rejection, type RejectionCode } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Place, Subscription } from '../../core/subscription.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { PurchaseJson } from '../purchases/schema.ts'
import { AppParams, SubscriptionJson, SubscriptionParams, subscriptionToJson } from '../subscriptions/schema.ts'
import { findSubscription } from '../subscriptions/store.ts'
import { cancel, endByOperator, restore } from './act.ts'
import { ask } from './ask-merchant.ts'
import type { Wanted } from './open-purchase.ts'
import type { ActInput } from './own.ts'
import { SubscribeBody } from './schema.ts'
import { subscribe } from './subscribe.ts'

/** What people do to subscriptions. Reading them is in subscriptions/routes.ts. */
export function subscriptionActRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/apps/:appId/subscriptions',
      name: 'subscribe',
      operation: 'subscriptions.subscribe',
      orElse: 'purchases.ask',
      summary: 'A merchant subscribes to a plan; an app that may not do so for it asks it to confirm (202).',
      params: AppParams,
      body: SubscribeBody,
      answers: { 201: SubscriptionJson, 202: PurchaseJson },
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
      ],
      subject: ({ params, body }) => ({
        appId: uuidOfUrn(params.appId),
        businessId: body.businessId.toLowerCase(),
        ...placeNamed(body),
      }),
      handle: async ({ params, body, principal, operation, db }) => {
        const { paymentMethodId } = body
        const place = placeNamed(body)
        if (operation === 'purchases.ask') {
          return await ask({ ...ports, db }, principal, { planId: body.planId.toLowerCase() }, place)
        }
        const made = await subscribe(
          { ...ports, db },
          {
            appId: uuidOfUrn(params.appId),
            businessId: body.businessId.toLowerCase(),
            planId: body.planId.toLowerCase(),
            ...place,
            seenFrom: placeOfCaller(principal),
            ...(paymentMethodId === undefined ? {} : { paymentMethodId: paymentMethodId.toLowerCase() }),
          },
        )
        return isRejection(made) ? made : answer(201, subscriptionToJson(made))
      },
    }),
    act(ports, {
      method: 'DELETE',
      path: '/apps/:appId/subscriptions/:subscriptionId',
      name: 'cancelSubscription',
      operation: 'subscriptions.cancel',
      summary: 'Cancels: at once, or at the end of the paid period, as the plan says.',
      rejections: ['SUBSCRIPTION_NOT_FOUND', 'FORBIDDEN', 'ALREADY_ENDED'],
      verb: cancel,
    }),
    act(ports, {
      method: 'POST',
      path: '/apps/:appId/subscriptions/:subscriptionId/restore',
      name: 'restoreSubscription',
      operation: 'subscriptions.restore',
      orElse: 'purchases.ask',
      summary: 'Undoes a scheduled cancellation; an app that may not do so for the merchant asks it to confirm (202).',
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
      summary: 'The operator ends a subscription now.',
      rejections: ['SUBSCRIPTION_NOT_FOUND', 'ALREADY_ENDED'],
      verb: endByOperator,
    }),
  ]
}

function placeNamed({ storeId, deviceId }: { readonly storeId?: string; readonly deviceId?: string }): Place {
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
  /** With `orElse`: what the merchant is asked to confirm. */
  readonly orElse?: Operation
  readonly asked?: (subscriptionId: string) => Wanted
}

/** A route that does one thing to one subscription, and answers with what it became. */
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

/** Who is asked about one subscription: what `authorize` must know. */
export function aboutOne({ db }: Pick<Ports, 'db'>) {
  return async ({ params, principal }: AboutOne): Promise<Subject> => {
    const appId = uuidOfUrn(params.appId)
    // Decisions 3: an app cancels by being the app; for people it counts whose subscription it is. One that is not there
    // names no business, so that nobody learns by the answer whether it exists.
    if (principal.kind === 'app') return { appId }
    const subscription = await findSubscription(db.sql, params.subscriptionId)
    return subscription?.appId === appId ? { appId, businessId: subscription.businessId } : { appId }
  }
}

interface AboutOne {
  readonly params: { readonly appId: string; readonly subscriptionId: string }
  readonly principal: Principal
}

/** Within the one business that the caller may touch, and what is seen from its store and device, where it has any. */
export function within(principal: Principal): Pick<ActInput, 'businessId' | 'seenFrom'> {
  if (!('businessId' in principal) || principal.businessId === undefined) return {}
  return { businessId: principal.businessId, seenFrom: placeOfCaller(principal) }
}
