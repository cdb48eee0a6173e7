import type { Operation } from './operations.ts'
import type { Random } from './random.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Actions of testers on their merchants' clocks, while other merchants live in real time. */
export const CLOCK_OPERATIONS: readonly Operation[] = [
  {
    name: 'advance clock',
    weight: 2,
    make: ({ clocks }, random) => {
      if (clocks.length === 0) return null
      const { testClockId, now } = random.pick(clocks)
      const to = new Date(now.getTime() + stepOf(random)).toISOString()
      return { method: 'POST', path: `/test-clocks/${testClockId}/advance`, body: { to }, isNotKept: true }
    },
  },
  {
    name: 'freeze clock',
    weight: 0.2,
    make: ({ clocks }, random) => {
      if (clocks.length === 0) return null
      return { method: 'POST', path: `/test-clocks/${random.pick(clocks).testClockId}/freeze` }
    },
  },
  {
    name: 'delete clock',
    weight: 0.2,
    make: ({ clocks }, random) => {
      if (clocks.length === 0) return null
      return { method: 'DELETE', path: `/test-clocks/${random.pick(clocks).testClockId}` }
    },
  },
]

/** Sometimes backwards, which is rejected. */
function stepOf(random: Random): number {
  return random.weighted([
    { weight: 0.3, ms: -DAY },
    { weight: 2, ms: random.below(36) * HOUR },
    { weight: 4, ms: (1 + random.below(8)) * DAY },
    { weight: 2, ms: (20 + random.below(20)) * DAY },
  ]).ms
}
