import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNarrow, type Narrow, type Read } from './narrow.ts'

const [ONE, OTHER] = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222']
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000)
const seconds = (from: ReadonlyMap<string, Date> | undefined, hookId: string) => {
  const since = from?.get(hookId)
  return since && (since.getTime() - at(0).getTime()) / 1_000
}
const taken = (hookId: string, recordedAt: Date) => ({ hookId, lane: 'FIRST' as const, recordedAt })

/** Everything is read, from `beganAtMs` on, and nothing of it was filled unless it is told. */
function readAll(narrow: Narrow, tookMs: number, beganAtMs: number, read: Partial<Read> = {}, claimed = [] as never[]) {
  narrow.choose(beganAtMs)
  narrow.learn(claimed, {
    now: at(100),
    from: undefined,
    isFilled: () => false,
    beganAtMs,
    endedAtMs: beganAtMs + tookMs,
    ...read,
  })
}

test('while everything is read quickly, everything is read; one that was slow may be a machine that stood still', () => {
  const narrow = createNarrow()
  readAll(narrow, 5_000, 0)
  assert.equal(narrow.choose(5_000), undefined)
  readAll(narrow, 99, 5_000)
  readAll(narrow, 5_000, 6_000)
  assert.equal(narrow.choose(11_000), undefined)
})

test('after two that were slow only what is new is read, for ten times as long as the last one took, 10 s at most', () => {
  const narrow = createNarrow()
  readAll(narrow, 100, 0)
  readAll(narrow, 100, 1_000)
  assert.ok(narrow.choose(2_099))
  assert.equal(narrow.choose(2_100), undefined)
  readAll(narrow, 3_000, 3_000)
  assert.ok(narrow.choose(15_999))
  assert.equal(narrow.choose(16_000), undefined)
  readAll(narrow, 99, 16_000)
  assert.equal(narrow.choose(16_100), undefined)
})

test('a hook is read from 15 s before the last one that was taken of it, or before the claim that left nothing', () => {
  const narrow = createNarrow()
  narrow.left([ONE, OTHER], at(100))
  const claimed = [taken(ONE, at(40)), taken(ONE, at(50)), taken(OTHER, at(45))] as never[]
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs, { isFilled: hookId => hookId === ONE }, claimed)
  const from = narrow.choose(300)
  assert.deepEqual([seconds(from, ONE), seconds(from, OTHER)], [35, 85])
  const next = { now: at(101), from, isFilled: () => true, beganAtMs: 300, endedAtMs: 301 }
  narrow.learn([taken(ONE, at(60))], next)
  const then = narrow.choose(302)
  assert.deepEqual([seconds(then, ONE), seconds(then, OTHER)], [45, 85], 'of the other there was no room to ask')
})

test('a hook that a narrow claim was not told of is not taken for read', () => {
  const narrow = createNarrow()
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  const from = narrow.choose(300)
  assert.equal(from?.size, 0)
  narrow.left([ONE], at(70))
  narrow.learn([], { now: at(101), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  assert.equal(seconds(narrow.choose(302), ONE), 55)
})

test('a hook of which only retries were taken is read by narrow claims, too: a backlog of retries goes on', () => {
  const narrow = createNarrow()
  const retried = [{ hookId: ONE, lane: 'RETRY', recordedAt: at(10) }] as never[]
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs, {}, retried)
  const from = narrow.choose(300)
  assert.deepEqual([from?.size, seconds(from, ONE)], [1, 85])
  narrow.learn(retried, { now: at(101), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  assert.equal(seconds(narrow.choose(302), ONE), 86)
})

test('so is one whose first attempts there was no room to ask for', () => {
  const narrow = createNarrow()
  const retried = [{ hookId: ONE, lane: 'RETRY', recordedAt: at(10) }] as never[]
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs, { isFilled: () => true }, retried)
  const from = narrow.choose(300)
  assert.deepEqual([from?.size, seconds(from, ONE)], [1, 85])
  narrow.learn(retried, { now: at(200), from, isFilled: () => true, beganAtMs: 300, endedAtMs: 301 })
  assert.equal(seconds(narrow.choose(302), ONE), 85, 'what it was read to')
})

const some = (many: number) => Array.from({ length: many }, (_, n) => String(n))

test('of hooks that were read it remembers a thousand, those heard of last; of those that something was left of, all', () => {
  const narrow = createNarrow()
  narrow.left(some(1_001), at(0))
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  const from = narrow.choose(300)
  assert.deepEqual([from?.size, from?.has('0'), from?.has('1000')], [1_000, false, true])
  narrow.learn([], { now: at(101), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  narrow.left(some(2_500), at(102))
  const then = narrow.choose(302)
  assert.deepEqual([then?.size, seconds(then, '0'), seconds(then, '1')], [2_500, 102 - 15, 101 - 15])
  narrow.left(some(10_001), at(103))
  const last = narrow.choose(303)
  assert.deepEqual([last?.size, last?.has('10000')], [10_000, true])
})

test('a hook of which something is left while a claim reads is not taken for read, however many others are', () => {
  const narrow = createNarrow()
  narrow.left([ONE, ...some(1_000)], at(100))
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  narrow.left([ONE], at(101))
  const from = narrow.choose(300)
  narrow.left([ONE], at(102))
  narrow.left(some(1_000), at(102))
  narrow.learn([], { now: at(102), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  const then = narrow.choose(302)
  assert.deepEqual([then?.size, seconds(then, ONE)], [1_001, 102 - 15])
})

test('of a hook that was changed everything is read, whatever was read of it before, and once more where that was while a claim read', () => {
  const narrow = createNarrow()
  narrow.left([ONE], at(100))
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  const choose = (nowMs: number) => {
    const from = narrow.choose(nowMs)
    return { from, since: from?.get(ONE)?.getTime() }
  }
  const learn = (from: ReadonlyMap<string, Date> | undefined) =>
    narrow.learn([], { now: at(200), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  narrow.changed([ONE])
  narrow.left([ONE], at(150))
  const first = choose(300)
  assert.equal(first.since, -15_000)
  narrow.changed([ONE])
  narrow.left([ONE], at(150))
  learn(first.from)
  const second = choose(301)
  assert.equal(second.since, -15_000)
  narrow.left([ONE], at(200))
  learn(second.from)
  assert.equal(choose(302).since, at(200 - 15).getTime())
})

test('a hook is read from what a save has released, also where that was while a claim read, and then from where that claim ended', () => {
  const narrow = createNarrow()
  narrow.left([ONE], at(100))
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  narrow.released([40, 20, 30].map(dueAt => ({ hookId: ONE, dueAt: at(dueAt) })))
  narrow.released([{ hookId: OTHER, dueAt: at(50) }])
  const first = narrow.choose(300)
  assert.deepEqual([seconds(first, ONE), seconds(first, OTHER)], [5, 35])
  narrow.released([{ hookId: ONE, dueAt: at(60) }])
  const next = { now: at(200), from: first, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 }
  narrow.learn([taken(ONE, at(20))], next)
  const second = narrow.choose(301)
  assert.deepEqual([seconds(second, ONE), seconds(second, OTHER)], [45, 185])
})

test('after one of everything that was given up only what is new is read: for 10 s at most, and where the next one is too, for a minute', () => {
  const narrow = createNarrow()
  narrow.left([ONE], at(100))
  narrow.choose(0)
  narrow.gaveUp({ now: at(100), from: undefined, beganAtMs: 0, endedAtMs: 20_000 })
  assert.equal(seconds(narrow.choose(29_999), ONE), 85)
  assert.equal(narrow.choose(30_000), undefined)
  narrow.gaveUp({ now: at(130), from: undefined, beganAtMs: 30_000, endedAtMs: 50_000 })
  assert.ok(narrow.choose(109_999))
  assert.equal(narrow.choose(110_000), undefined)
  readAll(narrow, 99, 110_000)
  assert.equal(narrow.choose(110_100), undefined)
})

test('where a narrow claim is given up, what was to be read from its beginning waits for everything, and what is new is read', () => {
  const narrow = createNarrow()
  narrow.gaveUp({ now: at(100), from: undefined, beganAtMs: 0, endedAtMs: 5_000 })
  narrow.changed([ONE])
  narrow.left([OTHER], at(100))
  const first = narrow.choose(5_001)
  assert.equal(first?.get(ONE)?.getTime(), -15_000)
  narrow.left([ONE], at(111))
  narrow.gaveUp({ now: at(110), from: first, beganAtMs: 5_001, endedAtMs: 7_000 })
  const second = narrow.choose(7_001)
  assert.deepEqual([seconds(second, ONE), seconds(second, OTHER)], [95, 85])
  narrow.changed([ONE])
  narrow.gaveUp({ now: at(120), from: second, beganAtMs: 7_001, endedAtMs: 9_000 })
  assert.equal(narrow.choose(9_001)?.get(ONE)?.getTime(), -15_000, 'changed while it was read')
})
