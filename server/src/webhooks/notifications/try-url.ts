import { acknowledged, reasonWord } from '../../core/delivery.ts'
import { given } from '../../core/given.ts'
import { testBody } from '../../core/notification.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import { rejectDeliveryUrl } from '../../platform/egress/check-url.ts'
import type { Ports } from '../../ports.ts'
import { VERSION } from '../../version.ts'
import { deliveryRequest } from '../deliveries/attempt.ts'
import { newHookSecret } from '../hooks/rotate-secret.ts'
import type { Attempt } from './history-store.ts'
import { type HookTests, rejectTooManyTests } from './test-hook.ts'

/**
 * Posts a TEST to a URL that no hook has yet: name, connection and TLS are checked as for a delivery. Nobody knows the secret that signs the
 * TEST, and nothing is recorded. Rejects: INVALID_PARAMETER, TOO_MANY_REQUESTS.
 */
export async function tryUrl(
  { clock, newId, post, settings, hookTests }: Pick<Ports, 'clock' | 'newId' | 'post' | 'settings'> & HookTests,
  { appId, organizationId, deliveryUrl }: { appId: string; organizationId: string; deliveryUrl: string },
): Promise<(Attempt & { readonly isAcknowledged: boolean }) | Rejection> {
  const problem = rejectDeliveryUrl(deliveryUrl, settings)
  if (problem !== null) return rejectField('deliveryUrl', problem)
  const tooMany = rejectTooManyTests({ hookTests }, appId)
  if (tooMany !== null) return tooMany
  const now = clock.now()
  const ids = { notificationId: newId(), hookId: newId(), appId }
  const attemptId = newId()
  const body = testBody({ businessId: organizationId, at: now }, ids, settings)
  const parts = { ...ids, deliveryUrl, body, secret: newHookSecret(), requestId: attemptId, now, version: VERSION }
  const outcome = await post(deliveryRequest(parts))
  const answered =
    outcome.kind === 'answered' ? { httpStatus: outcome.httpStatus, answer: outcome.answer } : { answer: '' }
  const made = { attemptId, attemptedAt: now, durationMs: outcome.durationMs, ...answered }
  return { ...made, ...given({ reason: reasonWord(outcome) }), isAcknowledged: acknowledged(outcome) }
}
