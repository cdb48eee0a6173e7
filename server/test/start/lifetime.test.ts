import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { openScratch, type Scratch } from '../support/scratch.ts'
import { findPostgres, removeElsewhere } from './data.ts'
import { killPrograms, type Program, REPOSITORY, startMain, startProgram, until } from './program.ts'

/** Only this machine reaches a service on loopback with the embedded database. */
const DEVELOPMENT =
  'Development installation: webhooks may reach 127.0.0.1. Set TILLHOOK_ALLOWED_NETWORKS to change this.\n'

/** The life of one data folder, from its first start on. Each test continues where the previous one ended. */
let scratch: Scratch
let dataDir: string
let operatorKey: string
let organizationId: string

before(async () => {
  scratch = await openScratch()
  dataDir = join(scratch.folder, 'data')
})
// A test that fails would leave its program to the next ones.
afterEach(killPrograms)
after(async () => {
  await removeElsewhere(dataDir)
  await scratch.remove()
})

const setUp = (url: string) => `Create the first operator, with the operator key, at ${url}/setup\n`

const start = () => startMain({ TILLHOOK_DATA_DIR: dataDir })

test('the first start prints its address and a working operator key', async () => {
  const program = start()
  const url = await program.ready()
  operatorKey = /^Operator key, shown this once: (\S+)$/m.exec(program.stdout())?.[1] ?? ''
  assert.equal(
    program.stdout(),
    `Tillhook is ready at ${url}\n${DEVELOPMENT}Operator key, shown this once: ${operatorKey}\n${setUp(url)}`,
  )
  assert.ok(!program.stderr().includes(operatorKey), 'a log never holds the key')
  const made = await fetch(`${url}/organizations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Acme', email: 'dev@acme.example' }),
  })
  assert.equal(made.status, 201)
  organizationId = ((await made.json()) as { organizationId: string }).organizationId
  await stopsCleanly(program, 'SIGTERM')
})

test('the second start prints no key, has the data, and stops cleanly on Ctrl-C', async t => {
  const program = start()
  const url = await timed(t, program)
  assert.equal(program.stdout(), `Tillhook is ready at ${url}\n${DEVELOPMENT}${setUp(url)}`)
  await hasData(url)
  await stopsCleanly(program, 'SIGINT')
})

test('a start on data in use is rejected in one sentence, and the first process continues', async () => {
  const first = start()
  const url = await first.ready()
  const second = start()
  assert.equal(await second.ended(), 1)
  assert.match(last(second.stderr()), /^Another Tillhook is running on \S+ \(process \d+\)\. Stop it, or give this one/)
  assert.equal(second.stdout(), '')
  await hasData(url)
  await stopsCleanly(first, 'SIGTERM')
})

test('a start after a kill -9 takes over the running PostgreSQL, with all data', async t => {
  const killed = start()
  await killed.ready()
  const postgres = await findPostgres(dataDir)
  await killed.kill()
  assert.ok(postgres)
  assert.equal(await findPostgres(dataDir), postgres)
  const next = start()
  const url = await timed(t, next)
  assert.equal(await findPostgres(dataDir), postgres)
  await hasData(url)
  await stopsCleanly(next, 'SIGTERM')
})

test('a start after a kill -9 of service and PostgreSQL finds all data', async t => {
  const killed = start()
  await killed.ready()
  const postgres = await findPostgres(dataDir)
  assert.ok(postgres)
  // In this order: a service brings back a PostgreSQL that dies under it.
  await killed.kill()
  process.kill(postgres, 'SIGKILL')
  const next = start()
  await hasData(await timed(t, next))
  await stopsCleanly(next, 'SIGTERM')
})

test('a stop during the start leaves no PostgreSQL behind', async () => {
  const program = start()
  await until(program, 'starts PostgreSQL', 30_000, async () => (await findPostgres(dataDir)) ?? undefined)
  await stopsCleanly(program, 'SIGTERM')
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} to the whole process group of \`npm start\`, as a terminal or a service manager sends it, stops cleanly`, async () => {
    const npm = startProgram('npm', ['start'], {
      settings: { TILLHOOK_PORT: '0', TILLHOOK_DATA_DIR: dataDir },
      cwd: REPOSITORY,
      detached: true,
    })
    const url = await npm.ready()
    // npm passes the signal on as well, so the service receives it twice.
    process.kill(-(npm.child.pid ?? 0), signal)
    await npm.ended()
    await until(npm, 'stops its PostgreSQL', 30_000, async () => (await findPostgres(dataDir)) === null || undefined, {
      alsoWhenEnded: true,
    })
    await assert.rejects(fetch(`${url}/healthz`))
  })
}

test('a second signal within 3 seconds changes nothing: the stop ends with exit code 0', async () => {
  const program = start()
  await program.ready()
  for (let n = 0; n < 5; n++) program.child.kill('SIGINT')
  await stopsCleanly(program, 'SIGTERM')
})

test('kill of `npm start` stops the service', async () => {
  const npm = startProgram('npm', ['start'], {
    settings: { TILLHOOK_PORT: '0', TILLHOOK_DATA_DIR: dataDir },
    cwd: REPOSITORY,
  })
  const url = await npm.ready()
  npm.child.kill('SIGTERM')
  await npm.ended()
  await until(npm, 'stops its PostgreSQL', 10_000, async () => (await findPostgres(dataDir)) === null || undefined, {
    alsoWhenEnded: true,
  })
  await assert.rejects(fetch(`${url}/healthz`))
})

async function hasData(url: string): Promise<void> {
  const found = await fetch(`${url}/organizations/${organizationId}`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  assert.equal(found.status, 200)
  assert.equal(((await found.json()) as { name: string }).name, 'Acme')
}

async function stopsCleanly(program: Program, signal: NodeJS.Signals): Promise<void> {
  program.child.kill(signal)
  assert.equal(await program.ended(), 0, program.stderr())
  assert.equal(await findPostgres(dataDir), null)
}

/** Told, never asserted: machines are noisy. */
async function timed(t: { diagnostic(message: string): void }, program: Program): Promise<string> {
  const from = performance.now()
  const url = await program.ready()
  t.diagnostic(`on existing data ready after ${Math.round(performance.now() - from)} ms`)
  return url
}

function last(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}
