import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, type World } from '../../../test/support/world.ts'
import { runEndings } from './run.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

interface Sold {
  readonly appId: string
  readonly shops: readonly Merchant[]
  readonly ids: readonly string[]
}

/** A new app with paid subscriptions of 5.00 a month from 1 January. The app is disabled at half of the month. */
async function sold(count: number): Promise<Sold> {
  world.clock.set('2026-01-01T00:00:00Z')
  const { appId } = await world.developer()
  const planId = await world.plan({}, appId)
  const shops: Merchant[] = []
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const shop = await world.merchant({ type: 'MERCHANT' })
    const body = { businessId: shop.businessId, planId }
    ids.push((await world.call('POST', `/apps/${appId}/subscriptions`, body)).subscriptionId)
    shops.push(shop)
  }
  await world.work()
  world.clock.set('2026-01-16T12:00:00Z')
  return { appId, shops, ids }
}

const disable = ({ appId }: Sold, status = 'DISABLED') => world.call('PATCH', `/apps/${appId}`, { status })
const begin = ({ appId }: Sold, refundUnused: boolean, expected = 202) =>
  world.call('POST', `/apps/${appId}/endings`, { refundUnused }, expected)
const stateOf = ({ appId }: Sold, { endingId }: Json) => world.call('GET', `/apps/${appId}/endings/${endingId}`)
const run = async () => {
  while ((await world.app.jobs.appEndings.runOnce()) > 0);
  await world.work()
}
const records = ({ appId, ids }: Sold) =>
  Promise.all(ids.map(id => world.call('GET', `/apps/${appId}/subscriptions/${id}`)))

async function isSound(): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks')
  assert.deepEqual(
    checks.filter(({ status }: Json) => status !== 'PASSED'),
    [],
  )
}

test('all subscriptions of a disabled app end, and the unused time since the disabling is refunded', async () => {
  const app = await sold(3)
  await disable(app)
  // The job begins later; the share counts from the disabling.
  world.clock.set('2026-01-20T00:00:00Z')
  const job = await begin(app, true)
  assert.deepEqual([job.state, job.progress.total, job.progress.percent], ['RUNNING', 3, 0])
  await run()
  const done = await stateOf(app, job)
  assert.deepEqual(done.progress, { percent: 100, total: 3, ended: 3, refunds: 3, failed: 0 })
  assert.equal(done.state, 'DONE')
  for (const one of await records(app)) assert.deepEqual([one.status, one.endReason], ['ENDED', 'OPERATOR'])
  for (const shop of app.shops) {
    const [invoice] = await shop.invoices()
    assert.deepEqual([invoice?.amountPaid, invoice?.amountRefunded], [500, 250])
  }
  await isSound()
})

test('an ending without refunds keeps the money, and free and unpaid subscriptions end as well', async () => {
  const app = await sold(1)
  const trial = await world.plan({ trialPeriodDays: 30 }, app.appId)
  const shop = await world.merchant()
  const body = { businessId: shop.businessId, planId: trial }
  const { subscriptionId } = await world.call('POST', `/apps/${app.appId}/subscriptions`, body)
  await disable(app)
  await begin(app, false)
  await run()
  assert.equal((await world.call('GET', `/apps/${app.appId}/subscriptions/${subscriptionId}`)).status, 'ENDED')
  assert.equal((await app.shops[0]?.invoices())?.[0]?.amountRefunded, 0)
  await isSound()
})

test('an ending of an app on sale is rejected, two concurrent requests start one job, a request with the other choice about refunds is rejected, and another app does not see the job', async () => {
  const app = await sold(1)
  assert.equal((await begin(app, true, 409)).code, 'APPLICATION_NOT_DISABLED')
  await disable(app)
  const [one, two] = await Promise.all([begin(app, true), begin(app, true)])
  assert.equal(one.endingId, two.endingId)
  assert.equal((await begin(app, false, 409)).code, 'ENDING_IN_PROGRESS')
  const other = await sold(1)
  await world.call('GET', `/apps/${other.appId}/endings/${one.endingId}`, undefined, 404)
  assert.deepEqual((await world.call('POST', `/apps/${app.appId}/endings`, {}, 400)).fields?.[0]?.path, 'refundUnused')
  await run()
})

test('the job stops when the app is enabled, and ended subscriptions stay ended', async () => {
  const app = await sold(1)
  await disable(app)
  const job = await begin(app, true)
  await disable(app, 'ACTIVE')
  await run()
  assert.deepEqual([(await stateOf(app, job)).state, (await records(app))[0]?.status], ['STOPPED', 'ACTIVE'])
})

test('a crash before the commit repeats the batch and skips no subscription, and two processes share the work', async () => {
  const app = await sold(3)
  await disable(app)
  const job = await begin(app, true)
  const { ports } = world.app
  const crashing: typeof ports = {
    ...ports,
    db: {
      ...ports.db,
      transaction: work =>
        ports.db.transaction(async tx => {
          await work(tx)
          throw Object.assign(new Error('killed'), { code: '57014' })
        }),
    },
  }
  await assert.rejects(runEndings(crashing), /killed/)
  assert.equal((await stateOf(app, job)).progress.ended, 0)
  const other = await world.openAnother()
  await Promise.all([run(), other.jobs.appEndings.runOnce()])
  await run()
  assert.deepEqual((await stateOf(app, job)).progress, { percent: 100, total: 3, ended: 3, refunds: 3, failed: 0 })
  const [counted] = await ports.db.sql<{ ends: number; refunds: number }[]>`
    select (select count(*) from refunds as r join invoices as i using (invoice_id) where i.subscription_id = any(${app.ids as string[]}::uuid[]))::int as refunds,
      (select count(*) from subscriptions where subscription_id = any(${app.ids as string[]}::uuid[]) and status = 'ENDED')::int as ends`
  assert.deepEqual(counted, { refunds: 3, ends: 3 })
  await isSound()
})

test('a subscription that cannot end is quarantined and counted, and the others end', async () => {
  const app = await sold(3)
  await disable(app)
  const { sql } = world.app.ports.db
  await sql.unsafe(`
    create function stays() returns trigger language plpgsql as $$ begin
      if new.status = 'ENDED' and new.subscription_id = '${app.ids.toSorted()[1]}' then raise exception 'it stays'; end if;
      return new;
    end $$;
    create trigger stays before update on subscriptions for each row execute function stays()`)
  const job = await begin(app, false)
  await run()
  await sql.unsafe('drop trigger stays on subscriptions; drop function stays')
  assert.deepEqual((await stateOf(app, job)).progress, { percent: 100, total: 3, ended: 2, refunds: 0, failed: 1 })
  const ended = (await records(app)).filter(({ status }) => status === 'ENDED')
  assert.equal(ended.length, 2)
})
