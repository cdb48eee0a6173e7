import { Type } from 'typebox'
import { Instant, Timestamp, timestamped, Uuid } from '../../platform/http/wire.ts'
import type { TestClock } from './store.ts'

/** Decisions 10 and 11. `to` and `now` are RFC 3339 instants. */
export const CreateBody = Type.Object({ businessId: Uuid, now: { ...Instant, maxLength: 64 } })
export const AdvanceBody = Type.Object({ to: { ...Instant, maxLength: 64 } })
export const ClockParams = Type.Object({ testClockId: Uuid })
export const ListQuery = Type.Object({ businessId: Uuid })

export const TestClockJson = Type.Object({
  testClockId: Uuid,
  businessId: Uuid,
  now: Timestamp,
  status: Type.Enum(['READY', 'ADVANCING']),
  to: Type.Optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const TestClockListJson = Type.Object({ list: Type.Array(TestClockJson) })

/** While the clock is ADVANCING, `now` and `to` show the progress. */
export function testClockToJson({ targetAt: to, ...clock }: TestClock, now: Date) {
  return timestamped({ ...clock, now, ...(to && { to }) })
}
