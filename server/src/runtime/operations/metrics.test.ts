import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { until } from '../../../test/support/deliveries.ts'
import { openListener } from '../../../test/support/webhooks.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { askedByAlerts, askedByDashboard, namesIn, OF_PROMETHEUS } from './asked.fixture.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { operationRoutes } from './routes.ts'
import { scrape } from './scrape.fixture.ts'

const DAY_MS = 86_400_000

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

/** By how much each sample moved while `work` was done. */
async function moved(samples: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await scrape(world)
  await work()
  const after = await scrape(world)
  return samples.map(sample => after.value(sample) - before.value(sample))
}

/** Sends until nothing is due. */
async function deliver(): Promise<void> {
  while ((await world.app.sender.runOnce()) > 0);
}

test('docs/operating.md describes every metric, and each metric has its type', async () => {
  const { types } = await scrape(world)
  const gauges = [
    ...['build_info', 'database_up', 'database_statements_pending', 'deliveries_due', 'oldest_delivery_seconds'],
    ...[
      'oldest_first_attempt_seconds',
      'charges_unsettled',
      'charges_unknown',
      'refunds_unsettled',
      'subscriptions_due',
    ],
    ...[
      'quarantined',
      'hooks_failing',
      'breakers_open',
      'partition_days_ahead',
      'deliveries_in_progress',
      'deliveries_in_memory',
      'delivery_shards',
    ],
    ...['loop_succeeded_timestamp_seconds', 'check_violations'],
  ]
  const histograms = ['http_request', 'delivery_attempt', 'accept_to_delivered', 'gateway'].map(
    name => `${name}_seconds`,
  )
  const counters = [
    ...['delivery_attempts', 'deliveries_failed', 'deliveries_loaded', 'hooks_disabled'],
    ...['webhook_connections_opened', 'invoices_issued', 'billing_events', 'charges', 'refunds', 'loop_runs'],
    ...['loop_failures', 'loop_found', 'loop_seconds', 'database_reconnects'],
  ].map(name => `${name}_total`)
  const expected = [
    ...gauges.map(name => [name, 'gauge']),
    ...histograms.map(name => [name, 'histogram']),
    ...counters.map(name => [name, 'counter']),
  ].map(([name, type]) => `tillhook_${name} ${type}`)
  assert.deepEqual([...types].map(([name, type]) => `${name} ${type}`).sort(), expected.sort())
  const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
  const documented = new Set([...page.matchAll(/`(tillhook_\w+)`/g)].map(([, name]) => name))
  assert.deepEqual([...documented].sort(), [...types.keys()].sort())
})

test('rare counters start at 0, so that the first event is an increase', async () => {
  const fresh = await world.openAnother()
  await fresh.jobs.renewals.runOnce()
  const { has, value } = await scrape(world, fresh)
  const samples = [
    'tillhook_charges_total{outcome="DECLINED_HARD"}',
    'tillhook_refunds_total{outcome="FAILED"}',
    'tillhook_invoices_issued_total{period="renewal"}',
    'tillhook_billing_events_total{event="APPLICATION_SUBSCRIPTION_PAYMENT_FAIL"}',
    'tillhook_deliveries_failed_total{reason="attempts_exhausted"}',
    'tillhook_loop_failures_total{loop="renewals"}',
  ]
  assert.deepEqual(
    samples.map(sample => has(sample) && value(sample)),
    samples.map(() => 0),
  )
})

test('an acknowledged attempt counts with the time since its recording, and the connection is reused', async t => {
  const listener = await openListener(t)
  const hook = await world.call('POST', '/hooks', {
    applicationId: world.appId,
    deliveryUrl: listener.url,
    secret: 'secret',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START'],
  })
  const samples = [
    'tillhook_delivery_attempts_total{outcome="acknowledged",priority="FIRST"}',
    'tillhook_accept_to_delivered_seconds_count',
    'tillhook_webhook_connections_opened_total',
  ]
  const free = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
  const one = async () => {
    await (await world.merchant()).subscribe(free)
    await deliver()
  }
  assert.deepEqual(await moved(samples, one), [1, 1, 1])
  // On a busy machine a connection may be closed as idle before the next attempt.
  let next = [1, 1, 1]
  for (let more = 0; more < 20 && next[2] !== 0; more++) next = await moved(samples, one)
  assert.deepEqual(next, [1, 1, 0])
  assert.ok(listener.received.length >= 2)
  const { value } = await scrape(world)
  assert.ok(value('tillhook_deliveries_loaded_total') >= 2)
  assert.ok(value('tillhook_delivery_attempt_seconds_count') >= 2)
  await world.call('DELETE', `/hooks/${hook.id}`, undefined, 204)
})

test('webhooks that end without an attempt count by reason, after the commit', async () => {
  const hook = await world.call('POST', '/hooks', {
    applicationId: world.appId,
    deliveryUrl: 'http://127.0.0.1:9/never',
    secret: 'secret',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START'],
  })
  const free = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
  for (let two = 0; two < 2; two++) await (await world.merchant()).subscribe(free)
  const deleted = 'tillhook_deliveries_failed_total{reason="hook_deleted"}'
  assert.deepEqual(await moved([deleted], () => world.call('DELETE', `/hooks/${hook.id}`, undefined, 204)), [2])
})

test('failed attempts count by reason, and the hook counts as failing, then as having an open breaker', async () => {
  const refused = 'tillhook_delivery_attempts_total{outcome="refused",priority="FIRST"}'
  const shop = await world.merchant()
  const free = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
  await shop.subscribe(free)
  const [failed = 0] = await moved([refused], deliver)
  assert.ok(failed >= 1)
  assert.equal((await scrape(world)).value('tillhook_hooks_failing'), 1)
  for (let more = 0; more < 5; more++) await (await world.merchant()).subscribe(free)
  await deliver()
  const { value } = await scrape(world)
  assert.equal(value('tillhook_breakers_open'), 1)
  assert.ok(value('tillhook_oldest_first_attempt_seconds') < 5, 'an open breaker is not a backlog')
  const givenUp = 'tillhook_deliveries_failed_total{reason="expired"}'
  const [expired = 0] = await moved([givenUp], async () => {
    for (let day = 1; day <= 4; day++) {
      world.clock.set(new Date(Date.now() + day * DAY_MS))
      await deliver()
    }
  })
  assert.ok(expired >= 1)
  const disabled = await scrape(world)
  assert.ok(disabled.value('tillhook_hooks_disabled_total') >= 1)
  const unwell = ['tillhook_hooks_failing', 'tillhook_breakers_open'].map(disabled.value)
  assert.deepEqual(unwell, [0, 0], 'what is switched off is sent nothing, and does not count for ever')
  world.clock.set(new Date())
})

test('invoices, events, charges and refunds count after the commit, and gateway calls when they end', async () => {
  const samples = [
    'tillhook_invoices_issued_total{period="first"}',
    'tillhook_billing_events_total{event="APPLICATION_SUBSCRIPTION_START"}',
    'tillhook_charges_total{outcome="SUCCEEDED"}',
    'tillhook_charges_total{outcome="DECLINED_HARD"}',
    'tillhook_refunds_total{outcome="SUCCEEDED"}',
    'tillhook_gateway_seconds_count{gateway="sandbox",call="confirmCharge",outcome="succeeded"}',
    'tillhook_gateway_seconds_count{gateway="sandbox",call="confirmCharge",outcome="declined"}',
  ]
  const plan = await world.plan()
  const shop = await world.merchant()
  assert.deepEqual(await moved(samples, () => shop.subscribe(plan)), [1, 1, 1, 0, 0, 1, 0])
  const [invoice] = await shop.invoices()
  assert.deepEqual(await moved(samples, () => shop.refund(invoice?.invoiceId, {})), [0, 0, 0, 0, 1, 0, 0])
  const other = await world.merchant({ card: 'tok_stolen' })
  assert.deepEqual(await moved(samples, () => other.subscribe(plan, 409)), [1, 0, 0, 1, 0, 0, 1])
})

test('a renewal counts once, and in the work that its job found', async () => {
  const samples = [
    'tillhook_invoices_issued_total{period="renewal"}',
    'tillhook_loop_found_total{loop="renewals"}',
    'tillhook_loop_failures_total{loop="renewals"}',
  ]
  const shop = await world.merchant()
  await shop.subscribe(await world.plan({ interval: 'DAY' }))
  world.clock.set(new Date(Date.now() + 1.5 * DAY_MS))
  assert.deepEqual(await moved(samples, () => world.work()), [1, 1, 0])
  const { value } = await scrape(world)
  assert.ok(value('tillhook_loop_runs_total{loop="renewals"}') >= 2)
  assert.ok(value('tillhook_loop_seconds_total{loop="renewals"}') > 0)
  assert.ok(value('tillhook_loop_succeeded_timestamp_seconds{loop="renewals"}') > 0)
  world.clock.set(new Date())
})

test('every metric and label of the dashboard and the alerts exists', async () => {
  await (await world.merchant()).subscribe(await world.plan())
  await world.work()
  await deliver()
  await world.app.jobs.checks.runOnce()
  const loops = new Set(['deliveries', ...Object.values(world.app.jobs).map(({ name }) => name)])

  const { labels } = await scrape(world)
  const [panels, alerts] = [askedByDashboard(), askedByAlerts()]
  assert.ok(panels.length > 40 && alerts.length > 10, `${panels.length} and ${alerts.length}`)
  for (const { title, expr, labels: shown } of [...panels, ...alerts]) {
    const { metrics, by } = namesIn(expr)
    assert.ok(metrics.length > 0 || expr.includes('up{'), `${title} asks for nothing: ${expr}`)
    for (const label of shown)
      assert.ok([...by, 'instance'].includes(label), `${title} shows ${label}, which the query sums up`)
    for (const metric of metrics) {
      const known = labels.get(metric.name)
      assert.ok(known, `${title}: there is no ${metric.name}`)
      const missing = [...metric.labels, ...by].filter(label => !OF_PROMETHEUS.includes(label) && !known.has(label))
      assert.deepEqual(missing, [], `${title}: labels of ${metric.name}`)
    }
    const named = [...expr.matchAll(/\bloop=~?"([^"]*)"/g)].flatMap(([, one = '']) => one.split('|'))
    assert.deepEqual(
      named.filter(loop => !loops.has(loop)),
      [],
      `${title} is about a loop that there is not`,
    )
  }
})

test('concurrent scrapes and health checks share one read of the database, and a later one reads again', async () => {
  const { db, clock } = world.app.ports
  let transactions = 0
  const counting: typeof db = {
    sql: db.sql,
    transaction: work => {
      transactions++
      return db.transaction(work)
    },
  }
  const [health] = operationRoutes(
    { db: counting, clock },
    {
      ...{ metrics: {} as Metrics, version: 'any', isOperatorKey: () => false },
    },
  )
  const state = () => ({ awaited: 0, left: 0 })
  const ports = { db: { ...counting, state }, clock, latestChecks: { results: [] } }
  const metrics = createMetrics(ports, { version: 'any', role: 'all' })
  const asks: readonly (() => Promise<unknown> | undefined)[] = [metrics.print, () => health?.handle?.({} as never)]
  for (const ask of asks) {
    transactions = 0
    await ask()
    const ofOne = transactions
    assert.ok(ofOne > 0)
    const answers = await Promise.all([ask(), ask(), ask()])
    assert.equal(transactions, 2 * ofOne)
    assert.ok(answers.every(answered => answered !== undefined))
  }
})

test('partitions are counted ahead of today', async () => {
  const { value } = await scrape(world)
  assert.ok([6, 7].includes(value('tillhook_partition_days_ahead')), String(value('tillhook_partition_days_ahead')))
})

test('a lost connection and a failed run are visible, and the metrics of the queue are then absent, not 0', async () => {
  const lonely = await world.openAnother()
  await lonely.ports.db.sql`select 1`
  await world.app.ports.db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'tillhook'`
  await until(async () => (await scrape(world, lonely)).value('tillhook_database_reconnects_total') === 1)
  await (lonely.ports.db as unknown as { close(): Promise<void> }).close()
  await assert.rejects(lonely.jobs.renewals.runOnce())
  const { value, has } = await scrape(world, lonely)
  assert.equal(value('tillhook_loop_failures_total{loop="renewals"}'), 1)
  assert.deepEqual([value('tillhook_database_up'), has('tillhook_deliveries_due')], [0, false])
})
