import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { DELIVERY_STATUSES } from '../../core/delivery.ts'
import { given } from '../../core/given.ts'
import { AppUrn, appUrn, Instant, Link, QueryInteger, Timestamp, Uuid } from '../../platform/http/wire.ts'
import { HookJson } from '../hooks/schema.ts'
import { percentOf, REDELIVERY_STATES, type Redelivery } from './redelivery.ts'

const WHICH = {
  businessId: Type.Optional(Uuid),
  hookId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
}

export const RedeliverBody = Type.Object({
  startAt: Type.Optional(Instant),
  since: Type.Optional({ ...Instant, description: 'Alias of startAt' }),
  endAt: Type.Optional({ ...Instant, description: 'Default: now' }),
  ...WHICH,
})

export const RedeliveryJson = Type.Object({
  redeliveryId: Uuid,
  applicationId: AppUrn,
  ...WHICH,
  startAt: Timestamp,
  endAt: Timestamp,
  undeliveredSince: Type.Optional({
    ...Timestamp,
    description:
      'Only missed notifications: ended without acknowledgement since startAt, and recorded at most 72 h before',
  }),
  state: Type.Enum([...REDELIVERY_STATES]),
  progress: Type.Object({
    percent: Type.Integer({ description: 'Progress through the time from startAt to endAt' }),
    queued: Type.Integer({ description: 'Notifications that are sent again' }),
    skipped: Type.Integer({
      description: 'Notifications of inactive or deleted hooks, and notifications that wait for their first attempt',
    }),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** `redeliveryId` is present only if missed notifications were requested. */
export const ChangedHookJson = Type.Object({ ...HookJson.properties, redeliveryId: Type.Optional(Uuid) })

export const RedeliveryListJson = Type.Object({ redeliveries: Type.Array(RedeliveryJson), links: Type.Array(Link) })

export const RedeliveryParams = Type.Object({ appId: AppUrn, redeliveryId: Uuid })

export const RedeliveryQuery = Type.Object({
  limit: Type.Optional(QueryInteger('1 to 100, default 100', { minimum: 1, maximum: 100 })),
  after: Type.Optional(Uuid),
})

export function redeliveryToJson(job: Redelivery) {
  const { redeliveryId, businessId, hookId, status, undeliveredSince, state } = job
  return given({
    ...{ redeliveryId, applicationId: appUrn(job.appId), businessId, hookId, status },
    ...{ startAt: toTimestamp(job.startAt), endAt: toTimestamp(job.endAt) },
    undeliveredSince: undeliveredSince && toTimestamp(undeliveredSince),
    ...{ state, progress: { percent: percentOf(job), queued: job.queued, skipped: job.skipped } },
    ...{ createdAt: toTimestamp(job.createdAt), updatedAt: toTimestamp(job.updatedAt) },
  })
}
