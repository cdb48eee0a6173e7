import { EVENT_TYPES, type EventType } from './event.ts'
import type { DisabledReason } from './hook-health.ts'
import { type Rejection, rejectField } from './rejection.ts'

/** A listener of one app: where notifications of which events go. Its secret is apart, and sealed. */
export interface Hook {
  readonly hookId: string
  readonly appId: string
  /** The one merchant that it listens to; absent: all merchants of the app. */
  readonly businessId?: string
  readonly deliveryUrl: string
  /** Sorted, each once. */
  readonly eventTypes: readonly EventType[]
  readonly active: boolean
  /** Why the service has stopped it by itself. */
  readonly disabledReason?: DisabledReason
  /** Since when it misses what happens, while it is not active: it began to fail, or was switched off. */
  readonly offSince?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Decisions 7: "At most 50 hooks per app and business"; app-wide ones count as one more business. */
export const MAX_HOOKS = 50

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Longer than any event type: the rest of an unknown one is not repeated. */
const MAX_SHOWN = 64

/**
 * The set of event types that a list names: sorted, each once. The first unknown one is refused by its place and its name.
 * Source: decisions 7, "`eventTypes` 1–50, each known, else 400 naming it".
 */
export function eventTypeSet(names: readonly string[]): EventType[] | Rejection {
  const at = names.findIndex(name => !isEventType(name))
  const unknown = names[at]
  if (unknown === undefined) return [...new Set(names.filter(isEventType))].sort()
  const shown = unknown.slice(0, MAX_SHOWN).toWellFormed()
  return rejectField(`eventTypes[${at}]`, `"${shown}" is not an event type; there are ${EVENT_TYPES.join(', ')}`)
}

function isEventType(name: string): name is EventType {
  return KNOWN.has(name)
}
