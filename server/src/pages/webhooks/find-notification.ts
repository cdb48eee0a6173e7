import type { Hook } from '../../core/hook.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import { getDelivery } from '../../webhooks/notifications/history.ts'
import { deliveryNotFound } from '../../webhooks/notifications/scope.ts'

/** A notification of the hook, with its attempts; another hook's is as good as none, and so is one older than the history. */
export async function findNotification(
  ports: Parameters<typeof getDelivery>[0],
  { appId, hookId }: Hook,
  { principal, notificationId }: { readonly principal: Principal; readonly notificationId: string },
): ReturnType<typeof getDelivery> {
  const found = await getDelivery(ports, { of: { appId }, principal, notificationId: notificationId.toLowerCase() })
  return isRejection(found) || found.entry.hookId === hookId ? found : deliveryNotFound()
}
