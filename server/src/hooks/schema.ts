import { Type } from 'typebox'
import { toTimestamp } from '../core/calendar.ts'
import { EVENT_TYPES } from '../core/event.ts'
import type { Hook } from '../core/hook.ts'
import { AppUrn, appUrn, Link, Text, Timestamp, Uuid } from '../http/wire.ts'

/** Interface, Webhook registration: "Returned masked (all asterisks) in responses". */
const MASKED = '********'

/** Decisions 7: "`eventTypes` 1–50". Which are known is decided in core/hook.ts, where the wrong one is named. */
const MAX_EVENT_TYPES = 50

export const HookBody = Type.Object({
  applicationId: AppUrn,
  businessId: Type.Optional(Uuid),
  deliveryUrl: Text(2_048),
  secret: Text(255),
  eventTypes: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_EVENT_TYPES }),
})

export const HookJson = Type.Object({
  id: Uuid,
  applicationId: AppUrn,
  businessId: Type.Optional(Uuid),
  deliveryUrl: Type.String(),
  secret: Type.Literal(MASKED),
  eventTypes: Type.Array(Type.Enum([...EVENT_TYPES])),
  active: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const HookListJson = Type.Object({ hooks: Type.Array(HookJson), links: Type.Array(Link) })

export const HookParams = Type.Object({ hookId: Uuid })

export const HookQuery = Type.Object({
  applicationId: Type.Optional(AppUrn),
  businessId: Type.Optional(Uuid),
  active: Type.Optional(Type.Enum(['true', 'false'])),
  limit: Type.Optional(Type.String()),
  after: Type.Optional(Uuid),
})

export function hookToJson(hook: Hook) {
  return {
    id: hook.hookId,
    applicationId: appUrn(hook.appId),
    ...(hook.businessId === undefined ? {} : { businessId: hook.businessId }),
    deliveryUrl: hook.deliveryUrl,
    secret: MASKED,
    eventTypes: [...hook.eventTypes],
    active: hook.active,
    createdAt: toTimestamp(hook.createdAt),
    updatedAt: toTimestamp(hook.updatedAt),
  }
}
