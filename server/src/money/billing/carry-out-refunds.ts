import { assert } from '../../core/assert.ts'
import { askUntil, isPolledForAMinute, POLL_LEASE_MS } from '../../core/charge.ts'
import type { Refund } from '../../core/refund.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import { type ChargeObject, findChargeObject } from '../charges/store.ts'
import { type Gateway, GatewayUnreachable, type RefundOutcome } from '../gateway/gateway.ts'
import { findInvoice } from '../invoices/store.ts'
import { claimRefunds, quarantineRefund } from '../refunds/store.ts'
import type { CollectPorts } from './collect.ts'
import { reconcile } from './reconcile.ts'
import { ourRefund, settleRefund } from './settle-refund.ts'

const AT_ONCE = 8

/** Takes up refunds that wait for the gateway, and settles what it answers. Returns how many; call again until 0. */
export async function carryOutRefunds(ports: CollectPorts, only: { businessId?: string } = {}): Promise<number> {
  const now = ports.clock.now()
  const leasedUntil = new Date(now.getTime() + POLL_LEASE_MS)
  const refunds = await claimRefunds(ports.db.sql, { ...only, now, leasedUntil, limit: AT_ONCE })
  await Promise.all(refunds.map(refund => carryOut(ports, refund, askUntil(now))))
  return refunds.length
}

async function carryOut(ports: CollectPorts, refund: Refund, until: Date): Promise<void> {
  try {
    const object = await findChargeObject(ports.db.sql, refund.invoiceId)
    assert(object, 'a paid invoice has a charge object')
    const outcome = await ask(ports.gateways[object.gateway], object, refund, until)
    await settleRefund(ports, refund, await afterWhatCameBack(ports, object, refund, outcome))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const { refundId } = refund
    ports.log.error({ err: error, refundId }, 'a refund could not be settled and is quarantined')
    await quarantineRefund(ports.db.sql, { refundId, error, now: ports.clock.now() })
  }
}

/**
 * Where it would be more than was paid, one that we have booked has come back there, and no event has told it yet: its money has gone
 * again with this one. It is booked first, and this one with it.
 */
async function afterWhatCameBack(
  ports: CollectPorts,
  { gateway: name, gatewayChargeId }: ChargeObject,
  { invoiceId, amount }: Refund,
  outcome: RefundOutcome,
): Promise<RefundOutcome> {
  if (outcome.kind !== 'succeeded') return outcome
  const invoice = await findInvoice(ports.db.sql, invoiceId)
  const gateway = ports.gateways[name]
  if (!invoice || !gateway || invoice.amountRefunded + amount <= invoice.amountPaid) return outcome
  try {
    await reconcile(ports, gateway, gatewayChargeId)
  } catch (error) {
    if (error instanceof GatewayUnreachable) return { kind: 'unknown', reason: 'gateway_unreachable' }
    throw error
  }
  return outcome
}

/** The key is the refund's id: sent again after a crash, the gateway gives the same answer and no second refund. */
async function ask(
  gateway: Gateway | undefined,
  { gatewayChargeId }: ChargeObject,
  refund: Refund,
  until: Date,
): Promise<RefundOutcome> {
  if (gateway === undefined) return { kind: 'unknown', reason: 'gateway_not_configured' }
  const key = refund.refundId
  // Made there: it is looked up, and never ordered.
  if (refund.origin === 'GATEWAY') return await lookThere(gateway, gatewayChargeId, refund)
  const seen = refund.pollCount > 1 ? await gateway.findRefund({ gatewayChargeId, key, until }) : null
  if (seen !== null) return seen
  const { amount, currency } = refund
  const unseen = isPolledForAMinute(refund.pollCount) ? ({ isLongUnseen: true } as const) : {}
  const outcome = await gateway.refund({ gatewayChargeId, key, amount, currency, until, ...unseen })
  return outcome.kind === 'unknown' ? ((await gateway.findRefund({ gatewayChargeId, key, until })) ?? outcome) : outcome
}

async function lookThere(gateway: Gateway, gatewayChargeId: string, refund: Refund): Promise<RefundOutcome> {
  try {
    const made = (await gateway.findMoney(gatewayChargeId))?.refunds.find(one => ourRefund([refund], one))
    return made?.outcome ?? { kind: 'unknown', reason: 'refund_not_at_gateway' }
  } catch (error) {
    if (error instanceof GatewayUnreachable) return { kind: 'unknown', reason: 'gateway_unreachable' }
    throw error
  }
}
