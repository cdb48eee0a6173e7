import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sliceOf } from './contexts.ts'
import { isTest, sourceFiles } from './source-files.ts'
import { OUTSIDE_READS, OUTSIDE_WRITES, TABLES, tableUses } from './tables.ts'

const SRC = 'server/src/'
const owners = new Map(
  Object.entries(TABLES).flatMap(([slice, tables]) => tables.map(table => [table, slice] as const)),
)

test('each table of the schema has one owner, and the owner is a slice', () => {
  const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table]) => table)
  assert.deepEqual(Object.values(TABLES).flat().toSorted(), tables.toSorted())
  const slices = new Set(sourceFiles(`${SRC}**/*.ts`).map(({ path }) => sliceOf(path.slice(SRC.length))))
  assert.deepEqual(
    Object.keys(TABLES).filter(slice => !slices.has(slice)),
    [],
  )
})

test("tables.ts lists every read and every write of another slice's table, and nothing else", () => {
  const found = { read: new Map<string, Set<string>>(), write: new Map<string, Set<string>>() }
  for (const { path, text } of sourceFiles(`${SRC}**/*.ts`)) {
    if (isTest(path)) continue
    const slice = sliceOf(path.slice(SRC.length))
    for (const { table, access } of tableUses(text)) {
      const owner = owners.get(table)
      if (owner === undefined || owner === slice) continue
      const tables = found[access].get(slice) ?? new Set()
      found[access].set(slice, tables.add(table))
    }
  }
  assert.deepEqual(
    sorted(found.read),
    OUTSIDE_READS,
    'Call a function of the owner instead, or update OUTSIDE_READS in tables.ts',
  )
  assert.deepEqual(
    sorted(found.write),
    OUTSIDE_WRITES,
    'Call a function of the owner instead, or update OUTSIDE_WRITES in tables.ts',
  )
})

test('the uses of tables in a template are found with their access, in values as well', () => {
  const source = `
    await sql<{ n: Map<string, number> }[]>\`with x as (delete from charges returning 1)
      select 1 from x join invoices as i using (invoice_id)
      where \${isOpen ? sql\`exists (select 1 from refunds)\` : { a: 1 }} for no key update of i\`
    part\`insert into orders (note) values (\${note}) on conflict do update set note = 1\`
    // select 1 from businesses: not in a template
  `
  const known = tableUses(source).filter(({ table }) => owners.has(table))
  assert.deepEqual(known.map(({ table, access }) => `${access} ${table}`).toSorted(), [
    'read invoices',
    'read refunds',
    'write charges',
    'write orders',
  ])
})

function sorted(found: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  return Object.fromEntries([...found].toSorted().map(([slice, tables]) => [slice, [...tables].toSorted()]))
}
