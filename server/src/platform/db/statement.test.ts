import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from './db.ts'

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url, maxConnections: 2 })
})
after(async () => {
  await db.close()
  await fresh.drop()
})

test('every awaiter of a statement gets its rows, count and columns', async () => {
  const asked = db.sql<{ n: number }[]>`select n from generate_series(1, 3) as n`
  const [first, second] = await Promise.all([asked, asked.then(rows => rows)])
  assert.deepEqual([...first], [{ n: 1 }, { n: 2 }, { n: 3 }])
  assert.equal(first, second)
  assert.equal(first.count, 3)
  assert.deepEqual(
    first.columns.map(({ name }) => name),
    ['n'],
  )
})

test('a failed statement rejects for every awaiter, and leaves no unhandled rejection', async () => {
  const asked = db.sql`select 1 / 0`
  const failed = await Promise.allSettled([asked, asked.catch(error => Promise.reject(error))])
  assert.deepEqual(
    failed.map(result => result.status === 'rejected' && result.reason.code),
    ['22012', '22012'],
  )
})

test('a statement may be sent before it is awaited', async () => {
  const asked = db.sql<{ n: number }[]>`select 1 as n`.execute()
  assert.deepEqual([...(await asked)], [{ n: 1 }])
})

test('a part of a statement is sent with its values, and may contain other parts', async () => {
  const part = db.sql`n > ${1}`
  for (const limit of [1, 2]) {
    const rows = await db.sql<{ n: number }[]>`select n from generate_series(1, 3) as n where ${part} limit ${limit}`
    assert.equal(rows.length, limit)
  }
})
