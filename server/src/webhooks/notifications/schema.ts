import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { DELIVERY_STATUSES } from '../../core/delivery.ts'
import { BODY_EVENT_TYPES } from '../../core/event.ts'
import { given } from '../../core/given.ts'
import { AppUrn, DeviceUrn, Instant, Link, ListLimit, Timestamp, Uuid } from '../../platform/http/wire.ts'
import type { Attempt } from '../deliveries/attempt.ts'
import type { SingleAttempt } from '../deliveries/store.ts'
import { type Attempts, type HistoryEntry, SHOWN_ATTEMPTS } from './history-store.ts'

const NOTIFICATION_FIELDS = {
  createdAt: Timestamp,
  updatedAt: Timestamp,
  links: Type.Array(Link),
  id: Uuid,
  deviceId: Type.Optional(DeviceUrn),
  hookId: Uuid,
  applicationId: AppUrn,
  resource: Type.String(),
  resourceId: Uuid,
  eventType: Type.String(),
  merchantType: Type.Optional(Type.String()),
  businessId: Uuid,
  storeId: Type.Optional(Uuid),
}

/** Interface, Event notification: the body of a delivery. */
export const NotificationJson = Type.Object({
  ...NOTIFICATION_FIELDS,
  eventType: Type.Enum([...BODY_EVENT_TYPES]),
  merchantType: Type.Optional(Type.Enum(['MERCHANT', 'TEST_MERCHANT'])),
})

const DELIVERY_FIELDS = {
  ...NOTIFICATION_FIELDS,
  status: Type.Enum([...DELIVERY_STATUSES]),
  /** The reason of an ERRORED delivery. */
  reason: Type.Optional(Type.String()),
  /** Made so far. */
  attempt: Type.Integer(),
  deliveryUrl: Type.String(),
  nextAttemptAt: Type.Optional(Timestamp),
}

const ATTEMPT_FIELDS = {
  at: Timestamp,
  durationMs: Type.Integer(),
  httpStatus: Type.Optional(Type.Integer()),
  reason: Type.Optional(Type.String()),
  answer: Type.String(),
}
const AttemptJson = Type.Object(ATTEMPT_FIELDS)

/** The single attempt of a test, and its id in the history. */
export const HookTestBody = Type.Object({
  eventType: Type.Optional(
    Type.Enum([...BODY_EVENT_TYPES], {
      description: 'Default TEST. A sample of any other type has invented ids, and its links lead to no resource',
    }),
  ),
})

export const HookTestJson = Type.Object({ deliveryId: Uuid, acknowledged: Type.Boolean(), ...ATTEMPT_FIELDS })

export const DeliverySummaryJson = Type.Object(DELIVERY_FIELDS)
export const DeliveryListJson = Type.Object({ deliveries: Type.Array(DeliverySummaryJson), links: Type.Array(Link) })
export const DeliveryJson = Type.Object({
  ...DELIVERY_FIELDS,
  attempts: Type.Array(AttemptJson, {
    maxItems: SHOWN_ATTEMPTS,
    description: `The latest ${SHOWN_ATTEMPTS}, in the order in which they were made.`,
  }),
  hasEarlierAttempts: Type.Optional(
    Type.Boolean({ description: 'There are earlier attempts. Absent: the list is complete.' }),
  ),
})

const id = { deliveryId: Uuid }
export const AppParams = Type.Object({ appId: AppUrn })
export const AppDeliveryParams = Type.Object({ appId: AppUrn, ...id })
export const BusinessParams = Type.Object({ businessId: Uuid })
export const BusinessDeliveryParams = Type.Object({ businessId: Uuid, ...id })

export const DeliveryQuery = Type.Object({
  startAt: Type.Optional(Instant),
  endAt: Type.Optional(Instant),
  hookId: Type.Optional(Uuid),
  eventType: Type.Optional(Type.Enum([...BODY_EVENT_TYPES])),
  resourceId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
  limit: Type.Optional(ListLimit),
  after: Type.Optional(Uuid),
})

/** The notification exactly as sent, with the state of its delivery. */
export function deliveryToJson({ body, status, reason, attempts, deliveryUrl, nextAttemptAt }: HistoryEntry) {
  const progress = { status, reason, attempt: attempts, deliveryUrl }
  return { ...JSON.parse(body), ...given({ ...progress, nextAttemptAt: nextAttemptAt && toTimestamp(nextAttemptAt) }) }
}

export function attemptsToJson({ latest, hasEarlier }: Attempts) {
  return { attempts: latest.map(attemptToJson), ...(hasEarlier ? { hasEarlierAttempts: true } : {}) }
}

function attemptToJson({ attemptedAt, durationMs, httpStatus, reason, answer }: Attempt) {
  return given({ at: toTimestamp(attemptedAt), durationMs, httpStatus, reason, answer })
}

export function hookTestToJson({ notificationId, acknowledged, ...attempt }: SingleAttempt) {
  return { deliveryId: notificationId, acknowledged, ...attemptToJson(attempt) }
}
