import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createRoom, type Place, type Room } from './room.ts'

const timeout = { kind: 'failed', reason: 'timeout' } as const
const answered = (httpStatus: number) => ({ kind: 'answered', httpStatus }) as const

test('what is under way takes room, of its hook and in all', () => {
  const room = createRoom({ inAll: 40, perHook: 3 })
  const places = [room.take('a', 'FIRST'), room.take('a', 'FIRST')]
  assert.equal(room.free('FIRST'), 38)
  assert.equal(room.of('a', 'FIRST'), 1)
  assert.equal(room.rooms().get('a')?.FIRST, 1)
  for (const place of places) place.end()
  assert.equal(room.free('FIRST'), 40)
  assert.deepEqual(room.rooms(), new Map())
})

test('retries and replays have room of their own, and take none of first attempts', () => {
  const room = createRoom({ inAll: 16, perHook: 8 })
  for (let i = 0; i < 8; i++) room.take('a', 'RETRY')
  for (let i = 0; i < 4; i++) room.take('b', 'REPLAY')
  assert.deepEqual(room.underWay, { FIRST: 0, RETRY: 8, REPLAY: 4 })
  assert.deepEqual([room.free('RETRY'), room.free('REPLAY'), room.free('FIRST')], [0, 0, 16])
  assert.equal(room.of('a', 'RETRY'), 0)
  assert.ok(room.of('a', 'FIRST') > 0)
})

test('a hook that times out gets half the room each time, never none; each quick answer gives one back', () => {
  const room = createRoom({ inAll: 4_096, perHook: 32 })
  const width = () => room.of('a', 'FIRST')
  assert.equal(width(), 8)
  const seen = [1, 2, 3, 4].map(() => {
    room.learn('a', timeout, 2_000)
    return width()
  })
  assert.deepEqual(seen, [4, 2, 1, 1])
  room.learn('a', answered(200), 5)
  assert.equal(width(), 2)
  for (let answers = 0; answers < 600; answers++) room.learn('a', answered(200), 5)
  assert.equal(width(), 32)
})

test('who answers slowly, or asks for less, gets less', () => {
  const room = createRoom({ inAll: 1_000, perHook: 32 })
  const width = () => room.of('a', 'FIRST')
  room.learn('a', answered(200), 1_500)
  assert.equal(width(), 6)
  for (let answers = 0; answers < 20; answers++) room.learn('a', answered(200), 1_900)
  assert.equal(width(), 1)
  room.learn('b', answered(429), 5)
  assert.equal(room.of('b', 'FIRST'), 4)
})

test('who acknowledges within three quarters of the time keeps the places it began with, and no more', () => {
  const room = createRoom({ inAll: 4_096, perHook: 32 })
  const width = () => room.of('a', 'FIRST')
  for (let answers = 0; answers < 100; answers++) room.learn('a', answered(200), 300)
  assert.equal(width(), 8)
  for (const durationMs of [500, 700, 999, 1_499]) {
    for (let answers = 0; answers < 100; answers++) room.learn('a', answered(200), durationMs)
    assert.equal(width(), 8, `${durationMs} ms`)
  }
  for (let timeouts = 0; timeouts < 4; timeouts++) room.learn('a', timeout, 2_000)
  assert.equal(width(), 1)
  for (let answers = 0; answers < 8; answers++) room.learn('a', answered(200), 1_499)
  assert.equal(width(), 8)
  for (let answers = 0; answers < 600; answers++) room.learn('a', answered(200), 5)
  assert.equal(width(), 32)
  for (let answers = 0; answers < 20; answers++) room.learn('a', answered(200), 700)
  assert.equal(width(), 8)
})

test('a failure that comes late gains no place', () => {
  const room = createRoom({ inAll: 1_000, perHook: 32 })
  for (let timeouts = 0; timeouts < 4; timeouts++) room.learn('a', timeout, 2_000)
  for (let answers = 0; answers < 8; answers++) room.learn('a', answered(500), 700)
  assert.equal(room.of('a', 'FIRST'), 1)
})

test('what a hook was given for its quick answers is forgotten with them', () => {
  const room = createRoom({ inAll: 4_096, perHook: 32 })
  for (let answers = 0; answers < 600; answers++) room.learn('a', answered(200), 5)
  assert.equal(room.of('a', 'FIRST'), 32)
  room.forget('a')
  room.forget('never heard of')
  assert.deepEqual([room.of('a', 'FIRST'), room.toClaim('a', 0)], [8, 8])
})

test('a rejection costs no time, and no room; a timeout of our own making costs none either', () => {
  const room = createRoom({ inAll: 1_000, perHook: 32 })
  room.learn('a', { kind: 'failed', reason: 'refused' }, 1)
  room.learn('a', { kind: 'failed', reason: 'timeout', stalled: true }, 5_000)
  assert.equal(room.of('a', 'FIRST'), 8)
})

test('200 hooks that hang before anything is known of them leave room for the next one', () => {
  const room = createRoom({ inAll: 1_024, perHook: 32 })
  for (let hook = 0; hook < 200; hook++) {
    const places = room.of(`hanging ${hook}`, 'FIRST')
    for (let i = 0; i < places; i++) room.take(`hanging ${hook}`, 'FIRST')
  }
  assert.ok(room.of('healthy', 'FIRST') >= 1)
})

/** They begin, one after the other, as many as each has room for. Returns how many that is. */
function hang(room: Room, hooks: number): Place[] {
  return Array.from({ length: hooks }, (_, hook) => `hanging ${hook}`).flatMap(hookId =>
    Array.from({ length: room.of(hookId, 'FIRST') }, () => room.take(hookId, 'FIRST')),
  )
}

test('400 hooks that hang before anything is known of them leave a quarter to those that are known as quick', () => {
  const room = createRoom({ inAll: 1_024, perHook: 32 })
  room.learn('quick', answered(200), 499)
  const hanging = hang(room, 400)
  assert.equal(hanging.length, 768)
  assert.deepEqual([room.of('quick', 'FIRST'), room.toClaim('quick', 0), room.mayHold('quick')], [4, 4, 64])
  assert.deepEqual([room.of('new', 'FIRST'), room.toClaim('new', 0), room.mayHold('new')], [0, 0, 0])
  assert.deepEqual([room.ofOthers().FIRST, room.ofOthers().RETRY], [0, 4])
  for (const place of hanging) place.end()
  assert.deepEqual([room.of('new', 'FIRST'), room.ofOthers().FIRST, room.isTight()], [8, 8, false])
})

test('of 10,000 hooks that are sent to in turn each is known as quick when its turn comes; where others get nothing, ten claims are told of all', () => {
  const room = createRoom({ inAll: 1_024, perHook: 32 })
  const hookIds = Array.from({ length: 10_000 }, (_, n) => `quick ${n}`)
  for (const hookId of hookIds) room.learn(hookId, answered(200), 5)
  assert.deepEqual(
    hookIds.filter(hookId => !room.isQuick(hookId)),
    [],
  )
  assert.equal(room.rooms().size, 1_000, 'a claim is told of as few as ever')
  hang(room, 400)
  assert.deepEqual([room.ofOthers().FIRST, room.mayHold('quick 0')], [0, 64])
  const told = Array.from({ length: 10 }, () => room.rooms())
  for (const rooms of told) assert.ok(rooms.size < 3_000, 'a claim is told of few more')
  for (const hookId of hookIds) assert.ok(told.some(rooms => rooms.get(hookId)?.FIRST === 4))
  assert.equal(room.rooms().get('quick 0')?.FIRST, 4, 'and then from the first on')
  room.forget('quick 0')
  assert.deepEqual([room.isQuick('quick 0'), room.mayHold('quick 0')], [false, 0])
})

test('of hooks that are not known as quick nothing is claimed unless a whole claim of them has places', () => {
  const room = createRoom({ inAll: 1_024, perHook: 32 })
  for (let taken = 0; taken < 512; taken++) room.take(`unknown ${taken}`, 'FIRST')
  assert.deepEqual([room.isTight(), room.ofOthers().FIRST, room.toClaim('unknown 0', 0)], [false, 4, 4])
  const one = room.take('one more', 'FIRST')
  assert.deepEqual([room.isTight(), room.ofOthers().FIRST, room.toClaim('unknown 0', 0)], [true, 0, 0])
  assert.equal(room.of('unknown 0', 'FIRST'), 4, 'what is handed off still has room')
  one.end()
  assert.equal(room.isTight(), false)
})

test('who fails, answers late or has few places is not known as quick; what began as quick counts as such until it ends', () => {
  const room = createRoom({ inAll: 64, perHook: 8 })
  const isQuickAfter = (...told: Parameters<Room['learn']>[]) => {
    for (const each of told) room.learn(...each)
    return room.isQuick('a')
  }
  assert.equal(room.isQuick('a'), false)
  assert.equal(isQuickAfter(['a', answered(200), 499]), true)
  assert.equal(isQuickAfter(['a', answered(200), 500]), false)
  assert.equal(isQuickAfter(['a', answered(200), 5], ['a', answered(500), 5]), false)
  assert.equal(isQuickAfter(['a', answered(200), 5], ['a', timeout, 2_000]), false)
  assert.equal(isQuickAfter(['a', answered(200), 5]), false, 'it has five places')
  assert.equal(isQuickAfter(...Array(3).fill(['a', answered(200), 5])), true)
  for (let taken = 0; taken < 16; taken++) room.take('a', 'FIRST')
  room.learn('a', timeout, 2_000)
  assert.equal(hang(room, 64).length, 48)
})

test('of a quick hook more is claimed than there is room for, and again once half of it is gone; of others as there is room', () => {
  const room = createRoom({ inAll: 4_096, perHook: 32 })
  assert.equal(room.toClaim('unknown', 0), room.of('unknown', 'FIRST'))
  for (let answers = 0; answers < 600; answers++) room.learn('quick', answered(200), 5)
  assert.equal(room.toClaim('quick', 0), 128)
  for (let taken = 0; taken < 32; taken++) room.take('quick', 'FIRST')
  assert.equal(room.toClaim('quick', 96), 0)
  assert.equal(room.toClaim('quick', 33), 0)
  assert.equal(room.toClaim('quick', 32), 64)
  for (let timeouts = 0; timeouts < 3; timeouts++) room.learn('quick', timeout, 2_000)
  assert.equal(room.toClaim('quick', 0), 0)
})

test('an acknowledgement frees its place before it is saved, but not that of all; of a hook only so many may be unsaved', () => {
  const room = createRoom({ inAll: 4_096, perHook: 8 })
  const places = Array.from({ length: 8 }, () => room.take('a', 'FIRST'))
  assert.equal(room.of('a', 'FIRST'), 0)
  places[0]?.acknowledged()
  assert.deepEqual([room.of('a', 'FIRST'), room.of('a', 'RETRY'), room.underWay.FIRST], [1, 4, 8])
  for (const place of places.slice(1)) place.acknowledged()
  assert.equal(room.of('a', 'FIRST'), 8)
  for (let taken = 8; taken < 32; taken++) room.take('a', 'FIRST').acknowledged()
  assert.deepEqual([room.of('a', 'FIRST'), room.underWay.FIRST], [0, 32])
  for (const place of places) place.end()
  assert.deepEqual([room.of('a', 'FIRST'), room.underWay.FIRST], [8, 24])
})

test('what ends leaves nothing behind, acknowledged or not', () => {
  const room = createRoom({ inAll: 40, perHook: 8 })
  const [one, other] = [room.take('a', 'RETRY'), room.take('a', 'REPLAY')]
  one.acknowledged()
  one.end()
  other.end()
  assert.deepEqual(room.underWay, { FIRST: 0, RETRY: 0, REPLAY: 0 })
  assert.deepEqual(room.rooms(), new Map())
})

test('what is learned of the same hooks again and again takes no more memory', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const room = createRoom({ inAll: 1_024, perHook: 32 })
  const hooks = Array.from({ length: 40 }, (_, n) => `quick ${n}`)
  const learn = (times: number) => {
    for (let n = 0; n < times; n++) room.learn(hooks[n % hooks.length] ?? '', answered(200), 5)
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = learn(10_000)
  const grownBytes = learn(400_000) - before
  assert.ok(grownBytes < 4_000_000, `${grownBytes} bytes more`)
})
