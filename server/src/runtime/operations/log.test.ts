import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { LOG_SERIALIZERS } from './watch.ts'

let world: World
let text = ''
before(async () => {
  const write = (line: string) => {
    text += line
  }
  world = await createWorld({ log: pino({ level: 'debug', serializers: LOG_SERIALIZERS }, { write }) })
})
after(() => world?.close())

function lines(message: string): Json[] {
  const all = text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Json]))
  return all.filter(({ msg }) => msg === message)
}

test('billing changes are logged at info with their ids, after the commit', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const changed = lines('a subscription changed').filter(line => line.subscriptionId === subscriptionId)
  const { businessId, appId, events, invoiceIds, level } = changed[0] ?? {}
  assert.deepEqual([businessId, `urn:aid:${appId}`, level], [shop.businessId, world.appId, 30])
  assert.deepEqual([events, invoiceIds], [[], [invoice?.invoiceId]])
  const settled = ['APPLICATION_SUBSCRIPTION_START', 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS']
  assert.deepEqual(changed[1]?.events, settled)
  const [charge, ...more] = lines('a charge has its outcome')
  assert.deepEqual(more, [])
  assert.deepEqual(
    [charge?.invoiceId, charge?.subscriptionId, charge?.status],
    [invoice?.invoiceId, subscriptionId, 'SUCCEEDED'],
  )
  await shop.refund(invoice?.invoiceId, {})
  const [refund] = lines('a refund has its outcome')
  assert.deepEqual([refund?.invoiceId, refund?.status], [invoice?.invoiceId, 'SUCCEEDED'])
})

test('a rejected subscribe logs no change', async () => {
  const shop = await world.merchant()
  const planId = await world.plan()
  await shop.subscribe(planId)
  const before = lines('a subscription changed').length
  await shop.subscribe(planId, 409)
  assert.equal(lines('a subscription changed').length, before)
})

test('a failed attempt is logged at debug with its ids and reason, and a given-up delivery at info', async () => {
  await world.app.sender.runOnce()
  const [failed] = lines('an attempt failed')
  assert.match(String(failed?.notificationId), /^[0-9a-f-]{36}$/)
  assert.match(String(failed?.hookId), /^[0-9a-f-]{36}$/)
  assert.deepEqual([failed?.reason, failed?.attempt, failed?.level], ['refused', 1, 20])
  world.clock.set(new Date(Date.now() + 4 * 86_400_000))
  await world.app.sender.runOnce()
  const [givenUp] = lines('a webhook is given up')
  assert.deepEqual([givenUp?.givenUp, givenUp?.level], ['expired', 30])
  world.clock.set(new Date())
})

test('webhooks that end without a further attempt are one line at info, by hook', async () => {
  const { id } = await world.call('POST', '/hooks', {
    applicationId: world.appId,
    deliveryUrl: 'http://127.0.0.1:9/never',
    secret: 'secret',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START'],
  })
  await (await world.merchant()).subscribe(await world.plan())
  await world.call('DELETE', `/hooks/${id}`, undefined, 204)
  const [line, ...more] = lines('webhooks are given up without a further attempt').filter(({ hookId }) => hookId === id)
  assert.deepEqual([line?.givenUp, line?.webhooks, line?.level, more], ['hook_deleted', 1, 30, []])
})

test('each request has one log line with its request id and none of its content', async () => {
  const answer = await world.ask(OPERATOR_KEY, 'GET', '/businesses?q=s3cr3t-query')
  const line = lines('request').find(({ requestId }) => requestId === answer.headers['service-request-id'])
  assert.equal(line?.status, answer.status)
})

test('the log contains no secret, after any operation and any failure', async () => {
  const secrets = [
    's3cr3t-hook',
    's3cr3t-path',
    's3cr3t-query',
    's3cr3t-token',
    's3cr3t-mail',
    's3cr3t-row',
    OPERATOR_KEY,
    'tok_stolen',
  ]
  const { id } = await world.call('POST', '/hooks', {
    applicationId: world.appId,
    deliveryUrl: 'http://127.0.0.1:9/s3cr3t-path?key=s3cr3t-query',
    secret: 's3cr3t-hook',
    eventTypes: ['APPLICATION_SUBSCRIPTION_START'],
  })
  const { businessId } = await world.call('POST', '/businesses', {
    ...{ legalName: 'Corner Shop', country: 'US', type: 'TEST_MERCHANT', emailAddress: 's3cr3t-mail@example.com' },
  })
  assert.equal((await world.ask('s3cr3t-token', 'GET', `/businesses/${businessId}`)).status, 401)
  const shop = await world.merchant({ card: 'tok_stolen' })
  await shop.subscribe(await world.plan(), 409)
  await world.app.sender.runOnce()
  // A fault of ours, with the row's values in the error: the secret of the hook is no longer what was sealed.
  await world.app.ports.db.sql`update hooks set secret = ${Buffer.from('s3cr3t-hook')} where hook_id = ${id}`
  await (await world.merchant()).subscribe(await world.plan())
  world.clock.set(new Date(Date.now() + 3_600_000))
  await world.app.sender.runOnce()
  world.clock.set(new Date())
  assert.ok(lines('a delivery cannot be handled and is quarantined').length > 0)
  // A database error that names the rejected values.
  const duplicate = world.app.ports.db.sql`insert into throttles (kind, key_hash, attempts, attempted_at, open_at)
    select 's3cr3t-row', 'hash', 1, now(), now() from generate_series(1, 2)`
  await duplicate.catch(error => world.app.ports.log.error({ err: error }, 'a statement failed'))
  assert.equal(lines('a statement failed')[0]?.err.code?.slice(0, 2), '23')
  const { privateKey } = world.credentials
  const found = [...secrets, privateKey.split('\n')[1] ?? '', 'BEGIN PRIVATE'].filter(secret => text.includes(secret))
  assert.deepEqual(found, [])
})
