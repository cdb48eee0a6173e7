import { type Event, isOrderEvent } from '../../core/event.ts'
import { dayOfId } from '../../core/id.ts'
import { notificationBody } from '../../core/notification.ts'
import type { Tx } from '../../platform/db/db.ts'
import { keepToIndexes, pipeline } from '../../platform/db/sql.ts'
import type { Ports, RecordedDelivery } from '../../ports.ts'
import { insertDeliveries, type Place } from '../deliveries/store.ts'
import { insertStreamEvents, type StreamEvent } from '../event-streams/store.ts'
import { findListeners, type Listener } from '../hooks/store.ts'
import { insertionOf, type Notification } from './store.ts'

export type RecordPorts = Pick<Ports, 'clock' | 'newId' | 'settings' | 'dispatch' | 'telemetry'>

/**
 * Records one notification per listening hook in the caller's transaction: the commit is the outbox. For a hook that the service has disabled,
 * the missed notification is recorded. Takes three statements for any number of events, two if no hook listens, and one more if an event stream
 * is open. The caller holds the lock of each event's resource, so that `resourceSeq` is the order of the commits. Source: decisions 7; interface,
 * Delivery 1.
 */
export async function recordNotifications(tx: Tx, ports: RecordPorts, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return
  // A hook's queue may grow from empty to thousands of rows in a moment, so PostgreSQL may plan the insertion for either size.
  // Decisions 10: recording uses real time, also for a merchant with a test clock.
  const now = ports.clock.now()
  const [, found] = await pipeline([keepToIndexes(tx.sql), findListeners(tx.sql, events, now)])
  const { hooks: listeners = [], streams = [] } = Object.groupBy(found, one => (one.isStream ? 'streams' : 'hooks'))
  const notifications = listeners.map(listener => toNotification(ports, listener))
  if (streams.length > 0) {
    const ids = new Map(notifications.map(one => [eventKey(one), one.notificationId]))
    await insertStreamEvents(
      tx.sql,
      streams.map(stream => toStreamEvent(ports, stream, ids.get(eventKey({ ...stream.event, appId: stream.appId })))),
    )
  }
  if (listeners.length === 0) return
  const missed = notifications.filter((_, index) => !listeners[index]?.active)
  const disabled = new Set(missed.map(({ hookId }) => hookId))
  const places = await insertDeliveries(tx.sql, insertionOf(notifications, now), { now, disabled })
  tx.afterCommit(() => {
    ports.telemetry?.gaveUp(
      missed.map(({ notificationId, hookId }) => ({ notificationId, hookId, reason: 'hook_inactive' })),
    )
    ports.dispatch?.recorded(recordedDeliveries(notifications, listeners, places, now))
  })
}

/** In the order of their resources. A delivery also waits for earlier ones of its transaction. */
function recordedDeliveries(
  notifications: readonly Notification[],
  listeners: readonly Listener[],
  places: readonly Place[],
  recordedAt: Date,
): RecordedDelivery[] {
  const made = new Map(notifications.map((notification, index) => [notification.notificationId, index]))
  const last = new Map<string, Place>()
  return places.flatMap(place => {
    const index = made.get(place.notificationId) ?? -1
    const [notification, listener] = [notifications[index], listeners[index]]
    if (notification === undefined || listener === undefined) return []
    const { notificationId, hookId, resourceId, body } = notification
    const { version, deliveryUrl, sealedSecrets } = listener
    const resource = `${hookId} ${resourceId}`
    const before = last.get(resource)
    last.set(resource, place)
    const previous = before === undefined ? place : { previousId: before.notificationId, previousSeq: before.seq }
    return [
      {
        ...{ notificationId, hookId, resourceId, body, recordedAt, seq: place.seq },
        ...{ version, deliveryUrl, sealedSecrets },
        ...(previous.previousId === null ? {} : { previousId: previous.previousId }),
        ...(previous.previousSeq === null ? {} : { previousSeq: previous.previousSeq }),
      },
    ]
  })
}

function eventKey(of: Pick<Notification, 'appId' | 'resourceId' | 'resourceSeq'>): string {
  return `${of.appId} ${of.resourceId} ${of.resourceSeq}`
}

/** A reader of the stream finds the deliveries of the event by the id. An event without a listening hook has a new id. */
function toStreamEvent(
  { newId, settings }: Pick<Ports, 'newId' | 'settings'>,
  { event, hookId, appId }: Listener,
  notificationId = newId(),
): StreamEvent {
  return {
    ...{ streamId: hookId, appId, businessId: event.businessId },
    ordersOf: isOrderEvent(event) ? event.businessId : null,
    body: notificationBody(event, { notificationId, hookId, appId }, settings),
  }
}

function toNotification(
  { newId, settings }: Pick<Ports, 'newId' | 'settings'>,
  { event, hookId, appId, deliveryUrl }: Listener,
): Notification {
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
