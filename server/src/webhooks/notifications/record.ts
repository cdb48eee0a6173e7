import { assert } from '../../core/assert.ts'
import type { Event } from '../../core/event.ts'
import { dayOfId } from '../../core/id.ts'
import { notificationBody } from '../../core/notification.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { keepToIndexes, pipeline } from '../../platform/db/sql.ts'
import type { HandedOff, HandOffOffer, Ports } from '../../ports.ts'
import { insertDeliveries } from '../deliveries/store.ts'
import { findListeners, keepHooksOff, type Listener } from '../hooks/store.ts'
import { insertionOf, type Notification } from './store.ts'

export type RecordPorts = Pick<Ports, 'clock' | 'newId' | 'settings' | 'wake' | 'handOff' | 'telemetry'>

/**
 * Tells every hook that listens of the events: one notification for each, in the caller's transaction, due at once. Its
 * commit is the outbox: what happened is told, and what did not is not. A hook that the service has disabled has missed it. What this process has room for is inserted leased to
 * it, and handed off after the commit. The transaction keeps to indexes from here on. Two statements, however many the events, and two more where it has; none without events. The caller holds the lock of each event's resource, so that `resourceSeq` is the order of the commits.
 * Source: decisions 7; interface, Delivery 1.
 */
export async function recordNotifications(tx: Tx, ports: RecordPorts, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return
  const readAtMs = performance.now()
  // What is queued of a hook is thousands of rows at one moment and none at the next, at which the insertion may be planned.
  const [, listeners] = await pipeline([keepToIndexes(tx.sql), findSettledListeners(tx.sql, events)])
  if (listeners.length === 0) return
  // Decisions 10: recording is in real time, whatever clock the merchant lives by.
  const now = ports.clock.now()
  const notifications = listeners.map(listener => toNotification(ports, events, listener))
  const offer = ports.handOff?.offer(listeners.map(({ hookId }) => hookId)) ?? null
  const offered = offer && {
    ...offer,
    notificationIds: new Set(
      notifications
        .filter((_, index) => offer.accepted[index] && listeners[index]?.active)
        .map(({ notificationId }) => notificationId),
    ),
  }
  const missed = notifications.filter((_, index) => !listeners[index]?.active)
  const disabled = new Set(missed.map(({ hookId }) => hookId))
  const { leased, parked } = await insertDeliveries(tx.sql, insertionOf(notifications, now), notifications, now, {
    offered,
    disabled,
  })
  tx.afterCommit(() => {
    ports.telemetry?.gaveUp(
      missed.map(({ notificationId, hookId }) => ({ notificationId, hookId, reason: 'hook_inactive' })),
    )
    if (offer && leased.size > 0)
      ports.handOff?.take(handedOff(notifications, listeners, { ...offer, leased, now }), readAtMs)
    const left = notifications.filter(
      ({ notificationId }, index) =>
        listeners[index]?.active && !leased.has(notificationId) && !parked.has(notificationId),
    )
    if (left.length > 0) leave(ports, left)
  })
}

/**
 * What one misses must be on record when it is switched on, or a redelivery of what it has missed may have gone by before. So nobody
 * switches one on that was found disabled until the transaction ends, and who has just done so is waited for.
 */
async function findSettledListeners(sql: Sql, events: readonly Event[]): Promise<Listener[]> {
  const kept = new Set<string>()
  for (;;) {
    const listeners = await findListeners(sql, events)
    const appIds = new Set(
      listeners.filter(({ active, appId }) => !active && !kept.has(appId)).map(({ appId }) => appId),
    )
    if (appIds.size === 0) return listeners
    await keepHooksOff(sql, [...appIds].sort())
    for (const appId of appIds) kept.add(appId)
  }
}

/** In the queue, for a claim. What waits for a breaker, or for a hook that does not listen, is none's now: it must wake nobody. */
function leave({ handOff, wake }: Pick<RecordPorts, 'handOff' | 'wake'>, left: readonly Notification[]): void {
  const hookIds = left.map(({ hookId }) => hookId)
  if (handOff === undefined) wake.deliveries(hookIds)
  else handOff.left(hookIds)
}

function handedOff(
  notifications: readonly Notification[],
  listeners: readonly Listener[],
  under: Pick<HandOffOffer, 'leaseId' | 'leasedUntil'> & { leased: ReadonlySet<string>; now: Date },
): HandedOff[] {
  const { leaseId, leasedUntil, leased, now: recordedAt } = under
  return notifications.flatMap(({ notificationId, hookId, body, deliveryUrl }, index) => {
    const sealedSecret = listeners[index]?.sealedSecret
    if (sealedSecret === undefined || !leased.has(notificationId)) return []
    return [{ notificationId, hookId, body, recordedAt, deliveryUrl, sealedSecret, leaseId, leasedUntil }]
  })
}

function toNotification(
  { newId, settings }: Pick<Ports, 'newId' | 'settings'>,
  events: readonly Event[],
  { eventIndex, hookId, appId, deliveryUrl }: Listener,
): Notification {
  const event = events[eventIndex]
  assert(event, `a listener without its event: ${eventIndex}`)
  const notificationId = newId()
  const { businessId, resourceId, resourceSeq, eventType } = event
  return {
    notificationId,
    recordedDay: dayOfId(notificationId),
    hookId,
    appId,
    businessId,
    resourceId,
    resourceSeq,
    eventType,
    deliveryUrl,
    body: notificationBody(event, { notificationId, hookId, appId }, settings),
  }
}
