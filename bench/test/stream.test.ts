import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monotonicMs } from '../src/monotonic.ts'
import { createStreams, readId, writeId } from '../src/stream.ts'

const quick = { quietMs: 100, signal: new AbortController().signal }

test('a resource id contains its instant to the microsecond, in the form of a UUID', () => {
  const given = { stream: 7, turn: 123_456, fromMs: 9_876_543.21 }
  const id = writeId(given)
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.deepEqual(readId(id), given)
})

test('the ids of one stream increase', () => {
  using stream = createStreams().open()
  const ids = Array.from({ length: 300 }, () => stream.newId(monotonicMs()))
  assert.deepEqual(ids.toSorted(), ids)
})

test('the latency of a notification is from its instant to its first arrival, in its own stream', async () => {
  const streams = createStreams()
  using one = streams.open()
  using other = streams.open()
  const id = one.newId(1_000)
  streams.take([
    ['a', id, 1_004],
    ['b', id, 1_006],
    ['a', id, 1_009],
  ])
  await one.arrived(2, quick)
  assert.deepEqual([one.latenciesMs, one.repeated, one.lastAtMs], [[4, 6], 1, 1_006])
  assert.deepEqual(other.latenciesMs, [])
})

test('missing notifications are awaited until no notification arrives for a while', async () => {
  using stream = createStreams().open()
  await stream.arrived(1, quick)
  assert.deepEqual(stream.latenciesMs, [])
})

test('notifications that arrive after the end of a stream are ignored', () => {
  const streams = createStreams()
  const stream = streams.open()
  stream[Symbol.dispose]()
  streams.take([['a', stream.newId(0), 1]])
  assert.deepEqual(stream.latenciesMs, [])
})
