import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency } from './charge-submitter.ts'

/** Work that ends on request, and a list of the started pieces. */
function pieces() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const piece = (name: string) => () => {
    begun.push(name)
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    return end.promise
  }
  return {
    begun,
    piece,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

const turn = () => new Promise<void>(resolve => setImmediate(resolve))
const narrow = { name: 'stripe', atOnce: 2 } as const
const wide = { name: 'sandbox', atOnce: 100 } as const

test('a gateway has a limited number of open charges, and the longest waiting charge is next', async () => {
  const { begun, piece, end } = pieces()
  const turns = limitConcurrency()
  const all = ['a', 'b', 'c', 'd'].map(name => turns(narrow, piece(name)))
  await turn()
  assert.deepEqual(begun, ['a', 'b'])
  end('b')
  await turn()
  assert.deepEqual(begun, ['a', 'b', 'c'])
  end('a')
  end('c')
  await turn()
  end('d')
  await Promise.all(all)
  assert.deepEqual(begun, ['a', 'b', 'c', 'd'])
})

test('failed work frees its slot for the next charge', async () => {
  const { begun, piece, end, fail } = pieces()
  const turns = limitConcurrency()
  const failing = [turns(narrow, piece('a')), turns(narrow, piece('b'))]
  const next = turns(narrow, piece('c'))
  await turn()
  fail('a')
  fail('b')
  for (const one of failing) await assert.rejects(one)
  assert.deepEqual(begun, ['a', 'b', 'c'])
  end('c')
  await next
})

test('a gateway without free slots does not delay other gateways', async () => {
  const { begun, piece, end } = pieces()
  const turns = limitConcurrency()
  const all = ['a', 'b', 'c'].map(name => turns(narrow, piece(name)))
  all.push(turns(wide, piece('elsewhere')))
  await turn()
  assert.deepEqual(begun, ['a', 'b', 'elsewhere'])
  for (const name of ['a', 'b', 'elsewhere']) end(name)
  await turn()
  end('c')
  await Promise.all(all)
})
