import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { freePort } from '../../src/platform/db/embedded/postmaster.ts'
import { removeElsewhere } from '../start/data.ts'
import { killPrograms, startMain, startProgram, until } from '../start/program.ts'
import { freshDatabase } from '../support/postgres.ts'

/* The code of the guides, as a reader runs it: files of docs/guides/code as processes, against the service as a process. */

const CODE = fileURLToPath(new URL('../../../docs/guides/code/', import.meta.url))
const SECRET = 'whsec_dGlsbGhvb2stcXVpY2tzdGFydC1zZWNyZXQ='
const OPERATOR_KEY = randomUUID()
const WITHIN_MS = 60_000

let dataDir: string
let url: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tillhook-guides-'))
  const settings = {
    TILLHOOK_OPERATOR_KEY: OPERATOR_KEY,

    TILLHOOK_DATA_DIR: dataDir,
  }
  url = await startMain(settings).ready()
})
after(async () => {
  await killPrograms()
  await removeElsewhere(dataDir)
  await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
})

for (const [language, command, file] of [
  ['JavaScript', process.execPath, 'listener.mjs'],
  ['TypeScript', process.execPath, '../../../cli/templates/listener.ts'],
  ['Python', 'python3', 'listener.py'],
] as const) {
  test(`the quickstart ends with two webhooks that the ${language} listener has verified`, async () => {
    const port = String(await freePort('127.0.0.1'))
    const reader = { WEBHOOK_SECRET: SECRET, PORT: port }
    const listener = startProgram(command, [join(CODE, file)], { settings: reader })
    await until(listener, 'listens', WITHIN_MS, () => listener.stdout().includes('listening') || undefined)
    const quickstart = startProgram(process.execPath, [join(CODE, 'quickstart.mjs')], {
      settings: { ...reader, TILLHOOK_KEY: OPERATOR_KEY, TILLHOOK_URL: url },
    })
    assert.equal(await quickstart.ended(), 0, quickstart.stderr())
    const verified = () => listener.stdout().match(/^verified \S+/gm) ?? []
    await until(listener, 'verifies two webhooks', WITHIN_MS, () => verified().length >= 2 || undefined)
    assert.deepEqual(verified().toSorted(), [
      'verified APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
      'verified APPLICATION_SUBSCRIPTION_START',
    ])

    const forged = await fetch(`http://127.0.0.1:${port}/webhooks`, {
      method: 'POST',
      headers: {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA',
      },
      body: '{"id":"x","eventType":"APPLICATION_SUBSCRIPTION_START"}',
    })
    assert.equal(forged.status, 400)
    assert.equal(verified().length, 2)
    await listener.kill()
  })
}

test('both verifications reject an old timestamp, another secret and a re-serialized body', async () => {
  const { verify } = await import(`${CODE}verify.mjs`)
  const { createHmac } = await import('node:crypto')
  const body = '{"id":"a", "eventType":"TEST"}'
  const headersAt = (seconds: number, secret: string) => {
    const timestamp = String(Math.floor(seconds))
    const signature = createHmac('sha256', secret).update(`a.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': 'a', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,AAAA v1,${signature}` }
  }
  const now = Date.now() / 1000
  const cases = [
    { name: 'genuine', headers: headersAt(now, SECRET), body, isGenuine: true },
    { name: 'old', headers: headersAt(now - 400, SECRET), body, isGenuine: false },
    { name: 'another secret', headers: headersAt(now, 'other'), body, isGenuine: false },
    {
      name: 'printed again',
      headers: headersAt(now, SECRET),
      body: JSON.stringify(JSON.parse(body)),
      isGenuine: false,
    },
  ]
  for (const { name, headers, body, isGenuine } of cases) {
    const inJs = () => verify(Buffer.from(body), headers, SECRET)
    if (isGenuine) assert.equal(inJs().id, 'a')
    else assert.throws(inJs, name)
    const script = `import json, sys; from verify import verify; print(verify(sys.stdin.buffer.read(), json.loads(sys.argv[1]), sys.argv[2])["id"])`
    const python = spawnSync('python3', ['-c', script, JSON.stringify(headers), SECRET], {
      cwd: CODE,
      input: body,
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    })
    assert.equal(python.status === 0 && python.stdout.trim() === 'a', isGenuine, `${name}: ${python.stderr}`)
  }
})

test('the entitlements cache asks once, and again after an event', async () => {
  const { createEntitlements } = await import(`${CODE}entitlements.mjs`)
  let active = [{ subscriptionId: 'a' }]
  let asked = 0
  const cache = createEntitlements(async () => {
    asked++
    return active
  })
  assert.deepEqual([await cache.isEntitled('shop'), await cache.isEntitled('shop'), asked], [true, true, 1])
  active = []
  assert.equal(await cache.isEntitled('shop'), true)
  cache.onEvent({ businessId: 'shop' })
  assert.deepEqual([await cache.isEntitled('shop'), asked], [false, 2])
})

test('the idempotent handler handles an event once, also when two deliveries of it race or the first one fails', async () => {
  const { handleOnce } = await import(`${CODE}handler.mjs`)
  const database = await freshDatabase()
  const db = postgres(database.url, { onnotice: () => {} })
  try {
    await db`create table handled_events (id uuid primary key)`
    const event = { id: randomUUID() }
    let handled = 0
    const handle = async () => {
      handled++
    }
    const failing = db.begin(sql => handleOnce(sql, event, () => Promise.reject(new Error('down'))))
    await assert.rejects(failing, /down/)
    await Promise.all([1, 2, 3].map(() => db.begin(sql => handleOnce(sql, event, handle))))
    assert.equal(handled, 1)
  } finally {
    await db.end()
    await database.drop()
  }
})
