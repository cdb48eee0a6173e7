import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace, OF_LATE, OF_RETRIES, type Pace } from './pace.ts'

test('what is sent again goes as fast as it can while nothing is sent for the first time', () => {
  const pace = createPace(OF_RETRIES)
  for (let n = 0; n < 10_000; n++) pace.began(0)
  assert.deepEqual([pace.givesWay(1), pace.mayBegin(1)], [false, true])
  pace.firstBegan(1)
  assert.equal(pace.mayBegin(2), false)
  assert.deepEqual([pace.givesWay(1_001), pace.mayBegin(1_001)], [false, true])
})

test('beside first attempts a backlog goes at 2,000 a second and little more, a few at a time', () => {
  const begun = besideFirst(createPace(OF_RETRIES), { untilMs: 2_000, lateMs: 0 })
  assert.ok(sum(begun) >= 2 * 2_000 && sum(begun) < 2 * 2_500, `${sum(begun)} in two seconds`)
  assert.ok(Math.max(...begun.slice(1)) <= 20, `${Math.max(...begun.slice(1))} at a time`)
})

test('the rate is kept where each lot comes some milliseconds late', () => {
  const begun = besideFirst(createPace(OF_RETRIES), { untilMs: 2_000, lateMs: 30 })
  assert.ok(sum(begun) >= 2 * 2_000, `${sum(begun)} in two seconds`)
})

test('a rest is not made up for by all that it could have sent', () => {
  const pace = createPace(OF_RETRIES)
  pace.began(0)
  const [first = 0] = besideFirst(pace, { fromMs: 60_000, untilMs: 60_001, lateMs: 0 })
  assert.ok(first > 0 && first < 200, `${first} at once`)
})

test('a hook catches up slowly at first, and faster the longer it takes', () => {
  const pace = createPace(OF_LATE)
  const inSecond = (n: number) => sum(besideFirst(pace, { fromMs: n * 1_000, untilMs: (n + 1) * 1_000, lateMs: 0 }))
  const begun = Array.from({ length: 20 }, (_, n) => inSecond(n))
  const [first = 0, second = 0] = begun
  assert.ok(first > 500 && first < 800, `${first} in the first second`)
  assert.ok(second > first && Math.max(...begun.slice(-1)) > 2_150, `${begun}`)
  assert.ok(sum(besideFirst(pace, { fromMs: 60_000, untilMs: 61_000, lateMs: 0 })) < 800)
})

/** How many of a backlog begin, lot after lot, while first attempts are always about. */
function besideFirst(
  pace: Pace,
  { fromMs = 0, untilMs, lateMs }: { fromMs?: number; untilMs: number; lateMs: number },
): number[] {
  const begun: number[] = []
  for (let nowMs = fromMs; nowMs < untilMs; nowMs += pace.restMs(nowMs) + lateMs) {
    pace.firstBegan(nowMs)
    let many = 0
    for (; pace.mayBegin(nowMs); many++) pace.began(nowMs)
    begun.push(many)
  }
  return begun
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
