import { findApp } from '../../catalog/apps/store.ts'
import { assert } from '../../core/assert.ts'
import { type BodyEventType, TEST_EVENT_TYPE } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import { dayOfId } from '../../core/id.ts'
import { testBody } from '../../core/notification.ts'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { sampleBody } from '../../core/sample-event.ts'
import { send } from '../../platform/db/sql.ts'
import { rejectDeliveryUrl } from '../../platform/egress/check-url.ts'
import { createRateLimiter, type RateLimiter } from '../../platform/http/limits.ts'
import type { Ports } from '../../ports.ts'
import { VERSION } from '../../version.ts'
import { type PostedAttempt, postOnce } from '../deliveries/attempt.ts'
import { type SingleAttempt, saveSingle } from '../deliveries/store.ts'
import { hookNotFound } from '../hooks/get.ts'
import { resetHookHealth } from '../hooks/health.ts'
import { newHookSecret } from '../hooks/rotate-secret.ts'
import { openEndpoint } from '../hooks/secret.ts'
import { findSealedSecrets } from '../hooks/store.ts'
import { insertionOf, type Notification } from './store.ts'

/** Tests per app. Enough for trying out, and too few to flood an address that is not the developer's. */
const TESTS = { perSecond: 0.5, burst: 30 }

/** How often the hooks of each app may be tested, over all routes and pages. */
export interface HookTests {
  readonly hookTests: RateLimiter
}

export function limitHookTests({ clock }: Pick<Ports, 'clock'>): HookTests {
  return { hookTests: createRateLimiter(TESTS, clock) }
}

/**
 * Sends a signed TEST notification, or a sample of another event type, once and at once, also to an inactive hook, and records it in the history together with the answer. An
 * acknowledged test closes the breaker and ends the hook's failing days; a failed test changes nothing. Rejects: TOO_MANY_REQUESTS,
 * HOOK_NOT_FOUND. Source: decisions 7.
 */
export async function testHook(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'post' | 'settings' | 'dispatch'> & HookTests,
  hook: Hook,
  eventType: BodyEventType = TEST_EVENT_TYPE,
): Promise<SingleAttempt | Rejection> {
  const { db, clock, vault, hookTests } = ports
  const tooMany = rejectTooManyTests({ hookTests }, hook.appId)
  if (tooMany !== null) return tooMany
  const sealedSecrets = await findSealedSecrets(db.sql, hook.hookId)
  if (sealedSecrets === null) return hookNotFound()
  const recordedAt = clock.now()
  const notification = await testOf(ports, hook, { at: recordedAt, eventType })
  const { notificationId, hookId, deliveryUrl, body } = notification
  const endpoint = openEndpoint(vault, { deliveryUrl, sealedSecrets })
  const { posted } = await postOnce(ports, { notificationId, hookId, body, ...endpoint, version: VERSION })
  const attempt = { notificationId, ...posted }
  await db.transaction(async ({ sql, afterCommit }) => {
    await send(sql, insertionOf([notification], recordedAt))
    await saveSingle(sql, notification, attempt)
    if (!attempt.acknowledged) return
    await resetHookHealth(sql, [hookId])
    afterCommit(() => ports.dispatch?.changed([hookId]))
  })
  return attempt
}

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

/** Counts a test of the app. */
function rejectTooManyTests({ hookTests }: HookTests, appId: string): Rejection | null {
  const seconds = hookTests.take(appId)
  if (seconds <= 0) return null
  const words = `An app can test its hooks ${TESTS.burst} times, then every ${1 / TESTS.perSecond} s.`
  return reject('TOO_MANY_REQUESTS', words, { retryAfterSeconds: seconds })
}

async function testOf(
  { db, newId, settings }: Pick<Ports, 'db' | 'newId' | 'settings'>,
  { hookId, appId, businessId: ofMerchant, deliveryUrl }: Hook,
  { at, eventType }: { readonly at: Date; readonly eventType: BodyEventType },
): Promise<Notification> {
  const app = await findApp(db.sql, appId)
  assert(app, `a hook without its app: ${hookId}`)
  const notificationId = newId()
  // The merchant of a sample is invented, unless the hook is a merchant's.
  const businessId = ofMerchant ?? (eventType === TEST_EVENT_TYPE ? app.organizationId : newId())
  const sample = { resourceId: newId(), invoiceId: newId(), storeId: newId(), deviceId: newId() }
  const of = { ...sample, businessId, at, merchantType: 'TEST_MERCHANT' } as const
  return {
    notificationId,
    recordedDay: dayOfId(notificationId),
    hookId,
    appId,
    businessId,
    resourceId: hookId,
    resourceSeq: 0,
    // A sample is recorded as a TEST too, because a sample is not an event.
    eventType: TEST_EVENT_TYPE,
    deliveryUrl,
    body: sampleBody(eventType, of, { notificationId, hookId, appId }, settings),
  }
}
