import { parseInstant } from './calendar.ts'
import { isRefusal, type Refusal, refuseField } from './refusal.ts'

/** Decisions 5: "above 1000 served as 1000". */
export const MAX_COUNT = 1_000

/** Decisions 5: "`count` default 100". */
export const DEFAULT_COUNT = 100

/** Which part of a list is asked for. What is absent was not sent. */
export interface PageRequest {
  readonly start?: PageStart
  /** 1 to 1000. */
  readonly count?: number
}

/** Where a page begins: at an offset, or at the first item created at or after an instant. */
export type PageStart = { readonly offset: number } | { readonly createdFrom: Date }

/** Fifteen digits are exact in a double, and further than any list goes. */
const INTEGER = /^\d{1,15}$/
const DIGITS = /^\d+$/

/**
 * Reads `start` and `count` of a query. Decisions 5: count "above 1000 served as 1000, below 1 or no number → 400";
 * start "integer offset ≥ 0, or an RFC 3339 instant".
 */
export function parsePage(query: { readonly start?: string; readonly count?: string }): PageRequest | Refusal {
  const start = query.start === undefined ? undefined : parseStart(query.start)
  if (isRefusal(start)) return start
  const count = query.count === undefined ? undefined : parseCount(query.count)
  if (isRefusal(count)) return count
  return { ...(start === undefined ? {} : { start }), ...(count === undefined ? {} : { count }) }
}

function parseStart(text: string): PageStart | Refusal {
  if (INTEGER.test(text)) return { offset: Number(text) }
  const createdFrom = parseInstant(text)
  return createdFrom ? { createdFrom } : refuseField('start', 'must be an integer of 0 or more, or an RFC 3339 instant')
}

function parseCount(text: string): number | Refusal {
  const count = DIGITS.test(text) ? Number(text) : 0
  return count >= 1 ? Math.min(count, MAX_COUNT) : refuseField('count', 'must be an integer of 1 or more')
}
