import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
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

test('texts with any characters are stored unchanged', async () => {
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

test('each character is stored unchanged, alone and between escaped characters', async () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character, code) => code > 0 && character.isWellFormed(),
  )
  const texts = [...characters, '\u{10000}', '😀', '\u{10ffff}'].flatMap(one => [one, `"${one}\\`, `\\${one}"${one}`])
  const [row] = await db.sql<{ texts: string[] }[]>`select ${texts}::text[] as texts`
  assert.equal(row?.texts.length, texts.length)
  assert.deepEqual(
    texts.filter((text, place) => row?.texts[place] !== text),
    [],
  )
})

test('half of a surrogate pair is stored as the replacement character', async () => {
  const texts = ['\ud800', '"\udfff', '\\"\ud83d\\', '"😀\ude00"']
  const [row] = await db.sql`select ${texts}::text[] as texts`
  assert.deepEqual(row?.texts, ['\ufffd', '"\ufffd', '\\"\ufffd\\', '"😀\ufffd"'])
})

test('U+0000 is rejected, not removed', async () => {
  for (const text of ['\0', '"\0"']) {
    await assert.rejects(async () => db.sql`select ${[text]}::text[] as texts`, /invalid byte sequence/)
  }
})

test('each array type of our statements arrives with its type, also when empty', async () => {
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
