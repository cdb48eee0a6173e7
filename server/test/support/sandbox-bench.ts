import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/core/clock.ts'
import type { Gateway, PostedEvent, RefundOutcome } from '../../src/money/gateway/gateway.ts'
import { disputeAtGateway, MADE_AT_GATEWAY, refund, settle } from '../../src/money/gateway/sandbox/payments.ts'
import { signEvent } from '../../src/money/gateway/sandbox/sandbox.ts'
import type { Db, Sql } from '../../src/platform/db/db.ts'
import { AMOUNT, type GatewayOnBench } from './conformance/bench.ts'

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

/** Makes a refund at the gateway. */
export function refundAtGateway(
  books: { readonly db: Db; readonly clock: Clock },
  { id, ...charge }: { gatewayChargeId: string; id: string; amount: number },
): Promise<RefundOutcome> {
  return refund(books, { ...charge, key: `${MADE_AT_GATEWAY}${id}` })
}

/** Amounts charged and refunded for an invoice. */
export interface BookedCharge {
  readonly gatewayChargeId: string
  readonly invoiceId: string
  readonly businessId: string
  readonly currency: string
  /** Minor units: the whole amount, or 0 before the success. */
  readonly charged: number
  readonly refunded: number
}

/** The books of the sandbox for comparisons: one row per charge object, in order of creation. */
export async function listCharges(sql: Sql): Promise<readonly BookedCharge[]> {
  return await sql<BookedCharge[]>`
    select gateway_charge_id as "gatewayChargeId", metadata ->> 'invoiceId' as "invoiceId",
      metadata ->> 'businessId' as "businessId", currency,
      case when succeeded_key is null then 0 else amount end as charged,
      coalesce((
        select sum(amount) from sandbox_refunds
        where sandbox_refunds.gateway_charge_id = sandbox_charges.gateway_charge_id
          and outcome ->> 'kind' = 'succeeded'), 0)::bigint as refunded
    from sandbox_charges order by created_at, gateway_charge_id`
}
