import type { Cpu } from './cpu.ts'
import type { Row } from './row.ts'
import type { Target } from './target.ts'

/** Requests of the interface: docs/decisions/0009-speed-of-the-interface.md. */
export const OF_API: readonly Target[] = [
  ...rateAndTail('GET one subscription', 8_000),
  ...rateAndTail('GET a page of 50', 2_500),
  {
    row: 'token by assertion',
    text: 'a token: times the processor time of its two RSA operations',
    measure: (row, named) => {
      const [token, bare] = [row.cpu?.serviceMs, named('bare: verify and sign')?.cpu?.serviceMs]
      return token === undefined || bare === undefined ? undefined : { value: token / bare, bound: 1.5 }
    },
  },
]

/** Renewals: docs/decisions/0013-billing-speed.md. */
export const OF_BILLING: readonly Target[] = [
  {
    row: 'one due each second: charged and notified',
    text: 'late at idle, p99 in s',
    measure: row => ({ value: row.p99Ms / 1_000, bound: 1 }),
  },
  ...[10_000, 100_000].flatMap(due => dueAtOnce(due)),
  {
    row: 'GET one subscription while …',
    text: 'GET one while many are billed, of its rate without',
    measure: ({ perSecond }, named) => {
      const alone = named('GET one subscription, nothing due')
      return alone && { value: perSecond / alone.perSecond, bound: 0.6, atLeast: true }
    },
  },
  {
    row: 'idle with 1,000,000 not due, per second',
    text: '1,000,000 not due: processor time of a second of rest, more than without them, in ms',
    measure: ({ cpu }, named) => {
      const without = named('idle, per second')?.cpu
      // Two idle minutes of the same service differ by less than 1 % of a processor.
      return cpu && without && { value: taken(cpu) - taken(without), bound: 10 }
    },
  },
]

const HISTORY = 'a page of the history of 10,000,000'

/** Pages of ten million notifications: docs/decisions/0012-history-at-size.md. */
export const OF_HISTORY: readonly Target[] = [
  ...(['p50Ms', 'p99Ms', 'mostMs'] as const).map(of => pageWithin(HISTORY, of)),
  ...(['p50Ms', 'p99Ms'] as const).map(of => pageWithin(`${HISTORY}: the slowest …`, of)),
]

const taken = ({ serviceMs, postgresMs }: Cpu) => serviceMs + postgresMs

function pageWithin(row: string, of: 'p50Ms' | 'p99Ms' | 'mostMs'): Target {
  const words = { p50Ms: 'p50', p99Ms: 'p99', mostMs: 'the most' }
  return { row, text: `${row}, ${words[of]} in ms`, measure: one => ({ value: one[of], bound: 50 }) }
}

function rateAndTail(row: string, perSecond: number): Target[] {
  return [
    { row, text: `${row}, a second`, measure: one => ({ value: one.perSecond, bound: perSecond, atLeast: true }) },
    { row, text: `${row}, p99 in ms`, measure: one => ({ value: one.p99Ms, bound: 20 }) },
  ]
}

/** The target is the time until the last renewal, or the rate if the gateway takes 200 ms. */
function dueAtOnce(due: number): Target[] {
  const name = `${due.toLocaleString('en')} due at once`
  const lastIn = ({ perSecond }: Row) => ({ value: due / perSecond, bound: due / 1_250 })
  return [
    { row: `${name}: charged and notified`, text: `${name}: the last is charged, in s`, measure: lastIn },
    { row: `${name}: delivered`, text: `${name}: the last is delivered to their one hook, in s`, measure: lastIn },
    {
      row: `${name}: delivered`,
      text: `${name}: memory in MB`,
      measure: ({ memoryMiB }) => (memoryMiB === undefined ? undefined : { value: memoryMiB, bound: 300 }),
    },
    {
      row: `${name}, gateway of 200 ms: charged and notified`,
      text: `${name}, gateway of 200 ms: charged a second`,
      measure: ({ perSecond }) => ({ value: perSecond, bound: 500, atLeast: true }),
    },
  ]
}
