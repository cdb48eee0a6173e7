import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { bytesLeft } from '../../../test/support/young.ts'
import { type Database, openDatabase } from './db.ts'
import { callOnce } from './statement.ts'

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

const LONG = 100_000
/** 10 MB of values, and as much of rows. */
const MANY = 100

test('neither the values nor the rows of a statement grow old with what the driver keeps of it', async () => {
  const ask = async (n: number) => {
    const value = `${n}`.padEnd(LONG, 'x')
    const [row] = await db.sql<{ value: string }[]>`select ${value}::text as value`
    assert.equal(row?.value.length, LONG)
  }
  await ask(0)
  const left = await bytesLeft(async () => {
    for (let n = 0; n < MANY; n++) await ask(n)
  })
  assert.ok(left < MANY * LONG, `${left} bytes`)
})

test('a statement answers all who wait for it, with its rows, its count and its columns', async () => {
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

test('one that fails tells all who wait for it why, and leaves no rejection that nobody takes', async () => {
  const asked = db.sql`select 1 / 0`
  const failed = await Promise.allSettled([asked, asked.catch(error => Promise.reject(error))])
  assert.deepEqual(
    failed.map(result => result.status === 'rejected' && result.reason.code),
    ['22012', '22012'],
  )
})

test('one is sent at once by execute, and cannot be what only the driver makes of its own', async () => {
  const asked = db.sql<{ n: number }[]>`select 1 as n`.execute()
  assert.deepEqual([...(await asked)], [{ n: 1 }])
  assert.throws(() => db.sql`select 1`.cursor(), /ask the driver/)
})

test('a part of a statement is sent with it, values and all, and may be a part of another one', async () => {
  const part = db.sql`n > ${1}`
  for (const limit of [1, 2]) {
    const rows = await db.sql<{ n: number }[]>`select n from generate_series(1, 3) as n where ${part} limit ${limit}`
    assert.equal(rows.length, limit)
  }
})

test('what is to be called once is kept no longer', () => {
  const half = callOnce((n: number) => n / 2)
  assert.equal(half(4), 2)
  assert.throws(() => half(4), /called before/)
})
