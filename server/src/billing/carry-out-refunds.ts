import { findChargeObject } from '../charges/store.ts'
import { assert } from '../core/assert.ts'
import { LOOK_LEASE_MS, nextLookAt } from '../core/charge.ts'
import { decide } from '../core/decide.ts'
import { bookRefund } from '../core/ledger.ts'
import type { Refund } from '../core/refund.ts'
import { isRefusal } from '../core/refusal.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { RefundOutcome } from '../gateway/gateway.ts'
import { addRefunded, findInvoice, lockInvoice } from '../invoices/store.ts'
import { insertLedgerTransactions } from '../ledger/store.ts'
import type { Ports } from '../ports.ts'
import { claimRefunds, lockRefund, postponeRefund, settleRefund } from '../refunds/store.ts'
import { clearFailures, recordFailure } from '../set-aside/store.ts'
import { lockSubscription } from '../subscriptions/store.ts'
import type { CollectPorts } from './collect.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { writeChanges } from './write.ts'

const AT_ONCE = 8

/** Takes up refunds that wait for the gateway, and settles what it answers. Returns how many; call again until 0. */
export async function carryOutRefunds(ports: CollectPorts): Promise<number> {
  const now = ports.clock.now()
  const leasedUntil = new Date(now.getTime() + LOOK_LEASE_MS)
  const refunds = await claimRefunds(ports.db.sql, { now, leasedUntil, limit: AT_ONCE })
  await Promise.all(refunds.map(refund => carryOut(ports, refund)))
  return refunds.length
}

async function carryOut(ports: CollectPorts, refund: Refund): Promise<void> {
  try {
    await settle(ports, refund, await ask(ports, refund))
    if (refund.looks > 1) await clearFailures(ports.db.sql, 'refund', [refund.refundId])
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const { refundId } = refund
    ports.log.error({ err: error, refundId }, 'a refund could not be settled and is set aside')
    await recordFailure(ports.db.sql, { kind: 'refund', rowId: refundId, error, now: ports.clock.now() })
  }
}

/** The key is the refund's id: sent again after a crash, the gateway gives the same answer and no second refund. */
async function ask({ db, gateways }: Pick<Ports, 'db' | 'gateways'>, refund: Refund): Promise<RefundOutcome> {
  const object = await findChargeObject(db.sql, refund.invoiceId)
  assert(object, 'a paid invoice has a charge object')
  const gateway = gateways[object.gateway]
  if (gateway === undefined) return { kind: 'unknown', reason: 'gateway_not_configured' }
  const { gatewayChargeId } = object
  const key = refund.refundId
  const seen = refund.looks > 1 ? await gateway.findRefund({ gatewayChargeId, key }) : null
  if (seen !== null) return seen
  const outcome = await gateway.refund({ gatewayChargeId, key, amount: refund.amount, currency: refund.currency })
  return outcome.kind === 'unknown' ? ((await gateway.findRefund({ gatewayChargeId, key })) ?? outcome) : outcome
}

/** Refund, ledger, invoice, subscription and notifications change together; told twice, it happens once. */
async function settle(ports: CollectPorts, told: Refund, outcome: RefundOutcome): Promise<void> {
  await ports.db.transaction(async tx => {
    const subscriptionId = (await findInvoice(tx.sql, told.invoiceId))?.subscriptionId
    assert(subscriptionId, 'a refund has an invoice')
    const subscription = await lockSubscription(tx.sql, subscriptionId)
    const invoice = await lockInvoice(tx.sql, told.invoiceId)
    const refund = await lockRefund(tx.sql, told.refundId)
    assert(subscription && invoice && refund, 'a refund and what it belongs to are never deleted')
    if (refund.status !== 'PENDING') return
    const { refundId, invoiceId, businessId, amount, currency } = refund
    if (outcome.kind === 'unknown' || outcome.kind === 'pending') {
      await postponeRefund(tx.sql, { refundId, lookAt: nextLookAt(refund.looks, ports.clock.now()) })
      return
    }
    const at = await nowOf(tx.sql, subscription, ports.clock.now())
    if (outcome.kind === 'failed') {
      await settleRefund(tx.sql, { refundId, status: 'FAILED', failure: outcome.code, at })
      return
    }
    await settleRefund(tx.sql, { refundId, status: 'SUCCEEDED', at })
    await addRefunded(tx.sql, { invoiceId, amount, at })
    const { organizationId } = subscription
    const booking = { sourceId: refundId, invoiceId, businessId, organizationId, currency, amount, bookedAt: at }
    await insertLedgerTransactions(tx.sql, [bookRefund({ ...booking, ledgerTransactionId: ports.newId() })])
    const trigger = { kind: 'refundSucceeded', invoiceId } as const
    const change = decide(await loadState(tx.sql, subscription), trigger, freshIds(ports.newId), at)
    assert(!isRefusal(change), 'a refund that happened is never refused')
    await writeChanges(tx, ports, [change])
  })
}
