/** Makes an identifier: a UUIDv7, so that ids made later sort later, as far as clocks are right, and carry their day. */
export type NewId = () => string

/** A UUID of RFC 9562 in lower or upper case. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

export const UUID = new RegExp(UUID_PATTERN)

/** The UTC day (`YYYY-MM-DD`) of a UUIDv7, which is the partition of its row. RFC 9562, 5.7. */
export function dayOfId(id: string): string {
  return instantOfId(id).toISOString().slice(0, 10)
}

/** The smallest UUIDv7 of an instant: later ids are not smaller, earlier ones are. RFC 9562, 5.7. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** When a UUIDv7 was made, to the millisecond. RFC 9562, 5.7. */
export function instantOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
