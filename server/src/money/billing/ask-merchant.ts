import { assert } from '../../core/assert.ts'
import { type Principal, placeOfCaller } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Place } from '../../core/subscription.ts'
import { type Answer, answer } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { purchaseToJson } from '../purchases/schema.ts'
import { openPurchase, type Wanted } from './open-purchase.ts'

/**
 * Decisions 3: an app without the right SUBSCRIBE gets "an OPEN purchase for the merchant to confirm". `at`: the place that it
 * names; within a store or a device, the app's own.
 */
export async function ask(
  ports: Ports,
  principal: Principal,
  wanted: Wanted,
  at: Place = {},
): Promise<Answer | Rejection> {
  assert(principal.kind === 'app' && principal.businessId !== undefined, 'ask: by an app, within a business')
  const { appId, businessId, user } = principal
  const opened = await openPurchase(ports, {
    ...{ appId, businessId, openedBy: 'APP', wanted, ...at, ...placeOfCaller(principal) },
    ...(user === undefined ? {} : { businessUserId: user.businessUserId }),
  })
  return isRejection(opened) ? opened : answer(202, purchaseToJson(opened.purchase, opened.url))
}
