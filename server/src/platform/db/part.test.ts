import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase, type Sql } from './db.ts'
import { part, send } from './sql.ts'

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
})
after(async () => {
  await db?.close()
  await fresh?.drop()
})

test('nested parts form one statement with each value in its position', async () => {
  const inner = part`(${2}::int, ${"a'b"}::text)`
  const rows = await send<{ one: number; n: number; word: string; ids: number[] }[]>(
    db.sql,
    part`${part``}select ${1}::int as one, v.n, v.word, ${[3, 4]}::int[] as ids ${part`from (values ${inner}, ${inner})`} as v (n, word)`,
  )
  const row = { one: 1, n: 2, word: "a'b", ids: [3, 4] }
  assert.deepEqual([...rows], [row, row])
})

test('a value never becomes SQL text', async () => {
  for (const value of ["'; drop table plans; --", '$1', '\u2028', '?', '']) {
    const [row] = await send<{ value: string }[]>(db.sql, part`select ${part`${value}::text`} as value`)
    assert.equal(row?.value, value)
  }
})

test('equal texts are the same template for the driver, however often they are composed', () => {
  const seen = new Set<unknown>()
  const tag = ((template: TemplateStringsArray) => seen.add(template)) as unknown as Sql
  for (let n = 0; n < 3; n++) send(tag, part`select ${part`${n} + ${n}`} as sum`)
  assert.equal(seen.size, 1)
  send(tag, part`select ${part`${1} - ${1}`} as sum`)
  assert.equal(seen.size, 2)
})
