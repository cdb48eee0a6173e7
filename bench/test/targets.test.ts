import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row } from '../src/row.ts'
import { printTargets } from '../src/targets.ts'

const row = (name: string, measured: Partial<Row> = {}): Row => ({
  ...{ name, requests: 1, perSecond: 1, p50Ms: 1, p99Ms: 1, mostMs: 1, errors: 0, failures: {} },
  ...measured,
})

test('a target is met or missed by the row of its name, and absent without the row', () => {
  assert.equal(printTargets([row('GET another')]), '')
  assert.deepEqual(printTargets([row('GET one subscription', { perSecond: 8_000, p99Ms: 20.1 })]).split('\n'), [
    '- met: GET one subscription, a second: 8,000 (≥ 8,000)',
    '- **missed**: GET one subscription, p99 in ms: 20.1 (≤ 20)',
  ])
})

test('renewals that are due at once are measured by the last one, or with a slow gateway by their rate', () => {
  assert.equal(
    printTargets([row('10,000 due at once: charged and notified', { perSecond: 1_250 })]),
    '- met: 10,000 due at once: the last is charged, in s: 8 (≤ 8)',
  )
  assert.equal(
    printTargets([row('10,000 due at once, gateway of 200 ms: charged and notified', { perSecond: 499 })]),
    '- **missed**: 10,000 due at once, gateway of 200 ms: charged a second: 499 (≥ 500)',
  )
})

test('a row whose name ends with a count is compared with the row without the count', () => {
  const rows = [
    row('GET one subscription, nothing due', { perSecond: 1_000 }),
    row('GET one subscription while 100,000 are billed (7 paid by its end)', { perSecond: 600 }),
  ]
  assert.equal(printTargets(rows), '- met: GET one while many are billed, of its rate without: 0.6 (≥ 0.6)')
  assert.equal(printTargets(rows.slice(1)), '')
})

test('subscriptions that are not due are measured by the additional idle processor time', () => {
  const rest = (name: string, serviceMs: number, postgresMs: number) =>
    row(`${name}, per second`, { cpu: { serviceMs, postgresMs, loadMs: 0, idleMs: 0, stolenMs: 0, wholeMs: 0 } })
  const [without, beside] = [rest('idle', 30, 20), rest('idle with 1,000,000 not due', 31, 30)]
  assert.match(printTargets([without, beside]), /^- \*\*missed\*\*: 1,000,000 not due: .*: 11 \(≤ 10\)$/)
  assert.match(printTargets([without, rest('idle with 1,000,000 not due', 28, 30)]), /^- met: .*: 8 \(≤ 10\)$/)
  assert.equal(printTargets([beside]), '')
})
