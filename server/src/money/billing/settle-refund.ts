import { assert } from '../../core/assert.ts'
import { pollAfter } from '../../core/charge.ts'
import { decide } from '../../core/decide.ts'
import { bookRefund, bookReturnedRefund } from '../../core/ledger.ts'
import { oweAgainAt, type Refund } from '../../core/refund.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports, Refunded } from '../../ports.ts'
import type { RefundAtGateway, RefundOutcome } from '../gateway/gateway.ts'
import { addRefunded } from '../invoices/store.ts'
import { insertLedgerTransactions } from '../ledger/store.ts'
import * as refunds from '../refunds/store.ts'
import { bookingOf, type LockedInvoice, lockPaid, settleWhatWentBack } from './go-back.ts'
import { freshIds, loadState } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

type SettlePorts = WritePorts & Pick<Ports, 'db'>

/**
 * Takes in what became of a refund: refund, ledger, invoice, subscription and notifications change together; told twice, it
 * happens once. One that had succeeded may still come back: then it is FAILED, and the money ours again. Says whether anything changed.
 */
export function settleRefund(
  ports: SettlePorts,
  { refundId, invoiceId }: Pick<Refund, 'refundId' | 'invoiceId'>,
  outcome: RefundOutcome,
): Promise<boolean> {
  return ports.db.transaction(async tx => {
    const locked = await lockPaid(tx, ports, invoiceId)
    const refund = await refunds.lockRefund(tx.sql, refundId)
    assert(refund, 'a refund is never deleted')
    return await settle(tx, ports, locked, refund, outcome)
  })
}

/**
 * Takes in a refund that somebody made at the gateway itself: known once by its id there, then as any other.
 * Source: decisions 6, "REFUND_SUCCESS … also for refunds made at the gateway itself". Says whether anything changed.
 */
export function applyGatewayRefund(
  ports: SettlePorts,
  { invoiceId, made }: { invoiceId: string; made: RefundAtGateway },
): Promise<boolean> {
  return ports.db.transaction(async tx => {
    const locked = await lockPaid(tx, ports, invoiceId)
    const { gatewayRefundId, amount, outcome } = made
    // Looked for again under the lock: another process may have taken it in, or it was ordered here since.
    const known = ourRefund(await refunds.findRefundsOfInvoices(tx.sql, [invoiceId]), made)
    if (known) return await settle(tx, ports, locked, known, outcome)
    // Nothing has gone back, and nobody asked us.
    if (outcome.kind === 'failed') return false
    const { at, invoice } = locked
    const { businessId, currency } = invoice
    const refund: Refund = {
      ...{ refundId: ports.newId(), invoiceId, businessId, amount, currency, gatewayRefundId },
      ...{ reason: 'Made at the payment gateway.', origin: 'GATEWAY', status: 'PENDING', pollCount: 0 },
      ...{ createdAt: at, updatedAt: at },
    }
    // One that is pending there counts as on its way, and is looked up until it is known.
    const now = ports.clock.now()
    const isPending = outcome.kind === 'pending'
    await refunds.insertRefunds(tx.sql, [{ ...refund, nextPollAt: isPending ? pollAfter(0, now) : now }])
    return isPending || (await settle(tx, ports, locked, refund, outcome))
  })
}

/** Which of ours it is: the one that it was ordered with, or the one that it was taken in as. */
export function ourRefund(
  ours: readonly Refund[],
  { key, gatewayRefundId }: Pick<RefundAtGateway, 'key' | 'gatewayRefundId'>,
): Refund | undefined {
  return ours.find(refund => refund.refundId === key || refund.gatewayRefundId === gatewayRefundId)
}

async function settle(
  tx: Tx,
  ports: SettlePorts,
  locked: LockedInvoice,
  refund: Refund,
  outcome: RefundOutcome,
): Promise<boolean> {
  if (refund.status === 'SUCCEEDED' && outcome.kind === 'failed') {
    await comeBack(tx, ports, locked, refund, outcome.code)
    tell(tx, ports, refund, outcome)
    return true
  }
  if (refund.status !== 'PENDING') return false
  if (outcome.kind === 'unknown' || outcome.kind === 'pending') {
    const nextPollAt = pollAfter(refund.pollCount, ports.clock.now())
    await refunds.postponeRefund(tx.sql, { refundId: refund.refundId, nextPollAt })
    return false
  }
  if (outcome.kind === 'failed') await fail(tx, ports, locked, refund, outcome.code)
  else await succeed(tx, ports, locked, refund)
  tell(tx, ports, refund, outcome)
  return true
}

function tell(
  tx: Tx,
  { watch }: Pick<Ports, 'watch'>,
  { refundId, invoiceId }: Refund,
  outcome: Extract<RefundOutcome, { kind: 'succeeded' | 'failed' }>,
): void {
  const refunded: Refunded =
    outcome.kind === 'failed'
      ? { refundId, invoiceId, status: 'FAILED', reason: outcome.code }
      : { refundId, invoiceId, status: 'SUCCEEDED' }
  tx.afterCommit(() => watch?.refunded(refunded))
}

async function succeed(tx: Tx, ports: SettlePorts, locked: LockedInvoice, refund: Refund): Promise<void> {
  const { refundId, invoiceId, amount } = refund
  const { subscription, at } = locked
  await refunds.settleRefund(tx.sql, { refundId, status: 'SUCCEEDED', at })
  await addRefunded(tx.sql, { invoiceId, amount, at })
  await insertLedgerTransactions(tx.sql, [
    bookRefund(await bookingOf(tx, ports, locked, { sourceId: refundId, amount })),
  ])
  await settleWhatWentBack(tx, ports, locked, refundId)
  const trigger = { kind: 'refundSucceeded', invoiceId } as const
  const change = decide(await loadState(tx.sql, subscription), trigger, freshIds(ports.newId), at)
  assert(!isRejection(change), 'a refund that happened is never refused')
  await writeChanges(tx, ports, [change])
}

async function fail(tx: Tx, ports: SettlePorts, { at }: LockedInvoice, refund: Refund, failure: string): Promise<void> {
  await refunds.settleRefund(tx.sql, { refundId: refund.refundId, status: 'FAILED', failure, at })
  if (refund.origin === 'LATE_SUCCESS') await oweAgain(tx, ports, refund, at)
}

/** Days after it had succeeded, as when the card was closed. REFUND_SUCCESS was told and stays told. */
async function comeBack(
  tx: Tx,
  ports: SettlePorts,
  locked: LockedInvoice,
  refund: Refund,
  failure: string,
): Promise<void> {
  const { refundId, invoiceId, amount } = refund
  const { at } = locked
  await addRefunded(tx.sql, { invoiceId, amount: -amount, at })
  await insertLedgerTransactions(tx.sql, [
    bookReturnedRefund(await bookingOf(tx, ports, locked, { sourceId: refundId, amount })),
  ])
  await settleWhatWentBack(tx, ports, locked, refundId)
  await fail(tx, ports, locked, refund, failure)
}

/**
 * Money that came after the end is owed back: another refund is tried later, under a key of its own, of what is still there.
 * Somebody may have given it back at the gateway, which is why ours failed.
 */
async function oweAgain(tx: Tx, ports: SettlePorts, refund: Refund, at: Date): Promise<void> {
  const amount = Math.min(refund.amount, await refunds.findLeft(tx.sql, refund.invoiceId))
  if (amount === 0) return
  const failed = await refunds.countFailedOwed(tx.sql, refund.invoiceId)
  const nextPollAt = oweAgainAt(failed, ports.clock.now())
  if (nextPollAt === null) return
  const { invoiceId, businessId, currency, reason, origin } = refund
  const again = { refundId: ports.newId(), invoiceId, businessId, amount, currency, reason, origin }
  const fresh = { status: 'PENDING', createdAt: at, updatedAt: at, pollCount: 0, nextPollAt } as const
  await refunds.insertRefunds(tx.sql, [{ ...again, ...fresh }])
}
