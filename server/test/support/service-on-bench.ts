import assert from 'node:assert/strict'
import { type Gateway, type GatewayName, GatewayUnreachable } from '../../src/money/gateway/gateway.ts'
import { eventSecretOf } from '../../src/money/gateway/sandbox/sandbox.ts'
import { AMOUNT } from './conformance/bench.ts'
import type { Bought, ServiceOnBench, Way } from './conformance/service.ts'
import { outcomeOf } from './outcome.ts'
import { sandboxBench } from './sandbox-bench.ts'
import { benchOf } from './stripe/bench.ts'
import { startStripe } from './stripe/server.ts'
import { createWorld, MASTER_KEY } from './world.ts'

const AT = '2026-01-01T00:00:00Z'

/** The service with a gateway as it runs with it, but for a way between them on which answers are late or lost. */
export async function serviceOnBench(name: GatewayName): Promise<ServiceOnBench> {
  let now = () => new Date(AT)
  const stripe = await startStripe({ now: () => now() })
  const { secretKey, webhookSecret, url: apiBase } = stripe
  const way = openWay()
  let honest: Gateway | undefined
  const world = await createWorld({
    at: AT,
    ...(name === 'stripe' && { stripe: { secretKey, webhookSecret, apiBase } }),
    wrap: ports => {
      honest = ports.gateways[name]
      assert.ok(honest)
      // A subscription that a lost dispute ends stays ended when the bank returns the money: the order would matter.
      const settings = { ...ports.settings, endsDisputed: false }
      return { ...ports, settings, gateways: { ...ports.gateways, [name]: way.to(honest) } }
    },
  })
  now = world.clock.now
  const gateway = honest
  assert.ok(gateway)
  const { db, clock } = world.app.ports
  const { gatewayEvents, charges, refunds } = world.app.jobs
  const bench =
    name === 'stripe'
      ? benchOf(gateway, stripe)
      : sandboxBench(gateway, { db, clock, eventSecret: eventSecretOf(MASTER_KEY) })
  // No other period begins in so many days.
  const planId = await world.plan({
    interval: 'YEAR',
    amounts: [{ country: 'US', currency: bench.currency, value: AMOUNT }],
  })
  const applyEvents = async () => {
    while ((await gatewayEvents.runOnce()) > 0);
  }
  return {
    bench,
    buy: async (card, of = {}) => {
      const shop = await world.merchant({ card, ...(name === 'stripe' && { gateway: name }) })
      const { businessId } = shop
      return await way.go(of, businessId, async () => {
        await shop.subscribePending(planId)
        while ((await charges.runOnce()) + (await refunds.runOnce()) > 0);
      })
    },
    post: async ({ payload, headers }) => {
      const posted = { method: 'POST', url: `/gateways/${name}/events`, payload: Buffer.from(payload) } as const
      const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' }
      return (await world.app.http.inject({ ...posted, headers: sent })).statusCode
    },
    applyEvents,
    pass: async ms => {
      world.clock.set(new Date(world.clock.now().getTime() + ms))
      await world.work()
      await applyEvents()
    },
    keptOf: async gatewayChargeId => {
      const [row] = await db.sql<{ kept: number; open: number }[]>`
        select count(*) as kept, count(next_poll_at) as open from gateway_events where gateway_charge_id = ${gatewayChargeId}`
      assert.ok(row)
      return row
    },
    outcomeOf: bought => outcomeOf(db, bought),
    close: async () => {
      await world.close()
      await stripe.close()
    },
  }
}

/** The way of one that buys after the other. */
function openWay() {
  let now: { of: Way; businessId: string } | undefined
  let made: string | undefined
  const loses = (call: Way['loses']) => now?.of.loses === call
  return {
    to: (gateway: Gateway): Gateway => ({
      ...gateway,
      createCharge: async request => {
        const answer = await gateway.createCharge(request)
        if ('gatewayChargeId' in answer) made ??= answer.gatewayChargeId
        if (loses('createCharge')) throw new GatewayUnreachable('lost')
        return answer
      },
      confirmCharge: async request => {
        const { gatewayChargeId, key } = request
        const answer = await gateway.confirmCharge(request)
        if (now !== undefined) await now.of.meanwhile?.({ businessId: now.businessId, gatewayChargeId }, key)
        return loses('confirmCharge') ? LOST : answer
      },
      findConfirmation: async request => (loses('confirmCharge') ? LOST : await gateway.findConfirmation(request)),
    }),
    go: async (of: Way, businessId: string, work: () => Promise<unknown>): Promise<Bought> => {
      now = { of, businessId }
      made = undefined
      await work()
      now = undefined
      assert.ok(made, 'the gateway made a charge object')
      return { businessId, gatewayChargeId: made }
    },
  }
}

const LOST = { kind: 'unknown', reason: 'lost' } as const
