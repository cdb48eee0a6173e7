import { type Charge, isSettled } from '../../core/charge.ts'
import { entriesOfFee } from '../../core/ledger.ts'
import type { Refund } from '../../core/refund.ts'
import type { Sql } from '../../platform/db/db.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices, findInvoiceOfObject } from '../charges/store.ts'
import type { Gateway, GatewayFee, GatewayName, MoneyAtGateway, RefundAtGateway } from '../gateway/gateway.ts'
import { findInvoice } from '../invoices/store.ts'
import { findChargeWithoutFee, insertChargeFee } from '../ledger/store.ts'
import { findRefundsOfInvoices } from '../refunds/store.ts'
import { resultOf } from './charge-submitter.ts'
import { type DisputePorts, settleDispute } from './dispute.ts'
import { applyGatewayRefund, ourRefund, settleRefund } from './money-back.ts'
import { settle } from './settle.ts'

/**
 * Discrepancies between our books of a charge object and the gateway's that polling cannot repair. For the operator.
 */
export const DISCREPANCY_KINDS = [
  'CHARGE_OBJECT_UNKNOWN',
  'CHARGE_OBJECT_NOT_AT_GATEWAY',
  'CHARGE_NOT_AT_GATEWAY',
  'CHARGE_NOT_OURS',
  'AMOUNT_DIFFERS',
  'REFUND_NOT_AT_GATEWAY',
  'REFUND_SUCCEEDED_AFTER_ALL',
  'DISPUTED',
  'DISPUTE_LOST',
  'NOT_COMPARED',
] as const
type DiscrepancyKind = (typeof DISCREPANCY_KINDS)[number]

interface Discrepancy {
  readonly kind: DiscrepancyKind
  /** Both sides, in English. */
  readonly detail: string
}

export interface ReconcileResult {
  /** Absent: the object is unknown here. */
  readonly invoiceId?: string
  /** The number of outcomes that were missing and are applied now. */
  readonly repaired: number
  readonly discrepancies: readonly Discrepancy[]
}

interface Ours {
  readonly charges: readonly Charge[]
  readonly refunds: readonly Refund[]
}

const NOTHING_OF_OURS: ReconcileResult = { repaired: 0, discrepancies: [] }

/**
 * Compares our books of a charge object with the gateway's. Missing outcomes are applied like the outcome of any poll; other discrepancies
 * are reported. Books the gateway's fee. Only a chargeback reverses a booking. Safe in any order and any number of times.
 */
export async function reconcile(
  ports: DisputePorts,
  gateway: Gateway,
  gatewayChargeId: string,
): Promise<ReconcileResult> {
  const { sql } = ports.db
  const invoiceId = await findInvoiceOfObject(sql, { gateway: gateway.name, gatewayChargeId })
  // Our books are read first: the gateway knows everything in them a moment later.
  const ours = invoiceId === null ? null : await readOurs(sql, invoiceId)
  const theirs = await gateway.findMoney(gatewayChargeId)
  if (invoiceId === null || ours === null) return await strange(sql, theirs)
  if (theirs === null) {
    const detail = `The ${gateway.name} gateway has no ${gatewayChargeId}.`
    return { invoiceId, repaired: 0, discrepancies: [{ kind: 'CHARGE_OBJECT_NOT_AT_GATEWAY', detail }] }
  }
  const looked = { gateway, gatewayChargeId, charges: ours.charges }
  const repaired =
    (await repairCharges(ports, looked, theirs)) +
    (await repairRefunds(ports, invoiceId, ours, theirs)) +
    (await repairDisputes(ports, { invoiceId, gateway: gateway.name }, theirs))
  if (theirs.fee !== undefined) await bookChargeFee(ports, { invoiceId, fee: theirs.fee })
  const discrepancies = [
    ...chargeDiscrepancies(ours.charges, theirs, await isPaid(sql, invoiceId)),
    ...refundDiscrepancies(ours, theirs),
    ...disputesToShow(theirs, ports.clock.now()),
  ]
  return { invoiceId, repaired, discrepancies }
}

/**
 * Books the gateway's fee of the charge of an invoice, once per charge: a unique key decides between two calls at once.
 * A fee that a crash left unbooked is booked by the next comparison with the gateway. The fee has the time of its booking,
 * so a CLOSED month never changes. Source: decisions 6, "Payouts".
 */
async function bookChargeFee(
  { db, clock, newId, settings }: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>,
  { invoiceId, fee }: { invoiceId: string; fee: GatewayFee },
): Promise<void> {
  const { amount, currency } = fee
  if (amount <= 0) return
  const charge = await findChargeWithoutFee(db.sql, invoiceId)
  if (charge === null) return
  const payer = settings.developersPayFees === true ? 'ORGANIZATION' : 'OPERATOR'
  const entries = entriesOfFee({ payer, organizationId: charge.organizationId, amount })
  const booking = { ...charge, currency, entries, ledgerTransactionId: newId(), bookedAt: clock.now() }
  await insertChargeFee(db.sql, booking)
}

async function readOurs(sql: Sql, invoiceId: string): Promise<Ours> {
  return {
    charges: await findChargesOfInvoices(sql, [invoiceId]),
    refunds: await findRefundsOfInvoices(sql, [invoiceId]),
  }
}

/** The object was made here and a crash lost its id, or it belongs to another user of the gateway account. */
async function strange(sql: Sql, theirs: MoneyAtGateway | null): Promise<ReconcileResult> {
  // A cancelled object was replaced, or will be.
  if (theirs?.isCancelled) return NOTHING_OF_OURS
  if (theirs?.invoiceId === undefined || !/^[0-9a-f-]{36}$/.test(theirs.invoiceId)) return NOTHING_OF_OURS
  if ((await findInvoice(sql, theirs.invoiceId)) === null) return NOTHING_OF_OURS
  const detail = `The charge names an invoice of Tillhook, but the invoice does not name the charge. Taken: ${theirs.charged} ${theirs.currency}.`
  return { invoiceId: theirs.invoiceId, repaired: 0, discrepancies: [{ kind: 'CHARGE_OBJECT_UNKNOWN', detail }] }
}

interface Looked {
  readonly gateway: Gateway
  readonly gatewayChargeId: string
  readonly charges: readonly Charge[]
}

async function repairCharges(ports: DisputePorts, looked: Looked, theirs: MoneyAtGateway): Promise<number> {
  const { gateway, gatewayChargeId, charges } = looked
  if (charges.some(({ status }) => status === 'SUCCEEDED')) return 0
  let repaired = 0
  // Newest first. A settled charge matters only if it was paid after all.
  for (const charge of charges.toReversed()) {
    if (charge.pollCount === 0 || (isSettled(charge.status) && theirs.charged === 0)) continue
    const seen = await gateway.findConfirmation({ gatewayChargeId, key: charge.chargeId })
    if (seen === null || seen.kind === 'unknown') continue
    if (isSettled(charge.status) && seen.kind !== 'succeeded') continue
    await settle(ports, [{ charge, result: resultOf(seen) }])
    if (seen.kind !== 'pending' && seen.kind !== 'actionRequired') repaired++
    if (seen.kind === 'succeeded') break
  }
  return repaired
}

async function repairRefunds(
  ports: DisputePorts,
  invoiceId: string,
  { refunds }: Ours,
  theirs: MoneyAtGateway,
): Promise<number> {
  let repaired = 0
  const failures: unknown[] = []
  for (const made of theirs.refunds.toSorted(failedFirst)) {
    const known = ourRefund(refunds, made)
    // A pending refund belongs to the process that claimed it, unless the gateway has decided.
    if (known?.status === 'PENDING' && made.outcome.kind === 'pending') continue
    try {
      const hasChanged = known
        ? await settleRefund(ports, known, made.outcome)
        : await applyGatewayRefund(ports, { invoiceId, made })
      if (hasChanged) repaired++
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return repaired
}

/** Returned money may have been refunded again: without the failure, the second refund would exceed the payment. */
function failedFirst(a: RefundAtGateway, b: RefundAtGateway): number {
  return Number(b.outcome.kind === 'failed') - Number(a.outcome.kind === 'failed')
}

async function repairDisputes(
  ports: DisputePorts,
  of: { invoiceId: string; gateway: GatewayName },
  { disputes }: MoneyAtGateway,
): Promise<number> {
  let repaired = 0
  for (const made of disputes) if (await settleDispute(ports, { ...of, made })) repaired++
  return repaired
}

async function isPaid(sql: Sql, invoiceId: string): Promise<boolean> {
  const charges = await findChargesOfInvoices(sql, [invoiceId])
  return charges.some(charge => charge.status === 'SUCCEEDED' || !isSettled(charge.status))
}

function* chargeDiscrepancies(
  charges: readonly Charge[],
  theirs: MoneyAtGateway,
  isPaidOrTried: boolean,
): Generator<Discrepancy> {
  const paid = charges.find(({ status }) => status === 'SUCCEEDED')
  const taken = `${theirs.charged} ${theirs.currency}`
  if (paid && theirs.charged === 0) {
    yield {
      kind: 'CHARGE_NOT_AT_GATEWAY',
      detail: `We have ${paid.amount} ${paid.currency}, the gateway took nothing.`,
    }
  } else if (paid && (paid.amount !== theirs.charged || paid.currency !== theirs.currency)) {
    yield { kind: 'AMOUNT_DIFFERS', detail: `We have ${paid.amount} ${paid.currency}, the gateway took ${taken}.` }
  } else if (!paid && theirs.charged > 0 && !isPaidOrTried) {
    yield { kind: 'CHARGE_NOT_OURS', detail: `The gateway took ${taken}, but Tillhook made no such attempt.` }
  }
}

/** A bank decides within three months. A lost dispute is reported and polled daily for about twice that time. */
const LOST_FOR_MS = 180 * 86_400_000

/** An open dispute needs an answer. A lost dispute has cost money and may still be won. */
function disputesToShow({ disputes, charged, refunds, currency }: MoneyAtGateway, now: Date): Discrepancy[] {
  if (disputes.some(({ status }) => status === 'open')) {
    return [{ kind: 'DISPUTED', detail: `The payer's bank asks for it back. Send evidence.` }]
  }
  const lost = disputes.filter(({ status }) => status === 'lost')
  if (!lost.some(({ beganAt }) => now.getTime() - beganAt.getTime() <= LOST_FOR_MS)) return []
  const taken = lost.reduce((sum, { amount }) => sum + amount, 0)
  const refunded = refunds.reduce((sum, { amount, outcome }) => sum + (outcome.kind === 'succeeded' ? amount : 0), 0)
  const tooMuch = taken + refunded - charged
  const detail = `The payer's bank took back ${taken} ${currency}. It is booked as charged back`
  if (tooMuch <= 0) return [{ kind: 'DISPUTE_LOST', detail: `${detail}.` }]
  return [{ kind: 'DISPUTE_LOST', detail: `${detail}, but for ${tooMuch}: that much had been refunded as well.` }]
}

function* refundDiscrepancies({ refunds }: Ours, theirs: MoneyAtGateway): Generator<Discrepancy> {
  for (const refund of refunds) {
    if (refund.origin === 'OUT_OF_BAND') continue
    const made = theirs.refunds.find(one => ourRefund([refund], one))
    const what = `refund ${refund.refundId} of ${refund.amount} ${refund.currency}`
    if (refund.status === 'SUCCEEDED' && made === undefined) {
      yield { kind: 'REFUND_NOT_AT_GATEWAY', detail: `The gateway does not have our ${what}.` }
    } else if (refund.status === 'FAILED' && made?.outcome.kind === 'succeeded') {
      yield { kind: 'REFUND_SUCCEEDED_AFTER_ALL', detail: `Our ${what} failed, and is made at the gateway.` }
    } else if (made && made.amount !== refund.amount) {
      yield { kind: 'AMOUNT_DIFFERS', detail: `Our ${what} is one of ${made.amount} at the gateway.` }
    }
  }
}
