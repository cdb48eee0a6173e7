import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { removeElsewhere } from '../../../server/test/start/data.ts'
import { killPrograms, REPOSITORY, startMain, startProgram } from '../../../server/test/start/program.ts'
import manifest from '../package.json' with { type: 'json' }

/* The package as npm packs it, installed into an empty project. consumer.fixture.ts compiles only there, so the root tsconfig leaves it out. */

const SDK = fileURLToPath(new URL('..', import.meta.url))
const MOST_BYTES = 15_000

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillhook-sdk-'))
  run(SDK, 'npm', 'pack', '--pack-destination', folder)
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', `./tillhook-sdk-${manifest.version}.tgz`)
  await cp(join(SDK, 'test/consumer.fixture.ts'), join(folder, 'consumer.ts'))
})
after(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
})

test('a program with the installed package compiles', () => {
  const tsc = join(REPOSITORY, 'node_modules/.bin/tsc')
  const types = join(REPOSITORY, 'node_modules/@types')
  const strict = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom', '--module', 'nodenext']
  run(folder, tsc, ...strict, '--typeRoots', types, '--types', 'node', 'consumer.ts')
})

test('a program with the installed package works against a real service', () => worksIn(process.execPath))

// TILLHOOK_TEST_RUNTIMES=1 downloads both runtimes (200 MB).
const skip = process.env.TILLHOOK_TEST_RUNTIMES === undefined && 'TILLHOOK_TEST_RUNTIMES is not set'
for (const [runtime, version, ...options] of [
  ['deno', '2.9.6', 'run', '--allow-net', '--allow-env'],
  ['bun', '1.4.5'],
] as const) {
  test(`the program works in ${runtime} as well`, { skip }, async t => {
    const elsewhere = await mkdtemp(join(tmpdir(), `tillhook-${runtime}-`))
    t.after(() => rm(elsewhere, { recursive: true, force: true, maxRetries: 3 }))
    run(elsewhere, 'npm', 'install', '--no-audit', '--no-fund', `${runtime}@${version}`)
    await worksIn(join(elsewhere, 'node_modules/.bin', runtime), ...options)
  })
}

async function worksIn(runtime: string, ...options: readonly string[]): Promise<void> {
  const key = randomUUID()
  const dataDir = join(folder, 'data', key)
  const service = startMain({ TILLHOOK_OPERATOR_KEY: key, TILLHOOK_DATA_DIR: dataDir })
  try {
    const settings = { TILLHOOK_URL: await service.ready(), TILLHOOK_KEY: key }
    const program = startProgram(runtime, [...options, 'consumer.ts'], { cwd: folder, settings })
    assert.equal(await program.ended(), 0, program.stderr())
    assert.match(program.stdout(), /^[0-9a-f-]{36} [0-9a-f-]{36}\nthe SDK works\n$/)
  } finally {
    await killPrograms()
    await removeElsewhere(dataDir)
  }
}

test('the package has no dependency and at most 15 kB of compressed code', async () => {
  const list = run(folder, 'npm', 'ls', '--all', '--parseable').trim().split('\n')
  assert.equal(list.length, 2, 'the project and the SDK')
  const code = run(folder, 'sh', '-c', 'cat node_modules/@tillhook/sdk/dist/*.js')
  assert.ok(code.length > 10_000)
  const bytes = gzipSync(code).length
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`)
})

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
