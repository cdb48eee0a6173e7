import { isSeenFrom } from '../../core/place.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, type RejectionCode, reject, rejectField } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { type Answer, type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { PurchaseJson } from '../purchases/schema.ts'
import { SubscriptionJson, SubscriptionParams, subscriptionToJson } from '../subscriptions/schema.ts'
import { ask } from './ask-merchant.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { type ActInput, findOwn } from './own.ts'
import {
  type ChangeSubscription,
  ChangeSubscriptionBody,
  PlanChangeBody,
  PreviewJson,
  previewToJson,
} from './schema.ts'
import { aboutOne, within } from './subscription-routes.ts'
import { transfer } from './transfer.ts'

const CHANGE_REFUSALS: readonly RejectionCode[] = [
  'ALREADY_ENDED',
  'CANCEL_SCHEDULED',
  'PAYMENT_DUE',
  'CHARGE_IN_PROGRESS',
  'SAME_PLAN',
  'PLAN_RETIRED',
  'PLAN_INCOMPATIBLE',
  'PLAN_NOT_SOLD_IN_COUNTRY',
  'PAYMENT_METHOD_REQUIRED',
  'ALREADY_SUBSCRIBED',
]

/** Another plan, or another place, for a subscription. */
export function subscriptionChangeRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'PATCH',
      path: '/apps/:appId/subscriptions/:subscriptionId',
      name: 'changeSubscription',
      operation: 'subscriptions.change',
      orElse: 'purchases.ask',
      summary:
        'Changes the plan, now or at the end of the period; or moves it to another device or store. An app that may not do so for the merchant asks it to confirm the plan (202).',
      params: SubscriptionParams,
      body: ChangeSubscriptionBody,
      answers: { 200: SubscriptionJson, 202: PurchaseJson },
      rejections: [
        // Of its fields none is required by itself.
        'MISSING_PARAMETER',
        ...(['SUBSCRIPTION_NOT_FOUND', 'PLAN_NOT_FOUND', 'STORE_NOT_FOUND', 'DEVICE_NOT_FOUND'] as const),
        'FORBIDDEN',
        'TOO_MANY_PURCHASES',
        ...CHANGE_REFUSALS,
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
      summary: 'What a change of plan would bring: the lines of its invoice, and the credit. Nothing is stored.',
      params: SubscriptionParams,
      body: PlanChangeBody,
      answers: { 200: PreviewJson },
      rejections: ['SUBSCRIPTION_NOT_FOUND', 'PLAN_NOT_FOUND', ...CHANGE_REFUSALS],
      // It tells how things are, so each is a new one; and it changes nothing.
      idempotent: false,
      audited: false,
      subject: aboutOne(ports),
      handle: async ({ params, body, principal, db }) => {
        const input = { appId: uuidOfUrn(params.appId), subscriptionId: params.subscriptionId, ...within(principal) }
        const told = await previewPlanChange(
          { ...ports, db },
          { ...input, planId: body.planId.toLowerCase(), when: body.when },
        )
        return isRejection(told) ? told : answer(200, previewToJson(told))
      },
    }),
  ]
}

/** A merchant can be asked for another plan, at once; for nothing else of it. */
async function askToChange(
  ports: Ports,
  principal: Principal,
  input: ActInput,
  { planId, when, storeId, deviceId }: ChangeSubscription,
): Promise<Answer | Rejection> {
  const own = await findOwn(ports.db.sql, input)
  if (isRejection(own)) return own
  if (planId === undefined || when !== 'NOW' || storeId !== undefined || deviceId !== undefined) {
    return reject('FORBIDDEN', 'Without the right SUBSCRIBE an app can ask for another plan NOW, and for nothing else.')
  }
  const { subscriptionId } = own
  return await ask(ports, principal, { planId: planId.toLowerCase(), replace: true, subscriptionId })
}

/** One or the other: a plan and when, or a place. */
async function change(
  ports: Ports,
  input: ActInput,
  { planId, when, storeId, deviceId }: ChangeSubscription,
): Promise<Subscription | Rejection> {
  // What is not there is not found, whatever is asked of it.
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
      'cannot be sent together with a place: change the plan and move it one after the other',
    )
  }
  const to = {
    ...(storeId === undefined ? {} : { storeId: storeId.toLowerCase() }),
    ...(deviceId === undefined ? {} : { deviceId: uuidOfUrn(deviceId) }),
  }
  if (!isSeenFrom(input.seenFrom ?? {}, to)) return reject('FORBIDDEN', 'The token is of another store or device.')
  return await transfer(ports, { ...input, to })
}

function missing(path: string, problem: string): Rejection {
  return reject('MISSING_PARAMETER', `${path}: ${problem}.`, { fields: [{ path, problem }] })
}
