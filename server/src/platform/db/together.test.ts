import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from './db.ts'
import { pipeline } from './sql.ts'

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url, maxConnections: 1 })
  await db.sql`create table kept (n integer)`
})
after(async () => {
  await db.close()
  await fresh.drop()
})

test('results come in the order of the statements', async () => {
  const both = await pipeline([db.sql<{ n: number }[]>`select 1 as n`, Promise.resolve('two')])
  assert.deepEqual([both[0][0]?.n, both[1]], [1, 'two'])
})

test('if one statement fails, no later statement is executed after the rollback, and the cause is thrown', async () => {
  const slowly = async (sql: Database['sql']) => {
    for (let n = 0; n < 5; n++) await sql`insert into kept values (${n})`
  }
  const failing = db.transaction(({ sql }) => pipeline([slowly(sql), sql`select 1 / 0`]))
  await assert.rejects(failing, { code: '22012' })
  assert.deepEqual([...(await db.sql`select n from kept`)], [])
})
