import { Type } from 'typebox'

const DAY_MS = 86_400_000

/** A field of a filter: a day as YYYY-MM-DD, or empty. */
export const Day = Type.Optional(Type.Union([Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), Type.Literal('')]))

/** The instants of the days `from` to `to`, both included, in UTC: `endAt` is the first instant after them. Days that do not exist are ignored. */
export function spanOfDays({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const [start, end] = [from, to].map(day => Date.parse(day || 'none'))
  return {
    ...(start !== undefined && !Number.isNaN(start) && { startAt: new Date(start).toISOString() }),
    ...(end !== undefined && !Number.isNaN(end) && { endAt: new Date(end + DAY_MS).toISOString() }),
  }
}
