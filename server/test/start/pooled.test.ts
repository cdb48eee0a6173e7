import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertBooksAgree } from '../faults/books.ts'
import { makeMerchant, makePlatform, makeTill, subscribe } from '../faults/platform.ts'
import { type Fleet, openFleet } from './fleet.ts'
import { openPooler, type Pooler } from './pgbouncer.ts'

/** Fewer than one process opens connections, so that transactions share sessions. */
const POOL_SIZE = 3
const [SUBSCRIPTIONS, ORDERS] = [8, 40]

let fleet: Fleet
let pooler: Pooler
before(async () => {
  fleet = await openFleet()
  pooler = await openPooler(fleet.databaseUrl, POOL_SIZE)
})
after(async () => {
  await fleet?.close()
  await pooler?.close()
})

test('through PgBouncer in transaction mode an API process and a worker record, charge and deliver everything once', async () => {
  const settings = { TILLHOOK_DATABASE_URL: pooler.url, TILLHOOK_DATABASE_DIRECT_URL: fleet.databaseUrl }
  const api = await fleet.start('api', { settings })
  const worker = await fleet.start('worker', { settings })
  const { client, db, inbox } = fleet
  const platform = await makePlatform(client, inbox)
  const openOrder = await makeTill(client, platform)
  const sold = Array.from({ length: SUBSCRIPTIONS }, async () =>
    subscribe(client, platform, await makeMerchant(client)),
  )
  const orders = await Promise.all([...Array.from({ length: ORDERS }, openOrder), ...sold])
  assert.equal(orders.length, SUBSCRIPTIONS + ORDERS)
  await assertBooksAgree(await fleet.settle(worker))

  const sessions = await db.sql<{ name: string; count: number }[]>`
    select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() group by application_name`
  const counts = Object.fromEntries(sessions.map(({ name, count }) => [name, count]))
  const { 'tillhook notices': listening = 0, ...pooled } = counts
  assert.equal(listening, 1, 'the worker listens past the pooler')
  const all = Object.values(pooled).reduce((sum, count) => sum + count, 0)
  // Beside the pool: the connections of this test.
  assert.ok(all <= POOL_SIZE + 2, JSON.stringify(counts))

  for (const program of [api, worker]) {
    program.child.kill('SIGTERM')
    assert.equal(await program.ended(), 0, program.stderr())
    assert.doesNotMatch(program.stderr() + program.stdout(), /prepared statement|unsupported startup/)
  }
})

test('PgBouncer without the direct URL is rejected at the start, naming the missing setting', async () => {
  await assert.rejects(
    fleet.start('api', { settings: { TILLHOOK_DATABASE_URL: pooler.url } }),
    /TILLHOOK_DATABASE_DIRECT_URL/,
  )
})
