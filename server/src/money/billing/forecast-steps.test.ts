import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSteps } from './forecast.ts'

/** Steps until other work had a turn, at most a limited number. */
function* untilAnother(had: () => boolean): Generator<void, boolean> {
  const endMs = performance.now() + 5_000
  while (!had() && performance.now() < endMs) yield
  return had()
}

test('the process does other work during long work', async () => {
  let had = false
  setImmediate(() => {
    had = true
  })
  assert.equal(await openSteps()(untilAnother(() => had)), true)
})

test('the process does other work during many short works in a row', async () => {
  const take = openSteps()
  let had = false
  setImmediate(() => {
    had = true
  })
  const endMs = performance.now() + 5_000
  while (!had && performance.now() < endMs) await take([undefined].values() as Iterator<void, void>)
  assert.equal(had, true)
})

test('an error of the work is thrown', async () => {
  const thrown = new Error('no such period')
  // biome-ignore lint/correctness/useYield: it throws before.
  const steps = (function* (): Generator<void, void> {
    throw thrown
  })()
  await assert.rejects(openSteps()(steps), thrown)
})
