import assert from 'node:assert/strict'
import { Temporal } from '@js-temporal/polyfill'
import fc from 'fast-check'
import { boundary, type Interval, type Recurrence } from './calendar.ts'

const UNIT = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const
const FIRST_MS = Date.UTC(1970, 0)
const LAST_MS = Date.UTC(2100, 0)
/** Ten years of days, and for longer intervals more than a contract lasts. */
const MOST = { DAY: 3_660, WEEK: 1_000, MONTH: 1_200, YEAR: 200 } as const

/** Half of the anchors fall on the last days of a month, where clamping happens. */
const anchors = fc.oneof(
  fc.integer({ min: FIRST_MS, max: LAST_MS }),
  fc
    .tuple(fc.integer({ min: 1970, max: 2099 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 86_399 }))
    .chain(([year, month, second]) =>
      fc.integer({ min: -3, max: 0 }).map(day => Date.UTC(year, month + 1, day, 0, 0, second)),
    ),
)

const cases = fc
  .constantFrom<Interval>('DAY', 'WEEK', 'MONTH', 'YEAR')
  .chain(interval => fc.record({ interval: fc.constant(interval), intervalCount: fc.integer({ min: 1, max: 12 }) }))
  .chain(recurrence =>
    fc.tuple(
      anchors,
      fc.constant(recurrence),
      fc.integer({ min: 0, max: Math.floor(MOST[recurrence.interval] / recurrence.intervalCount) }),
    ),
  )

/** Every boundary equals Temporal's, and is earlier than the next one. */
export function checkCalendar(runs: number): void {
  fc.assert(
    fc.property(cases, ([anchorMs, recurrence, n]) => {
      const anchor = new Date(anchorMs)
      const start = boundary(anchor, recurrence, n)
      const end = boundary(anchor, recurrence, n + 1)
      assert.equal(start.getTime(), temporalBoundary(anchorMs, recurrence, n))
      assert.ok(start < end)
    }),
    { numRuns: runs },
  )
}

function temporalBoundary(anchorMs: number, { interval, intervalCount }: Recurrence, n: number): number {
  return Temporal.Instant.fromEpochMilliseconds(anchorMs)
    .toZonedDateTimeISO('UTC')
    .add({ [UNIT[interval]]: n * intervalCount }, { overflow: 'constrain' }).epochMilliseconds
}
