import { type Charge, isSettled } from '../../core/charge.ts'
import type { Refund } from '../../core/refund.ts'
import type { Sql } from '../../platform/db/db.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices, findInvoiceOfObject } from '../charges/store.ts'
import type { Gateway, GatewayName, MoneyAtGateway, RefundAtGateway } from '../gateway/gateway.ts'
import { findInvoice } from '../invoices/store.ts'
import { findRefundsOfInvoices } from '../refunds/store.ts'
import { resultOf } from './charge-submitter.ts'
import { applyGatewayRefund, ourRefund, settleDispute, settleRefund } from './money-back.ts'
import { settle } from './settle.ts'
import type { WritePorts } from './write.ts'

/** How our books of a charge object and the gateway's can differ in ways that no look-up mends. For people. */
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
  /** What there is on each side, in English. */
  readonly detail: string
}

export interface ReconcileResult {
  /** Absent: it is nothing of ours. */
  readonly invoiceId?: string
  /** Outcomes that we had missed, and have now. */
  readonly repaired: number
  readonly discrepancies: readonly Discrepancy[]
}

type ReconcilePorts = WritePorts & Pick<Ports, 'db'>

interface Ours {
  readonly charges: readonly Charge[]
  readonly refunds: readonly Refund[]
}

const NOTHING_OF_OURS: ReconcileResult = { repaired: 0, discrepancies: [] }

/**
 * Holds our books of one charge object against the gateway's. An outcome that we missed is taken in as any look-up's would be;
 * what is left is told. Nothing of ours is ever unbooked here, but for what the payer's bank took back. In any order, and any number of times, it ends the same.
 */
export async function reconcile(
  ports: ReconcilePorts,
  gateway: Gateway,
  gatewayChargeId: string,
): Promise<ReconcileResult> {
  const { sql } = ports.db
  const invoiceId = await findInvoiceOfObject(sql, { gateway: gateway.name, gatewayChargeId })
  // Ours are read first: what we know to have happened, the gateway must know a moment later.
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
  const discrepancies = [
    ...chargeDiscrepancies(ours.charges, theirs, await isPaid(sql, invoiceId)),
    ...refundDiscrepancies(ours, theirs),
    ...disputesToShow(theirs, ports.clock.now()),
  ]
  return { invoiceId, repaired, discrepancies }
}

async function readOurs(sql: Sql, invoiceId: string): Promise<Ours> {
  return {
    charges: await findChargesOfInvoices(sql, [invoiceId]),
    refunds: await findRefundsOfInvoices(sql, [invoiceId]),
  }
}

/** We made it, and did not get to store its id; or it is somebody else's, who shares the account. */
async function strange(sql: Sql, theirs: MoneyAtGateway | null): Promise<ReconcileResult> {
  // What was cancelled there has been followed by another, or will be.
  if (theirs?.isCancelled) return NOTHING_OF_OURS
  if (theirs?.invoiceId === undefined || !/^[0-9a-f-]{36}$/.test(theirs.invoiceId)) return NOTHING_OF_OURS
  if ((await findInvoice(sql, theirs.invoiceId)) === null) return NOTHING_OF_OURS
  const detail = `It names an invoice of ours, which does not name it. Taken: ${theirs.charged} ${theirs.currency}.`
  return { invoiceId: theirs.invoiceId, repaired: 0, discrepancies: [{ kind: 'CHARGE_OBJECT_UNKNOWN', detail }] }
}

interface Looked {
  readonly gateway: Gateway
  readonly gatewayChargeId: string
  readonly charges: readonly Charge[]
}

async function repairCharges(ports: ReconcilePorts, looked: Looked, theirs: MoneyAtGateway): Promise<number> {
  const { gateway, gatewayChargeId, charges } = looked
  if (charges.some(({ status }) => status === 'SUCCEEDED')) return 0
  let repaired = 0
  // The newest first. What is settled is of interest only when money came nonetheless.
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
  ports: ReconcilePorts,
  invoiceId: string,
  { refunds }: Ours,
  theirs: MoneyAtGateway,
): Promise<number> {
  let repaired = 0
  const failures: unknown[] = []
  for (const made of theirs.refunds.toSorted(failedFirst)) {
    const known = ourRefund(refunds, made)
    // One that is on its way: whoever holds it takes in its answer, unless the gateway has one already.
    if (known?.status === 'PENDING' && made.outcome.kind === 'pending') continue
    try {
      const hasChanged = known
        ? await settleRefund(ports, known, made.outcome)
        : await applyGatewayRefund(ports, { invoiceId, made })
      if (hasChanged) repaired++
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // The others do not wait for it.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return repaired
}

/** Money that came back may have gone again: without the first, the second would be more than was paid. */
function failedFirst(a: RefundAtGateway, b: RefundAtGateway): number {
  return Number(b.outcome.kind === 'failed') - Number(a.outcome.kind === 'failed')
}

async function repairDisputes(
  ports: ReconcilePorts,
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
    yield { kind: 'CHARGE_NOT_OURS', detail: `The gateway took ${taken}, by no try of ours.` }
  }
}

/** A bank takes up to three months to decide; one that was lost is told of for about as long again, and looked at each day meanwhile. */
const LOST_FOR_MS = 180 * 86_400_000

/** For people: one is to be answered, the other has cost something, and may still be given back. */
function disputesToShow({ disputes, charged, refunds, currency }: MoneyAtGateway, now: Date): Discrepancy[] {
  if (disputes.some(({ status }) => status === 'open')) {
    return [{ kind: 'DISPUTED', detail: `The payer's bank asks for it back. Answer it at the gateway.` }]
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
