import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type KeptTexts, keepTexts } from './kept-texts.ts'

const LIMIT = 1_000

test('what is found is what was kept by that name, and never more than the limit is', () => {
  const names = fc.integer({ min: 0, max: 60 }).map(n => `name ${n}`)
  const steps = fc.array(fc.tuple(names, fc.boolean()), { maxLength: 400 })
  fc.assert(
    fc.property(steps, taken => {
      const kept = keepTexts(LIMIT)
      for (const [name, isKept] of taken) {
        if (isKept) keep(kept, name, textOf(name))
        else assert.ok([undefined, textOf(name)].includes(kept.find(name)), name)
      }
      const found = [...new Set(taken.map(([name]) => name))].filter(name => kept.find(name) !== undefined)
      const size = found.reduce((sum, name) => sum + name.length + textOf(name).length, 0)
      assert.ok(size <= LIMIT, `${size} characters`)
    }),
  )
})

test('a text is kept from the second time on that its name comes', () => {
  const kept = keepTexts(LIMIT)
  const found: (string | undefined)[] = []
  for (const _time of [1, 2, 3]) {
    kept.keep('name', 'text')
    found.push(kept.find('name'))
  }
  assert.deepEqual(found, [undefined, 'text', 'text'])
})

test('of more names than there is room for, each in turn, hardly one is kept, so that they do not drive each other out', () => {
  const kept = keepTexts(LIMIT)
  for (const _turn of [1, 2, 3]) for (let n = 0; n < 100_000; n++) kept.keep(`name ${n}`, '')
  const count = Array.from({ length: 100_000 }, (_, n) => kept.find(`name ${n}`)).filter(
    text => text !== undefined,
  ).length
  assert.ok(count < 1_000, `${count}`)
})

test('what was asked for lately outlives what was not', () => {
  const kept = keepTexts(LIMIT)
  for (const name of ['asked for', 'forgotten']) keep(kept, name, 'x'.repeat(100))
  for (let n = 0; n < 20; n++) {
    assert.equal(kept.find('asked for')?.length, 100)
    keep(kept, `other ${n}`, 'x'.repeat(100))
  }
  assert.equal(kept.find('forgotten'), undefined)
})

test('a text longer than all that may be kept drops the others, and is itself dropped by the next one', () => {
  const kept = keepTexts(LIMIT)
  for (const name of ['first', 'second', 'third']) keep(kept, name, 'x'.repeat(2 * LIMIT))
  assert.deepEqual([kept.find('first'), kept.find('second')?.length], [undefined, 2 * LIMIT])
})

test('once all is forgotten, nothing is found until it is kept again', () => {
  const kept = keepTexts(LIMIT)
  for (let n = 0; n < 30; n++) keep(kept, `name ${n}`, textOf(`name ${n}`))
  kept.forgetAll()
  assert.deepEqual(
    Array.from({ length: 30 }, (_, n) => kept.find(`name ${n}`)).filter(text => text !== undefined),
    [],
  )
  keep(kept, 'name 1', 'Grüße "🔑"')
  assert.equal(kept.find('name 1'), 'Grüße "🔑"')
})

function keep(kept: KeptTexts, name: string, text: string): void {
  for (const _time of [1, 2]) kept.keep(name, text)
}

const textOf = (name: string) => `the text of ${name}, ${'and so on '.repeat(name.length % 7)}`
