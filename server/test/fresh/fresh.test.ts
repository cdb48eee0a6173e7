import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import postgres from 'postgres'
import { configurationPage } from '../../../scripts/configuration-page.ts'
import { contractFiles } from '../../../scripts/contract/files.ts'
import { sdkJava } from '../../../scripts/contract/sdk-java.ts'
import { sdkPython } from '../../../scripts/contract/sdk-python.ts'
import { sdkTypes } from '../../../scripts/contract/sdk-types.ts'
import { guidesWithCode } from '../../../scripts/guide-code.ts'
import { schemaPage } from '../../../scripts/schema-page.ts'
import { servedOpenApi } from '../contract/served-openapi.ts'
import { freshDatabase } from '../support/postgres.ts'

const STALE = 'is stale: run `npm run print` and commit what it wrote'

test('docs/configuration.md describes the current settings', () => {
  assert.equal(read('../../../docs/configuration.md'), configurationPage(), `docs/configuration.md ${STALE}`)
})

test('the guides show the current code of docs/guides/code', () => {
  const guides = guidesWithCode()
  assert.ok(guides.size > 5)
  for (const [path, text] of guides) assert.equal(read(`../../../${path}`), text, `${path} ${STALE}`)
})

test('server/schema.sql is the catalog after all migrations', async () => {
  const database = await freshDatabase()
  const sql = postgres(database.url, { max: 1 })
  try {
    assert.equal(read('../../schema.sql'), await schemaPage(sql), `server/schema.sql ${STALE}`)
  } finally {
    await sql.end()
    await database.drop()
  }
})

test('contract/ equals the output of the code and contains no other generated file', async () => {
  const database = await freshDatabase()
  try {
    const files = contractFiles(await servedOpenApi(database.url))
    for (const [path, text] of files) assert.ok(read(`../../../contract/${path}`) === text, `contract/${path} ${STALE}`)
    // contract/terminal/ is written by hand: vectors that the Android tests and the browser tests share.
    const cwd = new URL('../../../contract/', import.meta.url)
    const found = globSync('**/*.json', { cwd, exclude: ['terminal/**'] })
    assert.deepEqual(found.sort(), [...files.keys()].sort())
  } finally {
    await database.drop()
  }
})

test('the generated files of the SDKs are current', () => {
  const types = sdkTypes(read('../../../contract/openapi.json'))
  assert.ok(read('../../../sdk/typescript/src/contract.ts') === types, `sdk/typescript/src/contract.ts ${STALE}`)
  const python = 'sdk/python/src/tillhook/_contract.py'
  assert.ok(read(`../../../${python}`) === sdkPython(read('../../../contract/openapi.json')), `${python} ${STALE}`)
  const java = 'sdk/java/src/main/java/com/tillhook'
  const classes = sdkJava(read('../../../contract/openapi.json'))
  for (const [path, text] of classes) assert.ok(read(`../../../${java}/${path}`) === text, `${java}/${path} ${STALE}`)
  const models = globSync('model/*.java', { cwd: new URL(`../../../${java}/`, import.meta.url) })
  assert.deepEqual(models.length, classes.size - 1, `${java}/model ${STALE}`)
})

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}
