import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { assertBooksAgree } from '../faults/books.ts'
import { createClient } from '../faults/client.ts'
import { makeMerchant, makePlatform } from '../faults/platform.ts'
import { type Fleet, openFleet } from './fleet.ts'
import { type Program, REPOSITORY, until } from './program.ts'

const NEXT_VERSION = '99.0.0'
/** Expands the schema, as a release may: columns on busy tables, one with a default, and a table. */
const EXPANSION = `
alter table orders add column next_note text, add column next_rank integer not null default 0;
alter table subscriptions add column next_note text;
alter table deliveries add column next_note text;
alter table idempotency_keys add column next_note text;
create table next_things (next_thing_id uuid primary key, business_id uuid not null references businesses);
`
const SENDERS = 6
/** Between the steps of the swap. */
const REQUESTS_A_STEP = 150
const WITHIN_MS = 120_000

let fleet: Fleet
let next: string
before(async () => {
  fleet = await openFleet()
  next = await mkdtemp(join(tmpdir(), 'tillhook-next-'))
  await cp(join(REPOSITORY, 'server'), join(next, 'server'), {
    recursive: true,
    filter: path => !/\/(test|data)$/.test(path),
  })
  await symlink(join(REPOSITORY, 'node_modules'), join(next, 'node_modules'))
  await writeFile(join(next, 'server/migrations/0002.do.next.sql'), EXPANSION)
  const manifest = JSON.parse(await readFile(join(REPOSITORY, 'server/package.json'), 'utf8'))
  await writeFile(join(next, 'server/package.json'), JSON.stringify({ ...manifest, version: NEXT_VERSION }))
})
after(async () => {
  await fleet?.close()
  await rm(next, { recursive: true, force: true })
})

/**
 * The next release is this tree with another version and a migration that expands the schema: it shows that processes stand a schema that
 * changes under them, and that two versions share the work. No earlier release exists that could take the part of the old one.
 */
test('the next release replaces this one under load: no request fails, nothing is lost and nothing is done twice', async () => {
  const { client, db, inbox } = fleet
  const main = join(next, 'server/src/main.ts')
  const [oldApi, oldWorker] = [await fleet.start('api'), await fleet.start('worker')]
  const platform = await makePlatform(client, inbox)
  const till = await tillOf(platform)
  const merchants = await Promise.all(Array.from({ length: SENDERS }, () => makeMerchant(client)))

  const urls = [await oldApi.ready()]
  let sent = 0
  let isOver = false
  const failures: string[] = []
  const sender = async (number: number) => {
    for (let mine = 0; !isOver; mine++) {
      const api = createClient(fleet.operatorKey)
      api.serveAt(urls[sent++ % urls.length] ?? '')
      const [path, body] =
        mine === REQUESTS_A_STEP / SENDERS
          ? [`/apps/${platform.appId}/subscriptions`, { businessId: merchants[number], planId: platform.planId }]
          : [till.path, till.order]
      const headers = { 'idempotency-key': randomUUID() }
      // Sent once: a balancer repeats nothing.
      const answer = await api.send('POST', path, { body, headers }).catch(String)
      if (typeof answer === 'string' || answer.status !== 201) failures.push(JSON.stringify(answer))
    }
  }
  const load = Promise.all(Array.from({ length: SENDERS }, (_, number) => sender(number)))
  const more = async (program: Program) => {
    const from = sent
    const isThere = () => sent >= from + REQUESTS_A_STEP || failures.length > 0 || undefined
    await until(program, 'has answered more requests', WITHIN_MS, isThere)
  }
  const { newApi, newWorker } = await swap().finally(() => {
    isOver = true
  })
  await load

  assert.deepEqual(failures, [])
  const versions = await db.sql<{ name: string }[]>`select name from schema_version where version > 0 order by version`
  assert.deepEqual(
    versions.map(({ name }) => name),
    ['tillhook', 'next'],
  )
  const kept = await fleet.settle(newWorker)
  await assertBooksAgree(kept)
  const [{ count = 0 } = {}] = await db.sql<{ count: number }[]>`select count(*)::int as count from orders`
  const [{ subscriptions = 0 } = {}] = await db.sql<{ subscriptions: number }[]>`
    select count(*)::int as subscriptions from subscriptions`
  assert.equal(count + subscriptions, sent)
  assert.equal(subscriptions, SENDERS)
  await Promise.all([stops(newApi), stops(newWorker)])

  async function swap() {
    await more(oldApi)
    const newWorker = await fleet.start('worker', { main })
    await more(oldApi)
    const newApi = await fleet.start('api', { main })
    urls.push(await newApi.ready())
    await more(newApi)
    urls.shift()
    await stops(oldApi)
    await more(newApi)
    await stops(oldWorker)
    await more(newApi)
    return { newApi, newWorker }
  }

  async function tillOf({ appId }: { appId: string }) {
    const businessId = await makeMerchant(client)
    await client.post(`/businesses/${businessId}/approvals`, { appId })
    const { storeId } = await client.post(`/businesses/${businessId}/stores`, { displayName: 'Corner' })
    const path = `/businesses/${businessId}/stores/${storeId}/devices`
    const { deviceId } = await client.post(path, { name: 'Till', serialNumber: 'T-2' })
    return { path: `/businesses/${businessId}/orders`, order: { storeId, deviceId, amount: 100, currency: 'USD' } }
  }
})

async function stops(program: Program): Promise<void> {
  program.child.kill('SIGTERM')
  assert.equal(await program.ended(), 0, program.stderr())
}
