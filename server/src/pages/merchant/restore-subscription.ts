import { Type } from 'typebox'
import { isRejection, type RejectionCode } from '../../core/rejection.ts'
import { restore } from '../../money/billing/act.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { findOwnSubscription } from './find-own.ts'
import { PATHS } from './frame.ts'
import { ownPage } from './own-page.ts'

const CLOSED = new Set<RejectionCode>(['STORE_NOT_FOUND', 'DEVICE_NOT_FOUND'])

type RestorePorts = Parameters<typeof restore>[0]

/** Undoes a scheduled cancellation. What it costs from then on stands beside the button. */
export function restoreSubscriptionPage(ports: RestorePorts): AnyPage {
  return ownPage(ports, {
    method: 'POST',
    path: `${PATHS.subscriptions}/:subscriptionId/restore`,
    name: 'restoreOwnSubscription',
    operation: 'subscriptions.restore',
    params: Type.Object({ subscriptionId: Uuid }),
    async handle(call, shop) {
      const subscription = await findOwnSubscription(call.db.sql, shop, call.params.subscriptionId)
      if (isRejection(subscription)) return subscription
      const { subscriptionId, appId, businessId } = subscription
      const back = `${PATHS.subscriptions}/${subscriptionId}`
      const restored = await restore({ ...ports, db: call.db }, { subscriptionId, appId, businessId })
      if (!isRejection(restored)) return redirect(`${back}?done=restored`)
      // Its store or terminal is closed for good: pressed again, it would be the same.
      if (CLOSED.has(restored.rejected)) return restored
      // Pressed twice, or too late: the page tells how it stands.
      return redirect(back)
    },
  })
}
