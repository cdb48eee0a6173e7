import type { Row } from './row.ts'
import type { Measured, Target } from './target.ts'
import { OF_API, OF_BILLING, OF_HISTORY } from './wanted.ts'

const RECORDED = 'inserted without HTTP, at 1,000/s: delivered'

/** The path of notifications: docs/decisions/0011-delivery-path.md. */
const OF_DELIVERIES: readonly Target[] = [
  {
    row: 'inserted without HTTP, at saturation: delivered',
    text: 'inserted without HTTP and delivered, at least 4,000 a second',
    measure: ({ perSecond }) => ({ value: perSecond, bound: 4_000, atLeast: true }),
  },
  { row: RECORDED, text: 'at 1,000/s, p50 in ms', measure: ({ p50Ms }) => ({ value: p50Ms, bound: 8 }) },
  { row: RECORDED, text: 'at 1,000/s, p99 in ms', measure: ({ p99Ms }) => ({ value: p99Ms, bound: 30 }) },
  {
    row: 'inserted without HTTP, at 2,000/s: delivered',
    text: 'at 2,000/s, p99 in ms',
    measure: ({ p99Ms }) => ({ value: p99Ms, bound: 40 }),
  },
  {
    row: 'inserted without HTTP, at 2,000/s: delivered',
    text: 'at 2,000/s, memory in MB',
    measure: ({ memoryMiB }) => (memoryMiB === undefined ? undefined : { value: memoryMiB, bound: 250 }),
  },
  {
    row: 'one event every 20 ms: delivered',
    text: 'idle to first, p99 in ms',
    measure: ({ p99Ms }) => ({ value: p99Ms, bound: 15 }),
  },
  {
    row: 'one event per hook every 5 s: delivered',
    text: 'idle for 5 s to first, p50 in ms',
    measure: ({ p50Ms }) => ({ value: p50Ms, bound: 15 }),
  },
  ...[
    'hang',
    'answer late',
    'drip their headers',
    'drip their bodies',
    'refuse connections',
    'reset connections',
    'fail, then recover',
  ].map(verb => othersOf(verb)),
]

/** A line for each target whose row was measured. */
export function printTargets(rows: readonly Row[]): string {
  const named = (name: string) => rows.find(row => isCalled(row, name))
  return [...OF_API, ...OF_DELIVERIES, ...OF_BILLING, ...OF_HISTORY]
    .flatMap(({ row: name, text, measure }) => {
      const row = named(name)
      const measured = row && measure(row, named)
      return measured === undefined ? [] : [lineOf(text, measured)]
    })
    .join('\n')
}

function isCalled(row: Row, name: string): boolean {
  return name.endsWith('…') ? row.name.startsWith(name.slice(0, -1)) : row.name === name
}

function p99AtMostTwice(other: string): Target['measure'] {
  return ({ p99Ms }, named) => {
    const without = named(other)
    return without && { value: p99Ms, bound: 2 * without.p99Ms }
  }
}

function othersOf(verb: string): Target {
  return {
    row: `20 % ${verb}, 1,000/s: the healthy hooks`,
    text: `20 % ${verb}: p99 of the others, at most twice that without`,
    measure: p99AtMostTwice(RECORDED),
  }
}

function lineOf(text: string, { value, bound, atLeast }: Measured): string {
  const isMet = atLeast ? value >= bound : value <= bound
  const show = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 1 })
  return `- ${isMet ? 'met' : '**missed**'}: ${text}: ${show(value)} (${atLeast ? '≥' : '≤'} ${show(bound)})`
}
