import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keepTexts } from './kept-texts.ts'

const LIMIT = 1_000

test('what is found is what was kept by that name, and never more than the limit is', () => {
  const names = fc.integer({ min: 0, max: 60 }).map(n => `name ${n}`)
  const steps = fc.array(fc.tuple(names, fc.boolean()), { maxLength: 400 })
  fc.assert(
    fc.property(steps, taken => {
      const kept = keepTexts(LIMIT)
      for (const [name, isKept] of taken) {
        if (isKept) kept.keep(name, textOf(name))
        else assert.ok([undefined, textOf(name)].includes(kept.find(name)), name)
      }
      const found = [...new Set(taken.map(([name]) => name))].filter(name => kept.find(name) !== undefined)
      const size = found.reduce((sum, name) => sum + name.length + textOf(name).length, 0)
      assert.ok(size <= LIMIT, `${size} characters`)
    }),
  )
})

test('what was asked for lately outlives what was not', () => {
  const kept = keepTexts(LIMIT)
  for (const name of ['asked for', 'forgotten']) kept.keep(name, 'x'.repeat(100))
  for (let n = 0; n < 20; n++) {
    assert.equal(kept.find('asked for')?.length, 100)
    kept.keep(`other ${n}`, 'x'.repeat(100))
  }
  assert.equal(kept.find('forgotten'), undefined)
})

test('a text longer than all that may be kept drops the others, and is itself dropped by the next one', () => {
  const kept = keepTexts(LIMIT)
  for (const name of ['first', 'second', 'third']) kept.keep(name, 'x'.repeat(2 * LIMIT))
  assert.deepEqual([kept.find('first'), kept.find('second')?.length], [undefined, 2 * LIMIT])
})

test('once all is forgotten, nothing is found until it is kept again', () => {
  const kept = keepTexts(LIMIT)
  for (let n = 0; n < 30; n++) kept.keep(`name ${n}`, textOf(`name ${n}`))
  kept.forgetAll()
  assert.deepEqual(
    Array.from({ length: 30 }, (_, n) => kept.find(`name ${n}`)).filter(text => text !== undefined),
    [],
  )
  kept.keep('name 1', 'Grüße "🔑"')
  assert.equal(kept.find('name 1'), 'Grüße "🔑"')
})

const textOf = (name: string) => `the text of ${name}, ${'and so on '.repeat(name.length % 7)}`
