import { EVENT_TYPES, type EventType } from './event.ts'
import { type Refusal, refuseField } from './refusal.ts'

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
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Decisions 7: "At most 50 hooks per app and business"; app-wide ones count as one more business. */
export const MAX_HOOKS = 50

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/**
 * The set of event types that a list names: sorted, each once. The first unknown one is refused by its place in the list.
 * Source: decisions 7, "`eventTypes` 1–50, each known, else 400 naming it".
 */
export function eventTypeSet(names: readonly string[]): EventType[] | Refusal {
  const unknown = names.findIndex(name => !isEventType(name))
  if (unknown >= 0) return refuseField(`eventTypes[${unknown}]`, `must be one of ${EVENT_TYPES.join(', ')}`)
  return [...new Set(names.filter(isEventType))].sort()
}

function isEventType(name: string): name is EventType {
  return KNOWN.has(name)
}
