import { assert } from '../../core/assert.ts'
import { askUntil, isPolledForAMinute, POLL_LEASE_MS } from '../../core/charge.ts'
import { operatorShare } from '../../core/operator-share.ts'
import { pendingRefund, type Refund, refundableAmount } from '../../core/refund.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts'
import type { Ports } from '../../ports.ts'
import { type ChargeObject, findChargeObject } from '../charges/store.ts'
import { findMoved } from '../credits/store.ts'
import { type Gateway, GatewayUnreachable, type RefundOutcome } from '../gateway/gateway.ts'
import { findInvoice, type Invoice, lockInvoice } from '../invoices/store.ts'
import { findBookedCharge } from '../ledger/store.ts'
import {
  claimRefunds,
  findRefundsOfInvoices,
  insertRefunds,
  lockWaitingOwed,
  postponeRefund,
  quarantineRefund,
  sumPendingRefunds,
} from '../refunds/store.ts'
import { findSubscription } from '../subscriptions/store.ts'
import type { CollectPorts } from './collect.ts'
import { nowOf } from './load.ts'
import { ourRefund, settleRefund } from './money-back.ts'
import { reconcile } from './reconcile.ts'

interface RefundInput {
  readonly businessId: string
  readonly invoiceId: string
  /** Only an invoice of an app of this organization. */
  readonly organizationId?: string
  /** Minor units. Absent: everything that is left. */
  readonly amount?: number
  readonly reason?: string
  /** Id of a form that may be sent twice: the second submission finds the first refund. */
  readonly refundId?: string
}

/**
 * Orders a refund. The refund is PENDING until the gateway answers. A late payment that waits for another refund
 * attempt is refunded at once instead of twice. Source: decisions 6, Refund.
 */
export async function refund(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'wake'>,
  input: RefundInput,
): Promise<Refund | Rejection> {
  return await ports.db.transaction(async tx => {
    const invoice = await lockOwnInvoice(tx.sql, input)
    if (isRejection(invoice)) return invoice
    const sent = (await findRefundsOfInvoices(tx.sql, [invoice.invoiceId])).find(
      ({ refundId }) => refundId === input.refundId,
    )
    if (sent !== undefined) return sent
    const now = ports.clock.now()
    const waiting = await lockWaitingOwed(tx.sql, { invoiceId: invoice.invoiceId, now })
    if (waiting !== null && (input.amount ?? waiting.amount) === waiting.amount) {
      await postponeRefund(tx.sql, { refundId: waiting.refundId, nextPollAt: now })
      tx.afterCommit(() => ports.wake.refunds())
      return waiting
    }
    const amount = await refundableOf(tx.sql, invoice, input.amount)
    if (isRejection(amount)) return amount
    const subscription = await findSubscription(tx.sql, invoice.subscriptionId)
    assert(subscription, 'an invoice has a subscription')
    const createdAt = await nowOf(tx.sql, subscription, now)
    const { invoiceId, businessId, currency } = invoice
    const { refundId = ports.newId(), reason = '' } = input
    const ordered = { refundId, invoiceId, businessId, amount, currency, reason, origin: 'API' } as const
    const made = pendingRefund(ordered, createdAt)
    await insertRefunds(tx.sql, [{ ...made, nextPollAt: now }])
    tx.afterCommit(() => ports.wake.refunds())
    return made
  })
}

/** Minor units of the invoice's currency. */
export interface RefundPreview {
  readonly amount: number
  /** The part that the organization returns. */
  readonly organization: number
  /** The part that the operator returns: its share of the amount. */
  readonly operator: number
}

/** The effect of a refund by the same checks. Stores nothing. */
export async function previewRefund(
  { db, settings }: Pick<Ports, 'db' | 'settings'>,
  input: RefundInput,
): Promise<RefundPreview | Rejection> {
  return await db.transaction(async ({ sql }) => {
    const invoice = await lockOwnInvoice(sql, input)
    if (isRejection(invoice)) return invoice
    const amount = await refundableOf(sql, invoice, input.amount)
    if (isRejection(amount)) return amount
    const pending = await sumPendingRefunds(sql, invoice.invoiceId)
    const booked = await findBookedCharge(sql, invoice.invoiceId)
    const { shareBasisPoints, goneBefore } = booked ?? { shareBasisPoints: settings.operatorShare, goneBefore: 0 }
    const before = goneBefore + pending
    const operator = operatorShare(before + amount, shareBasisPoints) - operatorShare(before, shareBasisPoints)
    return { amount, organization: amount - operator, operator }
  })
}

async function lockOwnInvoice(
  sql: Sql,
  { invoiceId, businessId, organizationId }: RefundInput,
): Promise<Invoice | Rejection> {
  const invoice = await lockInvoice(sql, invoiceId)
  const isForeign = organizationId !== undefined && invoice?.organizationId !== organizationId
  if (invoice !== null && invoice.businessId === businessId && !isForeign) return invoice
  return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this invoiceId.')
}

/** The refundable amount of a locked invoice. */
export async function refundableOf(sql: Sql, invoice: Invoice, asked: number | undefined): Promise<number | Rejection> {
  const pendingRefunds = await sumPendingRefunds(sql, invoice.invoiceId)
  const creditGranted = await findMoved(sql, invoice.invoiceId, 'GRANT')
  return refundableAmount({ ...invoice, pendingRefunds, creditGranted }, asked)
}

const AT_ONCE = 8

/**
 * Claims refunds, sends them to their gateways and settles the outcomes. Returns the number of claimed refunds; call
 * again until 0.
 */
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
 * A refund beyond the payment means that an earlier refund was returned and no event reported it. The reconciliation books that return before the
 * refund is ordered.
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

/** The key is the refund's id, so a repeated call after a crash returns the first answer. */
async function ask(
  gateway: Gateway | undefined,
  { gatewayChargeId }: ChargeObject,
  refund: Refund,
  until: Date,
): Promise<RefundOutcome> {
  if (gateway === undefined) return { kind: 'unknown', reason: 'gateway_not_configured' }
  const key = refund.refundId
  // A refund that was made at the gateway is looked up, never ordered.
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
