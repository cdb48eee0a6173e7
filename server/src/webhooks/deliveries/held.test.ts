import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBehind } from './behind.ts'
import { createHeld, type HeldOptions } from './held.ts'
import type { Pace } from './pace.ts'
import type { Sendable } from './prepare.ts'
import { createRoom } from './room.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const ONE_LOT = 250
const ANSWERED = { kind: 'answered', httpStatus: 200 } as const

const others = { isAbout: true }
/** Nothing that gives way may begin while others are about. */
const pace: Pace = {
  firstBegan() {},
  givesWay: () => others.isAbout,
  mayBegin: () => !others.isAbout,
  began() {},
  restMs: () => 1,
}

function holding(options: Partial<HeldOptions> = {}) {
  const room = createRoom({ inAll: 1_024, perHook: 32 })
  const behind = createBehind()
  const [begun, left]: [Sendable[], Sendable[]] = [[], []]
  const held = createHeld({
    ...{ room, behind, pace, latePace: pace, freshForMs: 60_000 },
    begin: delivery => {
      room.take(delivery.hookId, delivery.lane)
      begun.push(delivery)
    },
    leave: deliveries => void left.push(...deliveries),
    leaveToClaim: deliveries => void left.push(...deliveries),
    claimMore() {},
    ...options,
  })
  return { behind, begun, held, left, room }
}

const firstOf = (hookId: string, many = 1) =>
  Array.from({ length: many }, () => ({ hookId, lane: 'FIRST' }) as Sendable)
const named = (many: number) => Array.from({ length: many }, (_, n) => `hook ${n}`)

/** A claim has found more of each than it might take, all of it old. */
function fallBehind({ behind, held, room }: ReturnType<typeof holding>, hookIds: readonly string[]): void {
  const rooms = new Map(hookIds.map(hookId => [hookId, { FIRST: 1, RETRY: 0, REPLAY: 0 }]))
  const found = hookIds.map(hookId => ({ hookId, lane: 'FIRST' as const, recordedAt: new Date(NOW.getTime() - 1) }))
  behind.learn(found, { rooms, roomOfOthers: room.ofOthers(), limit: held.limits().FIRST, lateBefore: NOW })
}

test('hooks that catch up share one lot, and each gets more of it once half of what it had has begun', () => {
  const of = holding()
  const hookIds = named(10)
  for (const hookId of hookIds) for (let answers = 0; answers < 600; answers++) of.room.learn(hookId, ANSWERED, 5)
  fallBehind(of, hookIds)
  const first = () => hookIds.map(hookId => of.held.rooms().get(hookId)?.FIRST)
  assert.deepEqual(first(), Array(10).fill(ONE_LOT / 10))
  of.held.add([...firstOf('hook 0', 13), ...firstOf('hook 1', 12)])
  assert.deepEqual(first(), [0, 13, ...Array(8).fill(ONE_LOT / 10)])
  assert.deepEqual(
    [of.held.mayClaim('hook 0', 'FIRST'), of.held.mayClaim('hook 0', 'RETRY'), of.held.mayClaim('hook 1', 'FIRST')],
    [false, true, true],
  )
  of.held.drop(hookIds)
  assert.deepEqual(first(), Array(10).fill(ONE_LOT / 10))
})

test('hooks that are behind share a claim, those with little room beside them', () => {
  others.isAbout = false
  const of = holding()
  const [quick, slow] = [named(5), ['slow', 'slower']]
  for (const hookId of quick) for (let answers = 0; answers < 600; answers++) of.room.learn(hookId, ANSWERED, 5)
  for (const hookId of slow) for (let answers = 0; answers < 600; answers++) of.room.learn(hookId, ANSWERED, 1_600)
  const first = () => [...quick, ...slow].map(hookId => of.held.rooms().get(hookId)?.FIRST)
  assert.deepEqual(first(), [...Array(5).fill(128), 1, 1], 'none is behind: as much as each has room for')
  fallBehind(of, ['hook 0', ...slow])
  assert.equal(of.held.rooms().get('hook 0')?.FIRST, 128, 'it shares with nobody')
  fallBehind(of, quick)
  assert.deepEqual(first(), [...Array(5).fill(ONE_LOT / 5), 1, 1])
  of.held.add(firstOf('hook 0', 65))
  assert.deepEqual(first(), [0, ...Array(4).fill(63), 1, 1], 'one that has enough leaves its share to the others')
  others.isAbout = true
})

test('however many share a claim, each gets eight of it', () => {
  const of = holding()
  const hookIds = named(40)
  for (const hookId of hookIds) for (let answers = 0; answers < 600; answers++) of.room.learn(hookId, ANSWERED, 5)
  fallBehind(of, hookIds)
  assert.deepEqual(
    hookIds.map(hookId => of.held.rooms().get(hookId)?.FIRST),
    Array(40).fill(8),
  )
})

test('they begin in turn, one of each', async () => {
  const allowed = { more: 0 }
  const emptied = Promise.withResolvers<void>()
  const latePace = { ...pace, mayBegin: () => allowed.more > 0, began: () => void allowed.more-- }
  const of = holding({ latePace, claimMore: emptied.resolve })
  fallBehind(of, ['a', 'b', 'c'])
  of.held.add([...firstOf('a', 3), ...firstOf('b', 2), ...firstOf('c', 2)])
  allowed.more = 2
  of.held.add([])
  assert.deepEqual(
    of.begun.map(({ hookId }) => hookId),
    ['a', 'b'],
  )
  allowed.more = 5
  await emptied.promise
  assert.deepEqual(
    of.begun.map(({ hookId }) => hookId),
    ['a', 'b', 'c', 'a', 'b', 'c', 'a'],
  )
})

test('what is held to catch up takes of what a claim may take in all, and no room of its hook', () => {
  const of = holding()
  fallBehind(of, ['late'])
  const before = of.held.limits()
  of.held.add(firstOf('late', 800))
  assert.deepEqual([of.begun.length, of.held.waiting], [8, 800 - ONE_LOT - 8], 'past one lot it waits as always')
  assert.deepEqual([before.FIRST, of.held.limits().FIRST], [ONE_LOT, 1_024 - 800])
  assert.deepEqual([of.held.limits().RETRY, of.held.limits().REPLAY], [before.RETRY, before.REPLAY])
})

test('more hooks than can share a lot give way to nobody, nor does one while nobody else is sent to', () => {
  const of = holding()
  fallBehind(of, ['late'])
  others.isAbout = false
  of.held.add(firstOf('late'))
  others.isAbout = true
  of.held.add(firstOf('late'))
  assert.equal(of.begun.length, 1)
  fallBehind(of, named(32))
  of.held.add(firstOf('hook 7'))
  assert.deepEqual(of.begun, [...firstOf('late'), ...firstOf('hook 7')])
  assert.equal(of.held.rooms().get('hook 7')?.FIRST, 7)
})

test('a hook that is not known as quick holds nothing to catch up with while places are tight', () => {
  const of = holding()
  of.room.learn('quick', ANSWERED, 5)
  fallBehind(of, ['quick', 'unknown'])
  of.held.add([...firstOf('quick'), ...firstOf('unknown', 2)])
  assert.deepEqual([of.begun, of.left], [[], []])
  for (let taken = 0; taken < 513; taken++) of.room.take(`hanging ${taken}`, 'FIRST')
  of.held.begin()
  assert.deepEqual([of.begun, of.left], [[], firstOf('unknown', 2)])
  assert.equal(of.held.rooms().get('unknown')?.FIRST, 0)
  assert.deepEqual(of.held.drop(), firstOf('quick'))
})

test('what is dropped of a hook is all of it, in whatever lane, and nothing of another', () => {
  const of = holding()
  fallBehind(of, ['a', 'b'])
  const again = { hookId: 'a', lane: 'REPLAY' } as Sendable
  for (let taken = 0; taken < 8; taken++) of.room.take('c', 'FIRST')
  of.held.add([...firstOf('a', 2), ...firstOf('b'), ...firstOf('c', 2), again])
  assert.deepEqual([of.held.waitingOf('c'), of.held.hasAgain], [2, true])
  assert.deepEqual(of.held.drop(['a', 'c', 'never heard of']), [...firstOf('c', 2), ...firstOf('a', 2), again])
  assert.deepEqual([of.held.waiting, of.held.hasAgain], [0, false])
  assert.deepEqual(of.held.drop(), firstOf('b'))
})
