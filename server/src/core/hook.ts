import { EVENT_TYPES, type EventType } from './event.ts'
import type { DisabledReason } from './hook-health.ts'
import { type Rejection, rejectField } from './rejection.ts'

/** A webhook endpoint of an app with its event types. The secret is stored separately and sealed. */
export interface Hook {
  readonly hookId: string
  readonly appId: string
  /** The only merchant of the hook; absent: all merchants of the app. */
  readonly businessId?: string
  readonly deliveryUrl: string
  /** Sorted, each once. */
  readonly eventTypes: readonly EventType[]
  readonly active: boolean
  /** The service's reason for disabling the hook. */
  readonly disabledReason?: DisabledReason
  /** Events since then are undelivered: the hook began to fail, or was switched off. */
  readonly offSince?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Decisions 7: "At most 50 hooks per app and business"; app-wide ones count as one more business. */
export const MAX_HOOKS = 50

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Longer than any event type: the rest of an unknown name is not repeated. */
const MAX_SHOWN = 64

/**
 * The sorted set of event types in a list. The first unknown type is rejected with its index and name. Source: decisions 7, "`eventTypes`
 * 1–50, each known, else 400 naming it".
 */
export function eventTypeSet(names: readonly string[]): EventType[] | Rejection {
  const at = names.findIndex(name => !isEventType(name))
  const unknown = names[at]
  if (unknown === undefined) return [...new Set(names.filter(isEventType))].sort()
  const shown = unknown.slice(0, MAX_SHOWN).toWellFormed()
  return rejectField(
    `eventTypes[${at}]`,
    `"${shown}" is not an event type; the event types are ${EVENT_TYPES.join(', ')}`,
  )
}

function isEventType(name: string): name is EventType {
  return KNOWN.has(name)
}
