import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from './sql.ts'

/** Answers on command and records the statements that it received. */
function statements() {
  const sent: { ids: readonly string[]; answer(): void; fail(error: Error): void }[] = []
  const readAll = (ids: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
    const found = ids.filter(id => id !== 'absent').map(id => [id, `row ${id}`] as const)
    sent.push({ ids, answer: () => resolve(new Map(found)), fail: reject })
    return promise
  }
  return { sent, find: gather(readAll) }
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))

test('ids requested in one turn use one statement, each id once, and each caller gets its row', async () => {
  const { sent, find } = statements()
  const asked = ['a', 'b', 'a', 'absent'].map(find)
  await turn()
  assert.deepEqual(
    sent.map(({ ids }) => ids),
    [['a', 'b', 'absent']],
  )
  sent[0]?.answer()
  assert.deepEqual(await Promise.all(asked), ['row a', 'row b', 'row a', undefined])
})

test('while two statements are in progress further ids wait and then share a statement', async () => {
  const { sent, find } = statements()
  const first = find('a')
  await turn()
  const second = find('b')
  await turn()
  const others = ['c', 'd', 'a'].map(find)
  await turn()
  assert.equal(sent.length, 2)
  sent[1]?.answer()
  assert.equal(await second, 'row b')
  await turn()
  assert.deepEqual(sent[2]?.ids, ['c', 'd', 'a'])
  for (const one of sent) one.answer()
  assert.deepEqual(await Promise.all([first, ...others]), ['row a', 'row c', 'row d', 'row a'])
})

test('an id requested after its statement was sent is read again', async () => {
  const { sent, find } = statements()
  const first = find('a')
  await turn()
  const second = find('a')
  await turn()
  assert.equal(sent.length, 2)
  for (const one of sent) one.answer()
  assert.deepEqual(await Promise.all([first, second]), ['row a', 'row a'])
})

test('a failed statement fails for its own callers only', async () => {
  const { sent, find } = statements()
  const asked = ['a', 'b'].map(find)
  await turn()
  const later = find('c')
  await turn()
  sent[0]?.fail(new Error('away'))
  sent[1]?.answer()
  for (const one of asked) await assert.rejects(one, /away/)
  assert.equal(await later, 'row c')
})
