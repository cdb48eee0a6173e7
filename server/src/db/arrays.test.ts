import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../test/support/postgres.ts'
import { type Database, openDatabase } from './db.ts'

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
})
after(async () => {
  await db.close()
  await fresh.drop()
})

test('texts come back as they were sent, whatever they hold', async () => {
  const texts = [
    '',
    ' ',
    'a,b',
    '{}',
    '"',
    '\\',
    '\\"',
    "'",
    'null',
    'NULL',
    'line\nbreak',
    'é€😀',
    '{"a":[1,2]}',
    null,
  ]
  const [row] = await db.sql<{ texts: unknown }[]>`select ${texts}::text[] as texts`
  assert.deepEqual(row?.texts, texts)
  const [each] = await db.sql<{ same: boolean }[]>`
    select (select json_agg(t order by n) from unnest(${texts}::text[]) with ordinality as u (t, n))::jsonb
      = ${db.sql.json(texts)}::jsonb as same`
  assert.equal(each?.same, true)
})

test('each type of array that statements use arrives as its own type, the empty one too', async () => {
  const id = '01a1fc2b-5d28-74a4-a65d-de3e166ccd14'
  const at = new Date('2026-02-28T23:59:59.123Z')
  const [row] = await db.sql`
    select ${[id, null]}::uuid[] as uuids, ${[1, -2, null]}::integer[] as integers,
      ${['9007199254740991']}::text[]::bigint[] as bigints, ${['true', 'false']}::text[]::boolean[] as booleans,
      ${[at.toISOString()]}::text[]::timestamptz[] as timestamps, ${['2026-02-28']}::text[]::date[] as dates,
      ${[]}::text[] as nothing`
  assert.deepEqual(
    { ...row },
    {
      uuids: [id, null],
      integers: [1, -2, null],
      bigints: [9007199254740991],
      booleans: [true, false],
      timestamps: [at],
      dates: [new Date('2026-02-28')],
      nothing: [],
    },
  )
})
