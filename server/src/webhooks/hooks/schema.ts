import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { EVENT_TYPES } from '../../core/event.ts'
import { given } from '../../core/given.ts'
import type { Hook } from '../../core/hook.ts'
import { DISABLED_REASONS, HEALTH_STATES, type HookHealth, stateOf } from '../../core/hook-health.ts'
import {
  AppUrn,
  appUrn,
  DECLARED,
  Instant,
  Link,
  QueryInteger,
  Text,
  Timestamp,
  timestamped,
  Uuid,
} from '../../platform/http/wire.ts'
import type { HookHour } from './hours.ts'
import { MASKED } from './secret.ts'

/** Decisions 7: "`eventTypes` 1–50". core/hook.ts rejects unknown types by name. */
const MAX_EVENT_TYPES = 50

/** Validated by core/hook.ts. */
const KnownEventType = Type.String({ [DECLARED]: { type: 'string', enum: EVENT_TYPES } })

/** The URL itself is validated by the egress. */
const DeliveryUrl = Type.String({
  ...Text(2_048),
  [DECLARED]: {
    type: 'string',
    maxLength: 2_048,
    format: 'uri',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
    description: 'An absolute http or https URL',
  },
})

const CHANGEABLE = {
  deliveryUrl: DeliveryUrl,
  secret: Text(255),
  eventTypes: Type.Array(KnownEventType, { minItems: 1, maxItems: MAX_EVENT_TYPES }),
}

export const HookBody = Type.Object({
  applicationId: AppUrn,
  businessId: Type.Optional(Uuid),
  ...CHANGEABLE,
})

/** RFC 7396. The fields cannot be removed: null is rejected. */
export const HookChanges = Type.Object({
  ...Type.Partial(Type.Object(CHANGEABLE)).properties,
  active: Type.Optional(Type.Boolean()),
  resendMissed: Type.Optional(
    Type.Boolean({
      description:
        'Only with active: true. Starts a redelivery of the notifications that ended as ERRORED while the hook failed or was off; the response has its id',
    }),
  ),
})

/** Present only for unhealthy hooks. */
const HealthJson = Type.Object({
  state: Type.Enum([...HEALTH_STATES]),
  failures: Type.Integer({ description: 'In a row' }),
  failingSince: Type.Optional(Timestamp),
  lastFailure: Type.Optional(
    Type.String({ description: 'An HTTP status, or a reason: timeout, refused, dns, tls, …' }),
  ),
  pausedUntil: Type.Optional(Timestamp),
})

export const HookJson = Type.Object({
  id: Uuid,
  applicationId: AppUrn,
  businessId: Type.Optional(Uuid),
  deliveryUrl: Type.String({ description: 'The values of a query are masked: they may be secrets' }),
  secret: Type.Literal(MASKED),
  eventTypes: Type.Array(Type.Enum([...EVENT_TYPES])),
  active: Type.Boolean(),
  disabledReason: Type.Optional(Type.Enum([...DISABLED_REASONS])),
  health: Type.Optional(HealthJson),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const HookHealthQuery = Type.Object({ from: Type.Optional(Instant), to: Type.Optional(Instant) })

export const HookHoursJson = Type.Object({
  hookId: Uuid,
  /** Hours without attempts are absent. */
  hours: Type.Array(
    Type.Object({
      hour: Timestamp,
      acknowledged: Type.Integer(),
      failed: Type.Array(Type.Object({ outcome: Type.String(), attempts: Type.Integer() }), {
        description: 'By HTTP status or reason',
      }),
      p50Ms: Type.Integer({ description: 'Median duration of all attempts' }),
      p95Ms: Type.Integer(),
    }),
  ),
})

export const HookListJson = Type.Object({ hooks: Type.Array(HookJson), links: Type.Array(Link) })

export const RotatedSecretJson = Type.Object({
  ...HookJson.properties,
  secret: Type.String({ description: 'The new secret, unmasked: later responses mask it' }),
  previousSecretUntil: Timestamp,
})

export const NewSecret = Type.Object({ secret: Type.Optional(CHANGEABLE.secret) })

export const HookParams = Type.Object({ hookId: Uuid })

export const HookQuery = Type.Object({
  applicationId: Type.Optional(AppUrn),
  businessId: Type.Optional(Uuid),
  active: Type.Optional(Type.Enum(['true', 'false'], { [DECLARED]: { type: 'boolean' } })),
  limit: Type.Optional(QueryInteger('1 to 100, default 100', { minimum: 1, maximum: 100 })),
  after: Type.Optional(Uuid),
})

export function hookHoursToJson(hookId: string, hours: readonly HookHour[]) {
  return { hookId, hours: hours.map(({ hour, ...rest }) => ({ hour: toTimestamp(hour), ...rest })) }
}

/** Adds the current `health` of an unhealthy hook. */
export function hookToJson(hook: Hook, health?: { readonly of: HookHealth | undefined; readonly now: Date }) {
  const { businessId, deliveryUrl, active, disabledReason } = hook
  return given({
    ...{ id: hook.hookId, applicationId: appUrn(hook.appId), businessId, deliveryUrl },
    secret: MASKED,
    ...{ eventTypes: [...hook.eventTypes], active, disabledReason },
    health: health?.of && healthToJson(health.of, health.now),
    createdAt: toTimestamp(hook.createdAt),
    updatedAt: toTimestamp(hook.updatedAt),
  })
}

function healthToJson(health: HookHealth, now: Date) {
  const { failures, failingSince, lastFailure, openUntil } = health
  return timestamped(
    given({ state: stateOf(health, now), failures, lastFailure, failingSince, pausedUntil: openUntil }),
  )
}
