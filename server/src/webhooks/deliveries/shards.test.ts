import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import { createShards, SHARDS } from './shards.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await webhooks.db.sql`truncate delivery_workers`
  await webhooks.db.sql`update delivery_shards set owner = null, epoch = 0, leased_until = null`
})

const worker = (aheadMs = 0) =>
  createShards({ db: webhooks.db, clock: { now: () => new Date(webhooks.now().getTime() + aheadMs) } }, v7())

test('one process takes all shards, a second process gets half within two renewals, and no shard has two owners', async () => {
  const [one, other] = [worker(), worker()]
  assert.equal((await one.renew(0)).length, SHARDS)
  assert.equal((await other.renew(0)).length, 0)
  await one.renew(0)
  assert.equal(one.owned().filter(shard => one.epochOf(shard) !== undefined).length, SHARDS / 2, 'half are draining')
  await one.renew(0)
  assert.equal((await other.renew(0)).length, SHARDS / 2)
  assert.equal(new Set([...one.owned(), ...other.owned()]).size, SHARDS)
})

test('taking a shard increments its epoch, and a process without its lease does not send', async () => {
  const [lost, next] = [worker(), worker()]
  await lost.renew(0)
  assert.equal(lost.epochOf(7), 1)
  await next.renew(0)
  webhooks.pass(6_000)
  assert.equal(lost.epochOf(7), undefined, 'too little of the lease is left')
  webhooks.pass(4_000)
  assert.equal((await next.renew(0)).length, SHARDS)
  assert.equal(next.epochOf(7), 2)
  await lost.renew(0)
  assert.deepEqual(lost.owned(), [])
})

test('a process whose clock differs by 20 s takes no lease from a process that renews its leases', async () => {
  const [behind, ahead] = [worker(-10_000), worker(10_000)]
  await behind.renew(0)
  for (let run = 0; run < 10; run++) {
    webhooks.pass(2_000)
    await behind.renew(0)
    await ahead.renew(0)
  }
  assert.deepEqual([behind.owned().length, ahead.owned().length], [SHARDS / 2, SHARDS / 2])
})

test('a graceful stop releases all shards at once', async () => {
  const [one, other] = [worker(), worker()]
  await one.renew(0)
  await one.release()
  assert.equal((await other.renew(0)).length, SHARDS)
})

test('shards that were taken by a commit without a response are taken again', async () => {
  const one = worker()
  await one.renew(0)
  for (const shard of one.owned()) one.drop(shard)
  assert.equal((await one.renew(0)).length, SHARDS)
  assert.equal(one.epochOf(0), 2)
})
