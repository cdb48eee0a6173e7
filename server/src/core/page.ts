import { parseInstant } from './calendar.ts'
import { isRejection, type Rejection, rejectField } from './rejection.ts'

/** Decisions 5: "above 1000 served as 1000". */
const MAX_COUNT = 1_000

/** Decisions 5: "`count` default 100". */
export const DEFAULT_COUNT = 100

/** The requested part of a list. Absent fields were not sent. */
export interface PageRequest {
  readonly start?: PageStart
  /** 1 to 1000. */
  readonly count?: number
}

/** A page of results begins at an offset, or at the first item created at or after an instant. */
type PageStart = { readonly offset: number } | { readonly createdFrom: Date }

/** Decisions 7: "`limit` 1–100". */
export const MAX_LIMIT = 100

/** Fifteen digits are exact in a double, and longer than any list. */
const INTEGER = /^\d{1,15}$/
const DIGITS = /^\d+$/

/**
 * Parses `start` and `count` of a query. Decisions 5: count "above 1000 served as 1000, below 1 or no number → 400";
 * start "integer offset ≥ 0, or an RFC 3339 instant".
 */
export function parsePage(query: { readonly start?: string; readonly count?: string }): PageRequest | Rejection {
  const start = query.start === undefined ? undefined : parseStart(query.start)
  if (isRejection(start)) return start
  const count = query.count === undefined ? undefined : parseCount(query.count)
  if (isRejection(count)) return count
  return { ...(start === undefined ? {} : { start }), ...(count === undefined ? {} : { count }) }
}

/** Parses `start` and `count` of a list that has offsets alone. */
export function parseOffset(query: {
  readonly start?: string
  readonly count?: string
}): { readonly offset: number; readonly limit: number } | Rejection {
  const page = parsePage(query)
  if (isRejection(page)) return page
  const { start = { offset: 0 }, count: limit = DEFAULT_COUNT } = page
  if ('offset' in start) return { offset: start.offset, limit }
  return rejectField('start', 'must be an integer offset of 0 or more')
}

function parseStart(text: string): PageStart | Rejection {
  if (INTEGER.test(text)) return { offset: Number(text) }
  const createdFrom = parseInstant(text)
  return createdFrom ? { createdFrom } : rejectField('start', 'must be an integer of 0 or more, or an RFC 3339 instant')
}

function parseCount(text: string): number | Rejection {
  const count = DIGITS.test(text) ? Number(text) : 0
  return count >= 1 ? Math.min(count, MAX_COUNT) : rejectField('count', 'must be an integer of 1 or more')
}

/** Parses `limit` of a query. Decisions 7: "1–100". The list chooses the default. */
export function parseLimit(text: string | undefined, unsent: number): number | Rejection {
  if (text === undefined) return unsent
  const limit = INTEGER.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= MAX_LIMIT ? limit : rejectField('limit', `must be an integer from 1 to ${MAX_LIMIT}`)
}

/** From `startAt`, inclusive, to `endAt`, exclusive. Absent fields were not sent. */
interface Span {
  readonly startAt?: Date
  readonly endAt?: Date
}

/** Parses `startAt` and `endAt` of a query. Decisions 1: "any RFC 3339 instant". */
export function parseSpan(query: { readonly startAt?: string; readonly endAt?: string }): Span | Rejection {
  const startAt = query.startAt === undefined ? undefined : parseInstant(query.startAt)
  if (startAt === null) return rejectField('startAt', NO_INSTANT)
  const endAt = query.endAt === undefined ? undefined : parseInstant(query.endAt)
  if (endAt === null) return rejectField('endAt', NO_INSTANT)
  return { ...(startAt === undefined ? {} : { startAt }), ...(endAt === undefined ? {} : { endAt }) }
}

export const NO_INSTANT = 'must be an RFC 3339 instant of the years 1970 to 9999'

/** A list request of `limit` items after a cursor, the id of the last item seen. Lists show the newest item first. */
export interface Slice {
  readonly limit: number
  readonly after?: string
}

/** Parses `limit` and `after` of a query. */
export function parseSlice(query: { readonly limit?: string; readonly after?: string }): Slice | Rejection {
  const limit = parseLimit(query.limit, DEFAULT_LIMIT)
  if (isRejection(limit)) return limit
  return { limit, ...(query.after === undefined ? {} : { after: query.after.toLowerCase() }) }
}

/** Decisions 7: "`limit` 1–100 (default 10)". */
const DEFAULT_LIMIT = 10

/** The cursor of the next part is absent on the last part. */
export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly next?: string
}

/** Cuts rows that were read with `limit + 1`: the extra row shows that another part follows. */
export function listed<Item>(rows: readonly Item[], limit: number, idOf: (item: Item) => string): Listed<Item> {
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, ...(last === undefined ? {} : { next: idOf(last) }) }
}
