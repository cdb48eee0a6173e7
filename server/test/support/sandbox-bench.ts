import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/core/clock.ts'
import { AMOUNT, type GatewayOnBench } from '../../src/money/gateway/conformance/bench.ts'
import type { Gateway, PostedEvent } from '../../src/money/gateway/gateway.ts'
import { listCharges } from '../../src/money/gateway/sandbox/books.ts'
import { disputeAtGateway, refundAtGateway, settle } from '../../src/money/gateway/sandbox/payments.ts'
import { signEvent } from '../../src/money/gateway/sandbox/sandbox.ts'
import type { Db } from '../../src/platform/db/db.ts'

export interface SandboxBooks {
  readonly db: Db
  readonly clock: Clock
  /** With which it signs. */
  readonly eventSecret: string
}

/** The sandbox on the bench, without the functions of its opener. */
export function sandboxBench(
  gateway: Gateway,
  { db, clock, eventSecret }: SandboxBooks,
): Omit<GatewayOnBench, 'lacks' | 'lose' | 'service'> {
  const sign = (eventId: string, gatewayChargeId: string, secret = eventSecret): PostedEvent =>
    signEvent({ eventId, kind: 'happened', gatewayChargeId }, secret)
  return {
    gateway,
    tokens: {
      ok: 'tok_ok',
      soft: 'tok_insufficient_funds',
      hard: 'tok_stolen',
      chargedThenUnknown: 'tok_timeout_then_ok',
      declinedThenUnknown: 'tok_timeout_then_declined',
      actionRequired: 'tok_action_required',
      pending: 'tok_pending',
      refundFails: 'tok_refund_fails',
      notAToken: 'tok_nothing',
    },
    currency: 'USD',
    booksOf: gatewayChargeId => bookedAt(db, gatewayChargeId),
    refundAtGateway: async (gatewayChargeId, amount) =>
      void (await refundAtGateway({ db, clock }, { gatewayChargeId, amount, id: randomUUID() })),
    dispute: (gatewayChargeId, status) =>
      disputeAtGateway(
        { db, clock },
        { gatewayChargeId, disputeId: `dp of ${gatewayChargeId}`, amount: AMOUNT, status },
      ),
    finish: async (of, ends) =>
      void (await settle({ db, clock }, { ...of, outcome: ends === 'succeeds' ? SUCCEEDED : DECLINED })),
    // The sandbox posts no events. These are made from its books.
    eventsOf: async gatewayChargeId => {
      const money = await gateway.findMoney(gatewayChargeId)
      const events = [
        ...(money && money.charged > 0 ? ['charged'] : []),
        ...(money?.refunds ?? [])
          .toReversed()
          .map(({ gatewayRefundId, outcome }) => `${outcome.kind} ${gatewayRefundId}`),
        ...(money?.disputes ?? []).map(({ gatewayDisputeId, status }) => `${status} ${gatewayDisputeId}`),
      ]
      return events.map(what => sign(`${what} of ${gatewayChargeId}`, gatewayChargeId))
    },
    eventAbout: gatewayChargeId => sign(`about ${gatewayChargeId}`, gatewayChargeId),
    signedByAnother: gatewayChargeId => sign(`about ${gatewayChargeId}`, gatewayChargeId, 'of somebody else'),
  }
}

const SUCCEEDED = { kind: 'succeeded' } as const
const DECLINED = { kind: 'declined', severity: 'soft', code: 'refused' } as const

export async function bookedAt(db: Db, gatewayChargeId: string): Promise<{ charged: number; refunded: number }> {
  const booked = (await listCharges(db.sql)).find(charge => charge.gatewayChargeId === gatewayChargeId)
  assert.ok(booked)
  return { charged: booked.charged, refunded: booked.refunded }
}
