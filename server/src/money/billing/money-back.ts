import { assert } from '../../core/assert.ts'
import { pollAfter } from '../../core/charge.ts'
import { creditGivenTwice } from '../../core/credit.ts'
import { decide } from '../../core/decide.ts'
import {
  amountOf,
  bookChargeback,
  bookCredit,
  bookCreditUse,
  bookRefund,
  bookReturnedChargeback,
  bookReturnedRefund,
} from '../../core/ledger.ts'
import { pendingRefund, type Refund, retryOwedAt } from '../../core/refund.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import type { Ports, Refunded } from '../../ports.ts'
import { findMoved, lockCredits, saveTakenBack } from '../credits/store.ts'
import { issueCreditNote } from '../documents/credit-notes.ts'
import type { RefundAtGateway, RefundOutcome } from '../gateway/gateway.ts'
import { addRefunded, findInvoice, type Invoice, lockInvoice } from '../invoices/store.ts'
import { findBookedCharge, findTaxBases, insertLedgerTransactions } from '../ledger/store.ts'
import { recordMoneyMails } from '../mails/record.ts'
import * as refunds from '../refunds/store.ts'
import { lockSubscription } from '../subscriptions/store.ts'
import { freshIds, loadState, nowOf } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

export type SettlePorts = WritePorts & Pick<Ports, 'db'>

/**
 * Applies the outcome of a refund to refund, ledger, invoice, subscription and notifications. An outcome counts once.
 * A refund that succeeded may still be returned by the bank, and is FAILED then. Returns whether anything changed.
 */
export function settleRefund(
  ports: SettlePorts,
  { refundId, invoiceId }: Pick<Refund, 'refundId' | 'invoiceId'>,
  outcome: RefundOutcome,
): Promise<boolean> {
  return ports.db.transaction(async tx => {
    const locked = await lockPaidInvoice(tx, ports, invoiceId)
    const refund = await refunds.lockRefund(tx.sql, refundId)
    assert(refund, 'a refund is never deleted')
    return await settle(tx, ports, locked, refund, outcome)
  })
}

/**
 * Applies a refund that was made at the gateway. Source: decisions 6, "REFUND_SUCCESS … also for refunds made at the gateway itself".
 * Returns whether anything changed.
 */
export function applyGatewayRefund(
  ports: SettlePorts,
  { invoiceId, made }: { invoiceId: string; made: RefundAtGateway },
): Promise<boolean> {
  return ports.db.transaction(async tx => {
    const locked = await lockPaidInvoice(tx, ports, invoiceId)
    const { gatewayRefundId, amount, outcome } = made
    // Another process may have applied the refund before this transaction held the lock.
    const known = ourRefund(await refunds.findRefundsOfInvoices(tx.sql, [invoiceId]), made)
    if (known) return await settle(tx, ports, locked, known, outcome)
    // A failed refund from the gateway's dashboard moves no money.
    if (outcome.kind === 'failed') return false
    const { at, invoice } = locked
    const { businessId, currency } = invoice
    const ordered = { refundId: ports.newId(), invoiceId, businessId, amount, currency, gatewayRefundId }
    const refund = pendingRefund({ ...ordered, reason: 'Made at the payment gateway.', origin: 'GATEWAY' }, at)
    // A refund that is pending at the gateway is polled until its outcome is known.
    const now = ports.clock.now()
    const isPending = outcome.kind === 'pending'
    await refunds.insertRefunds(tx.sql, [{ ...refund, nextPollAt: isPending ? pollAfter(0, now) : now }])
    return isPending || (await settle(tx, ports, locked, refund, outcome))
  })
}

/**
 * Books an owed refund that the operator paid outside the gateway, by bank transfer for instance. Ledger, invoice, credit note, event and
 * mail are those of any refund. Returns false if nothing is owed for the refund, so a repeated call books nothing.
 */
export function applyPaidRefund(
  ports: SettlePorts,
  { refundId, reference }: { refundId: string; reference: string },
): Promise<boolean> {
  return ports.db.transaction(async tx => {
    const seen = await refunds.findOwedRefund(tx.sql, refundId)
    if (seen === null) return false
    const locked = await lockPaidInvoice(tx, ports, seen.invoiceId)
    // Another process may have refunded before this transaction held the lock.
    const owed = await refunds.findOwedRefund(tx.sql, refundId)
    if (owed === null) return false
    const { invoiceId, businessId, amount, currency } = owed
    const ordered = { refundId: ports.newId(), invoiceId, businessId, amount, currency, reason: reference }
    const paid = pendingRefund({ ...ordered, origin: 'OUT_OF_BAND' }, locked.at)
    await refunds.insertRefunds(tx.sql, [{ ...paid, nextPollAt: ports.clock.now() }])
    return await settle(tx, ports, locked, paid, { kind: 'succeeded' })
  })
}

/** Finds the refund by our key or by the gateway's id. */
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
    await undoSuccess(tx, ports, locked, refund, outcome.code)
    reportOutcome(tx, ports, refund, outcome)
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
  reportOutcome(tx, ports, refund, outcome)
  return true
}

function reportOutcome(
  tx: Tx,
  { telemetry }: Pick<Ports, 'telemetry'>,
  { refundId, invoiceId }: Refund,
  outcome: Extract<RefundOutcome, { kind: 'succeeded' | 'failed' }>,
): void {
  const refunded: Refunded =
    outcome.kind === 'failed'
      ? { refundId, invoiceId, status: 'FAILED', reason: outcome.code }
      : { refundId, invoiceId, status: 'SUCCEEDED' }
  tx.afterCommit(() => telemetry?.refunded(refunded))
}

async function succeed(tx: Tx, ports: SettlePorts, locked: LockedInvoice, refund: Refund): Promise<void> {
  const { refundId, invoiceId, amount } = refund
  const { subscription, at } = locked
  await refunds.settleRefund(tx.sql, { refundId, status: 'SUCCEEDED', at })
  await addRefunded(tx.sql, { invoiceId, amount, at })
  const booked = bookRefund(await bookingOf(tx, ports, locked, { sourceId: refundId, amount }))
  await insertLedgerTransactions(tx.sql, [booked])
  const takenBack = await settleReturnedMoney(tx, ports, locked, refundId)
  const trigger = { kind: 'refundSucceeded', invoiceId } as const
  const change = decide(await loadState(tx.sql, subscription), trigger, freshIds(ports.newId), at)
  assert(!isRejection(change), 'a refund that happened is never rejected')
  await writeChanges(tx, ports, [change])
  const { organizationId, merchantType } = subscription
  // Credit that the refund takes back has its credit note already.
  const credited = { amount: amount - takenBack.amount, tax: amountOf(booked, 'TAX') - takenBack.tax }
  if (credited.amount > 0) {
    await issueCreditNote(tx.sql, {
      ...{ creditNoteId: ports.newId(), organizationId, merchantType, invoiceId, refundId, ...credited },
      ...{ businessId: refund.businessId, currency: refund.currency, createdAt: at },
    })
  }
  if (subscription.merchantType === 'TEST_MERCHANT') return
  const { businessId, subscriptionId } = subscription
  const source = { kind: 'REFUND', sourceId: refundId, sourceSeq: 0 } as const
  await recordMoneyMails(tx.sql, ports, [{ ...source, businessId, subscriptionId, invoiceId, occurredAt: at }])
}

async function fail(tx: Tx, ports: SettlePorts, { at }: LockedInvoice, refund: Refund, failure: string): Promise<void> {
  await refunds.settleRefund(tx.sql, { refundId: refund.refundId, status: 'FAILED', failure, at })
  if (refund.origin === 'LATE_SUCCESS') await retryOwed(tx, ports, refund, at)
}

/**
 * The bank returned the money days later, for instance because the card was closed. REFUND_SUCCESS was emitted
 * before.
 */
async function undoSuccess(
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
  await settleReturnedMoney(tx, ports, locked, refundId)
  await fail(tx, ports, locked, refund, failure)
}

/**
 * Schedules another refund of a late payment, with a new key and the amount that is still owed. The first may have failed because of a
 * refund at the gateway.
 */
async function retryOwed(tx: Tx, ports: SettlePorts, refund: Refund, at: Date): Promise<void> {
  const amount = Math.min(refund.amount, await refunds.findLeft(tx.sql, refund.invoiceId))
  if (amount === 0) return
  const failed = await refunds.countFailedOwed(tx.sql, refund.invoiceId)
  const nextPollAt = retryOwedAt(failed, ports.clock.now())
  if (nextPollAt === null) return
  const { invoiceId, businessId, currency, reason, origin } = refund
  const again = { refundId: ports.newId(), invoiceId, businessId, amount, currency, reason, origin }
  await refunds.insertRefunds(tx.sql, [{ ...pendingRefund(again, at), nextPollAt }])
}

/** A paid invoice whose money is returned, with its subscription. */
export interface LockedInvoice {
  readonly subscription: Subscription
  readonly invoice: Invoice
  /** Business time. */
  readonly at: Date
}

/** Locks the subscription first, like every use case. */
export async function lockPaidInvoice(
  tx: Tx,
  { clock }: Pick<Ports, 'clock'>,
  invoiceId: string,
): Promise<LockedInvoice> {
  const subscriptionId = (await findInvoice(tx.sql, invoiceId))?.subscriptionId
  assert(subscriptionId, 'returned money was paid for an invoice')
  const subscription = await lockSubscription(tx.sql, subscriptionId)
  assert(subscription, 'the subscription of a refund is never deleted')
  await lockCredits(tx.sql, [subscription])
  const invoice = await lockInvoice(tx.sql, invoiceId)
  assert(invoice, 'the invoice of a refund is never deleted')
  return { subscription, invoice, at: await nowOf(tx.sql, subscription, clock.now()) }
}

/** The fields that all bookings of returned money share. */
async function bookingOf(
  { sql }: Pick<Tx, 'sql'>,
  { newId }: Pick<Ports, 'newId'>,
  { subscription, invoice, at }: LockedInvoice,
  { sourceId, amount }: { sourceId: string; amount: number },
) {
  const { invoiceId, businessId, currency } = invoice
  const { organizationId } = subscription
  const booked = await findBookedCharge(sql, invoiceId)
  assert(booked, 'returned money was charged and booked before')
  const { shareBasisPoints, goneBefore, charged } = booked
  const taxBasis = invoice.tax === null ? undefined : (await findTaxBases(sql, [invoiceId])).get(invoiceId)
  const of = {
    invoiceId,
    businessId,
    organizationId,
    currency,
    ...(taxBasis === undefined ? {} : { charged, taxBasis }),
  }
  return { ...of, ledgerTransactionId: newId(), sourceId, amount, bookedAt: at, shareBasisPoints, goneBefore }
}

/** Credit that was taken back, and the tax in the credit. A negative amount was granted again. Minor units. */
interface TakenBack {
  readonly amount: number
  readonly tax: number
}

/**
 * Updates the books after a refund or dispute changed. Disputed money that no refund returned is charged back, and
 * credit that was granted for returned money is taken back.
 */
export async function settleReturnedMoney(
  tx: Tx,
  ports: Pick<Ports, 'newId'>,
  locked: LockedInvoice,
  sourceId: string,
): Promise<TakenBack> {
  const { subscription, invoice, at } = locked
  const { invoiceId } = invoice
  const owed = (await findInvoice(tx.sql, invoiceId))?.amountChargedBack ?? 0
  const more = owed - ((await findBookedCharge(tx.sql, invoiceId))?.chargedBack ?? 0)
  if (more !== 0) {
    const booking = await bookingOf(tx, ports, locked, { sourceId, amount: Math.abs(more) })
    await insertLedgerTransactions(tx.sql, [more > 0 ? bookChargeback(booking) : bookReturnedChargeback(booking)])
  }
  return await takeBackCredit(tx.sql, ports, { subscription, sourceId, invoiceId, at })
}

/**
 * Takes back credit of an invoice that was also returned in cash, by a refund at the gateway or by the payer's bank.
 * The balance may fall below 0, and the next grant fills it: no charge is made. The subscription, its credit balance
 * and the invoice must be locked.
 */
async function takeBackCredit(
  sql: Sql,
  { newId }: Pick<Ports, 'newId'>,
  {
    subscription,
    sourceId,
    invoiceId,
    at,
  }: { subscription: Subscription; sourceId: string; invoiceId: string; at: Date },
): Promise<TakenBack> {
  const nothing = { amount: 0, tax: 0 }
  const granted = await findMoved(sql, invoiceId, 'GRANT')
  const invoice = granted === 0 ? null : await findInvoice(sql, invoiceId)
  if (invoice === null) return nothing
  const takenBack = creditGivenTwice(granted, invoice)
  const more = takenBack - (await findMoved(sql, invoiceId, 'TAKE_BACK'))
  if (more === 0) return nothing
  const { businessId, organizationId, currency } = subscription
  const of = { businessId, organizationId, currency }
  await saveTakenBack(sql, { ...of, invoiceId, takenBack, more, at })
  const taxBasis = invoice.tax === null ? undefined : (await findTaxBases(sql, [invoiceId])).get(invoiceId)
  const taxed = taxBasis === undefined ? of : { ...of, taxBasis }
  const booking = { ...taxed, ledgerTransactionId: newId(), sourceId, invoiceId, bookedAt: at }
  const booked = more > 0 ? bookCreditUse({ ...booking, amount: more }) : bookCredit({ ...booking, amount: -more })
  await insertLedgerTransactions(sql, [booked])
  return { amount: more, tax: 0 - amountOf(booked, 'TAX') }
}
