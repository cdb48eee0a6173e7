import { Type } from 'typebox'
import { restore } from '../../billing/act.ts'
import { isRefusal } from '../../core/refusal.ts'
import { type AnyPage, redirect } from '../../http/page.ts'
import { Uuid } from '../../http/wire.ts'
import { findOwnSubscription } from './find-own.ts'
import { PATHS } from './frame.ts'
import { ownPage } from './own-page.ts'

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
      if (isRefusal(subscription)) return subscription
      const { subscriptionId, appId, businessId } = subscription
      const back = `${PATHS.subscriptions}/${subscriptionId}`
      const restored = await restore({ ...ports, db: call.db }, { subscriptionId, appId, businessId })
      if (!isRefusal(restored)) return redirect(`${back}?done=restored`)
      // Pressed twice, or too late: the page tells how it stands.
      return redirect(back)
    },
  })
}
