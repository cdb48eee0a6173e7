import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'
import { POLL_LEASE_MS } from '../../core/charge.ts'
import { claimCharges } from '../charges/store.ts'
import type { CreateCharge, Gateway } from '../gateway/gateway.ts'
import { type CollectPorts, collectCharges } from './collect.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

/** Ports with a gateway that takes one charge at a time and runs `acts` in between. */
function portsWith(acts: Partial<Gateway>): CollectPorts {
  const { ports } = world.app
  return { ...ports, gateways: { sandbox: { ...ports.gateways.sandbox, atOnce: 1, ...acts } } }
}

/** Two subscriptions whose charges are not claimed yet. */
async function subscribeTwo(): Promise<Map<string, { shop: Merchant; subscriptionId: string }>> {
  const planId = await world.plan()
  const shops = [await world.merchant(), await world.merchant()]
  const subscribed = new Map<string, { shop: Merchant; subscriptionId: string }>()
  for (const shop of shops) {
    const { subscriptionId } = await shop.subscribePending(planId)
    subscribed.set(shop.businessId, { shop, subscriptionId })
  }
  return subscribed
}

/** Cancels the second subscription while the gateway has the first charge, some seconds after the claim. */
async function cancelWhileItWaits(seconds: number): Promise<{ other: Merchant; seen: string[] }> {
  const { sandbox } = world.app.ports.gateways
  const two = await subscribeTwo()
  const seen: string[] = []
  let other: Merchant | undefined
  const createCharge = async (request: CreateCharge) => {
    const { businessId } = request.metadata
    seen.push(businessId)
    const waiting = [...two.values()].find(({ shop }) => shop.businessId !== businessId)
    if (other === undefined && waiting !== undefined) {
      other = waiting.shop
      world.clock.set(new Date(world.clock.now().getTime() + seconds * 1_000))
      await world.call('DELETE', `/apps/${world.appId}/subscriptions/${waiting.subscriptionId}`)
    }
    return await sandbox.createCharge(request)
  }
  while ((await collectCharges(portsWith({ createCharge }))) > 0);
  assert.ok(other)
  return { other, seen }
}

test('a charge whose subscription ends while the charge waits for a free gateway slot is never sent', async () => {
  const { other, seen } = await cancelWhileItWaits(2)
  assert.deepEqual([seen.length, seen.includes(other.businessId)], [1, false])
  await world.work()
  await other.expectEvents()
  const [invoice] = await other.invoices()
  assert.deepEqual([invoice?.status, invoice?.attempts, invoice?.refunds], ['VOID', [], []])
})

test('a recently read charge is sent without a second read, and its payment is refunded', async () => {
  const { other, seen } = await cancelWhileItWaits(0)
  assert.equal(seen.length, 2)
  await world.work()
  await other.expectEvents('PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('a charge without a payment method is not declined after a crash and the end of its subscription', async () => {
  const shop = await world.merchant({ card: 'none' })
  const { subscriptionId } = await shop.subscribe(await world.plan({ trialPeriodDays: 1 }))
  world.clock.set(new Date(world.clock.now().getTime() + 86_400_000))
  await world.app.jobs.renewals.runOnce()
  const now = world.clock.now()
  const leasedUntil = new Date(now.getTime() + POLL_LEASE_MS)
  const claimed = await claimCharges(world.app.ports.db.sql, { now, leasedUntil, limit: 100 })
  assert.ok(claimed.some(({ businessId }) => businessId === shop.businessId))
  await world.call('DELETE', `/apps/${world.appId}/subscriptions/${subscriptionId}`)
  world.clock.set(leasedUntil)
  await world.work()
  await shop.expectEvents('START', 'PHASE_CHANGE', 'END')
})

test('a charge whose subscription ends during the creation of its charge object is never confirmed', async () => {
  const { sandbox } = world.app.ports.gateways
  const [one] = [...(await subscribeTwo()).values()]
  assert.ok(one)
  const confirmed: string[] = []
  const ports = portsWith({
    createCharge: async request => {
      const made = await sandbox.createCharge(request)
      if (request.metadata.businessId === one.shop.businessId) {
        world.clock.set(new Date(world.clock.now().getTime() + 2_000))
        await world.call('DELETE', `/apps/${world.appId}/subscriptions/${one.subscriptionId}`)
        assert.ok('gatewayChargeId' in made)
        confirmed.push(made.gatewayChargeId)
      }
      return made
    },
    confirmCharge: async request => {
      assert.ok(!confirmed.includes(request.gatewayChargeId), 'the charge is not confirmed')
      return await sandbox.confirmCharge(request)
    },
  })
  while ((await collectCharges(ports)) > 0);
  assert.equal(confirmed.length, 1)
  const [invoice] = await one.shop.invoices()
  assert.deepEqual([invoice?.status, invoice?.attempts], ['VOID', []])
})

test('a charge that may have been sent is looked up before it is withdrawn, and its payment is refunded', async () => {
  const { sandbox } = world.app.ports.gateways
  const lost = { kind: 'unknown', reason: 'lost' } as const
  const two = await subscribeTwo()
  const losing = portsWith({
    confirmCharge: async request => {
      await sandbox.confirmCharge(request)
      return lost
    },
    findConfirmation: async () => lost,
  })
  while ((await collectCharges(losing)) > 0);
  for (const { subscriptionId } of two.values()) {
    await world.call('DELETE', `/apps/${world.appId}/subscriptions/${subscriptionId}`)
  }
  world.clock.set(new Date(world.clock.now().getTime() + 60_000))
  await world.work()
  for (const { shop } of two.values()) {
    await shop.expectEvents('PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  }
})
