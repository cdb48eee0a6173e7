import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUnderWay } from './under-way.ts'

test('the wait includes work that starts meanwhile, and failed work', async () => {
  const underWay = createUnderWay()
  await underWay.allEnded()
  const works = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const [first, second, third] = works
  const added = [underWay.add(first?.promise ?? assert.fail()), underWay.add(second?.promise ?? assert.fail())]
  let hasEnded = 0
  const waits = [underWay.allEnded(), underWay.allEnded()].map(ended => ended.then(() => hasEnded++))
  added.push(underWay.add(third?.promise ?? assert.fail()))
  first?.resolve()
  second?.reject(new Error('of the second'))
  const settled = await Promise.allSettled(added.slice(0, 2))
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  assert.equal(hasEnded, 0)
  third?.resolve()
  await Promise.all(waits)
  assert.equal(hasEnded, 2)
})
