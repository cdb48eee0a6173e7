import { testBody } from '../../core/notification.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import { rejectDeliveryUrl } from '../../platform/egress/check-url.ts'
import type { Ports } from '../../ports.ts'
import { VERSION } from '../../version.ts'
import { type PostedAttempt, postOnce } from '../deliveries/attempt.ts'
import { newHookSecret } from '../hooks/rotate-secret.ts'
import { type HookTests, rejectTooManyTests } from './test-hook.ts'

/**
 * Posts a TEST to a URL that no hook has yet: name, connection and TLS are checked as for a delivery. No receiver knows the secret that signs the
 * TEST, and nothing is recorded. Rejects: INVALID_PARAMETER, TOO_MANY_REQUESTS.
 */
export async function tryUrl(
  ports: Pick<Ports, 'clock' | 'newId' | 'post' | 'settings'> & HookTests,
  { appId, organizationId, deliveryUrl }: { appId: string; organizationId: string; deliveryUrl: string },
): Promise<PostedAttempt | Rejection> {
  const { clock, newId, settings } = ports
  const problem = rejectDeliveryUrl(deliveryUrl, settings)
  if (problem !== null) return rejectField('deliveryUrl', problem)
  const tooMany = rejectTooManyTests(ports, appId)
  if (tooMany !== null) return tooMany
  const ids = { notificationId: newId(), hookId: newId(), appId }
  const body = testBody({ businessId: organizationId, at: clock.now() }, ids, settings)
  const parts = { ...ids, deliveryUrl, body, secret: newHookSecret(), version: VERSION }
  return (await postOnce(ports, parts)).posted
}
