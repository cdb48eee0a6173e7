import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbedded } from '../server/src/platform/db/embedded/start.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { servedOpenApi } from '../server/test/contract/served-openapi.ts'
import { configurationPage } from './configuration-page.ts'
import { contractFiles } from './contract/files.ts'
import { sdkJava } from './contract/sdk-java.ts'
import { sdkPython } from './contract/sdk-python.ts'
import { sdkTypes } from './contract/sdk-types.ts'
import { guidesWithCode } from './guide-code.ts'
import { schemaPage } from './schema-page.ts'

/** Renews every generated file. A test compares each file with the code. */
const quiet = () => {}
const folder = await mkdtemp(join(tmpdir(), 'tillhook-print-'))
const embedded = await startEmbedded({ dataDir: join(folder, 'data'), log: { info: quiet, warn: quiet, error: quiet } })
try {
  await migrate({ url: embedded.url })
  const sql = postgres(embedded.url, { max: 1 })
  await writeFile('server/schema.sql', await schemaPage(sql))
  await sql.end()
  await writeFile('docs/configuration.md', configurationPage())
  for (const [path, text] of guidesWithCode()) await writeFile(path, text)
  // Removes files of event types that no longer exist.
  await rm('contract/events', { recursive: true, force: true })
  await mkdir('contract/events', { recursive: true })
  const openApi = await servedOpenApi(embedded.url)
  for (const [path, text] of contractFiles(openApi)) await writeFile(`contract/${path}`, text)
  await writeFile('sdk/typescript/src/contract.ts', sdkTypes(openApi))
  await writeFile('sdk/python/src/tillhook/_contract.py', sdkPython(openApi))
  const java = 'sdk/java/src/main/java/com/tillhook'
  // Removes the classes of schemas that no longer exist.
  await rm(`${java}/model`, { recursive: true, force: true })
  await mkdir(`${java}/model`)
  for (const [path, text] of sdkJava(openApi)) await writeFile(`${java}/${path}`, text)
} finally {
  await embedded.stop()
  await rm(folder, { recursive: true })
}
