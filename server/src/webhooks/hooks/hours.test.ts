import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { countByHour } from '../../core/hook-hours.ts'
import { addHookHours, purgeHookHours } from './hours.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

async function hook(url = 'http://127.0.0.1:9/') {
  const made = await newListening(webhooks)
  return { ...made, hookId: await newHook(webhooks, made.app, { applicationId: made.appId, deliveryUrl: url }) }
}

type Listening = Awaited<ReturnType<typeof hook>>

const read = (of: Pick<Listening, 'app'>, hookId: string, query = '') =>
  webhooks.call(of.app, 'GET', `/hooks/${hookId}/health${query}`)

const attempts = (hookId: string, at: Date, outcome: number, times: number) =>
  Array.from({ length: times }, () => ({
    ...{ hookId, attemptedAt: at, durationMs: 40, httpStatus: outcome, acknowledged: outcome === 200 },
  }))

test('each attempt is counted in its hour, by outcome, with its duration', async t => {
  const listener = await openListener(t, 500)
  const of = await hook(listener.url)
  await webhooks.record(billingEvent(webhooks, of))
  const sender = webhooks.sender()
  await sender.runOnce()
  const before = (await read(of, of.hookId)).body
  assert.deepEqual(before.hours[0].failed, [{ outcome: '500', attempts: 1 }])
  assert.equal(before.hours[0].acknowledged, 0)
  listener.reply = 200
  await webhooks.record(billingEvent(webhooks, of), billingEvent(webhooks, of))
  while ((await sender.runOnce()) > 0);
  const { status, body } = await read(of, of.hookId)
  assert.equal(status, 200)
  const [hour, ...others] = body.hours
  assert.deepEqual([others, body.hookId, hour.acknowledged], [[], of.hookId, 2])
  assert.equal(hour.hour, `${webhooks.now().toISOString().slice(0, 13)}:00:00Z`)
  assert.ok(hour.p50Ms <= hour.p95Ms && hour.p95Ms <= 2_500, JSON.stringify(hour))
})

test('concurrent batches add up, and a range shows only its hours', async () => {
  const of = await hook()
  const now = webhooks.now()
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const batch = () =>
    addHookHours(
      webhooks.db.sql,
      countByHour([
        ...attempts(of.hookId, hoursAgo(1), 200, 3),
        ...attempts(of.hookId, hoursAgo(1), 503, 1),
        ...attempts(of.hookId, hoursAgo(60), 200, 1),
      ]),
    )
  await Promise.all(Array.from({ length: 10 }, batch))
  const recent = (await read(of, of.hookId)).body.hours
  assert.equal(recent.length, 1)
  assert.deepEqual([recent[0].acknowledged, recent[0].failed], [30, [{ outcome: '503', attempts: 10 }]])
  assert.ok(recent[0].p50Ms > 30 && recent[0].p50Ms <= 50)
  const from = encodeURIComponent(hoursAgo(72).toISOString())
  const counts = async (query: string) =>
    (await read(of, of.hookId, query)).body.hours.map((hour: { acknowledged: number }) => hour.acknowledged)
  assert.deepEqual(await counts(`?from=${from}`), [10, 30])
  assert.deepEqual(await counts(`?from=${from}&to=${encodeURIComponent(hoursAgo(48).toISOString())}`), [10])
})

test('counts older than 30 days are deleted', async () => {
  const of = await hook()
  const [old, kept] = [31, 29].map(days => new Date(webhooks.now().getTime() - days * 86_400_000))
  const both = [...attempts(of.hookId, old ?? new Date(), 200, 1), ...attempts(of.hookId, kept ?? new Date(), 200, 1)]
  await addHookHours(webhooks.db.sql, countByHour(both))
  assert.equal(await purgeHookHours({ db: webhooks.db, clock: webhooks.ports.clock }), 1)
  assert.equal(await purgeHookHours({ db: webhooks.db, clock: webhooks.ports.clock }), 0)
  const { body } = await read(of, of.hookId, '?from=2020-01-01T00:00:00Z')
  assert.equal(body.hours.length, 1)
})

test("another app's hook is not found, and wrong instants are rejected with the name of the field", async () => {
  const [of, other] = [await hook(), await hook()]
  const { status, body } = await read(other, of.hookId)
  assert.deepEqual([status, body.code], [404, 'HOOK_NOT_FOUND'])
  for (const query of ['from=yesterday', 'to=1', 'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z']) {
    const answer = await read(of, of.hookId, `?${query}`)
    assert.deepEqual([answer.status, answer.body.fields?.[0]?.path], [400, query.split('=')[0]], query)
  }
})
