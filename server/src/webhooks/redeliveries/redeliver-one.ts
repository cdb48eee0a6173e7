import { ORDER_EVENT_TYPES } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { isApprovedNow } from '../../merchants/approvals/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { queueReplay } from '../deliveries/store.ts'
import { hookNotFound } from '../hooks/get.ts'
import { findHook } from '../hooks/store.ts'
import type { Asked } from '../notifications/history.ts'
import { findHistory, findHistoryOfEvent, type HistoryEntry } from '../notifications/history-store.ts'
import { deliveryNotFound, scopeOf } from '../notifications/scope.ts'
import { copyNotification } from '../notifications/store.ts'
import { hookInactive } from './redelivery.ts'

/**
 * Replays one notification: the same bytes and id. A delivery that waits for a retry becomes due now; a delivery that waits for its first
 * attempt is unchanged. Rejects: DELIVERY_NOT_FOUND, also for another tenant's; HOOK_INACTIVE; TEST_SENT_ONCE; APPROVAL_REVOKED. Source:
 * decisions 7.
 */
export async function redeliverOne(
  { db, clock, dispatch }: Pick<Ports, 'db' | 'clock' | 'dispatch'>,
  { of, principal, notificationId }: Asked,
): Promise<HistoryEntry | Rejection> {
  const now = clock.now()
  const scope = scopeOf(of, principal, now)
  return db.transaction(async ({ sql, afterCommit }) => {
    const entry = await findHistory(sql, notificationId, scope)
    if (entry === null) return deliveryNotFound()
    const hook = await findHook(sql, entry.hookId, {})
    const rejected = await rejectReplay(sql, entry, hook)
    if (rejected !== null) return rejected
    await queueReplay(sql, [notificationId], now)
    const again = await findHistory(sql, notificationId, scope)
    if (again === null) return deliveryNotFound()
    afterCommit(() => dispatch?.changed([entry.hookId]))
    return again
  })
}

/**
 * Sends the event of a notification to a chosen hook of the app, also to a hook that is newer than the event or listens to other types. A
 * hook that has the event receives the same bytes and id again. Returns the id of the hook's notification: two simultaneous calls return
 * the same. Rejects like `redeliverOne`, and HOOK_NOT_FOUND for a hook of another app or merchant.
 */
export async function redeliverTo(
  { db, clock, dispatch, newId }: Pick<Ports, 'db' | 'clock' | 'dispatch' | 'newId'>,
  { of, principal, notificationId, hookId }: Asked & { readonly hookId: string },
): Promise<string | Rejection> {
  const now = clock.now()
  const scope = scopeOf(of, principal, now)
  return db.transaction(async ({ sql, afterCommit }) => {
    const entry = await findHistory(sql, notificationId, scope)
    if (entry === null) return deliveryNotFound()
    // The lock makes the second of two calls find the notification of the first.
    const hook = await findHook(sql, hookId, { isLocked: true })
    const { applicationId, businessId } = JSON.parse(entry.body)
    const isOfApp = hook !== null && applicationId === `urn:aid:${hook.appId}`
    if (!isOfApp || (hook.businessId ?? businessId) !== businessId) return hookNotFound()
    const rejected = await rejectReplay(sql, entry, hook)
    if (rejected !== null) return rejected
    const known = (await findHistoryOfEvent(sql, notificationId, scope)).find(one => one.hookId === hookId)
    const id = known?.notificationId ?? newId()
    if (known === undefined) await copyNotification(sql, entry, { to: hook, newId: id, now })
    await queueReplay(sql, [id], now)
    afterCommit(() => dispatch?.changed([hookId]))
    return id
  })
}

async function rejectReplay(sql: Sql, { body, isTest }: HistoryEntry, hook: Hook | null): Promise<Rejection | null> {
  if (!hook?.active) return hookInactive()
  const { eventType, businessId } = JSON.parse(body)
  if (isTest) return reject('TEST_SENT_ONCE', 'A TEST is sent once: POST /hooks/{hookId}/test sends another one.')
  if (!ORDER_EVENT_TYPES.includes(eventType) || (await isApprovedNow(sql, businessId, hook.appId))) return null
  // Decisions 7, Orders: "To apps the merchant approved". Also rejects a delivery that is still queued and would be ended later.
  const words = 'The notification is about an order of a merchant who has revoked the approval of the app.'
  return reject('APPROVAL_REVOKED', words)
}
