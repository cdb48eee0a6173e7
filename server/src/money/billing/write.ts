import { signed } from '../../core/credit.ts'
import { amountOf, bookCredit, bookCreditUse } from '../../core/ledger.ts'
import { pendingRefund } from '../../core/refund.ts'
import type { Change } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { pipeline } from '../../platform/db/sql.ts'
import type { Ports, Telemetry } from '../../ports.ts'
import { recordNotifications } from '../../webhooks/notifications/record.ts'
import { insertCharges, pollAskedCharges } from '../charges/store.ts'
import { moveCredits } from '../credits/store.ts'
import { issueCreditNote } from '../documents/credit-notes.ts'
import { closeInvoices, insertInvoices } from '../invoices/store.ts'
import { findTaxBases, insertLedgerTransactions } from '../ledger/store.ts'
import { recordEventMails } from '../mails/record.ts'
import { findDefaultPaymentMethods } from '../payment-methods/store.ts'
import { insertRefunds } from '../refunds/store.ts'
import { recordTrials, saveSubscriptions } from '../subscriptions/store.ts'

export type WritePorts = Pick<Ports, 'clock' | 'newId' | 'settings' | 'wake' | 'telemetry'>

/**
 * Writes changes in the caller's transaction, with one statement per table. The subscriptions must be locked or new.
 */
export async function writeChanges(tx: Tx, ports: WritePorts, changes: readonly Change[]): Promise<void> {
  await pipeline([
    saveSubscriptions(
      tx.sql,
      changes.map(change => change.subscription),
    ),
    writeEffects(tx, ports, changes),
  ])
}

/** Writes everything but the subscriptions. */
export async function writeEffects(tx: Tx, ports: WritePorts, changes: readonly Change[]): Promise<void> {
  const [methods] = await pipeline([
    findMethods(tx.sql, changes),
    recordTrials(
      tx.sql,
      changes.map(({ subscription }) => subscription),
    ),
    closeInvoices(tx.sql, changes.flatMap(closedBefore)),
    withdrawAwaited(tx, ports, changes),
    recordNotifications(
      tx,
      ports,
      changes.flatMap(change => change.events),
    ),
    recordEventMails(
      tx.sql,
      ports,
      changes.flatMap(change => change.events),
    ),
  ])
  // Late on purpose: the counters of invoice numbers stay locked until the commit.
  await insertInvoices(tx.sql, changes.flatMap(issuedNow))
  await writeCredits(tx.sql, ports, changes)
  await writeCharges(tx, ports, changes, methods)
  await writeRefunds(tx, ports, changes)
  if (ports.telemetry) reportAfterCommit(tx, ports.telemetry, changes)
}

function reportAfterCommit(tx: Tx, watch: Telemetry, changes: readonly Change[]): void {
  const billed = changes
    .filter(({ events, issued }) => events.length + issued.length > 0)
    .map(({ subscription: { subscriptionId, businessId, appId }, events, issued }) => ({
      ...{ subscriptionId, businessId, appId },
      events: events.map(({ eventType }) => eventType),
      issued: issued.map(({ invoiceId, periodIndex }) => ({ invoiceId, periodIndex })),
    }))
  if (billed.length > 0) tx.afterCommit(() => watch.billed(billed))
}

/** Older invoices that this change closes. */
function closedBefore({ closed, issued, subscription }: Change) {
  const fresh = new Set(issued.map(({ invoiceId }) => invoiceId))
  return closed
    .filter(({ invoiceId }) => !fresh.has(invoiceId))
    .map(invoice => ({ ...invoice, at: subscription.updatedAt }))
}

/** A catch-up may open a period and then end the subscription: such an invoice is inserted closed. */
function issuedNow({ subscription, issued, closed }: Change) {
  return issued.map(invoice => ({
    ...invoice,
    merchantType: subscription.merchantType,
    status: closed.find(({ invoiceId }) => invoiceId === invoice.invoiceId)?.status ?? ('OPEN' as const),
  }))
}

/** Credit movements refer to invoices, so they follow. Most batches have none. */
async function writeCredits(sql: Sql, { newId }: WritePorts, changes: readonly Change[]): Promise<void> {
  const moved = changes.flatMap(({ subscription, credits }) => {
    const { businessId, organizationId, currency, merchantType, updatedAt: at } = subscription
    return credits.map(movement => ({ ...movement, businessId, organizationId, currency, merchantType, at }))
  })
  if (moved.length === 0) return
  await moveCredits(sql, moved)
  const bases = await findTaxBases(
    sql,
    moved.map(({ invoiceId }) => invoiceId),
  )
  const booked = moved.map(movement => {
    const { at: bookedAt, kind, merchantType: _, ...rest } = movement
    const taxBasis = bases.get(movement.invoiceId)
    const taxed = taxBasis === undefined ? rest : { ...rest, taxBasis }
    const booking = { ...taxed, ledgerTransactionId: newId(), sourceId: movement.invoiceId, bookedAt }
    // One change may issue an invoice and close it again.
    if (taxBasis) bases.set(movement.invoiceId, { ...taxBasis, held: taxBasis.held - signed(movement) })
    return { movement, transaction: kind === 'USE' ? bookCreditUse(booking) : bookCredit(booking) }
  })
  await insertLedgerTransactions(
    sql,
    booked.map(({ transaction }) => transaction),
  )
  // Decisions 6, Tax: "A refund or credit after issue makes a credit note".
  for (const { movement, transaction } of booked) {
    if (movement.kind !== 'GRANT') continue
    const { kind: _, at: createdAt, ...note } = movement
    await issueCreditNote(sql, {
      ...note,
      ...{ creditNoteId: newId(), refundId: null, tax: amountOf(transaction, 'TAX'), createdAt },
    })
  }
}

/**
 * After the end a charge that waits for the payer is polled at once, and cancelled. A charge that was not sent finds
 * its invoice closed and is withdrawn.
 */
async function withdrawAwaited(tx: Tx, { clock, wake }: WritePorts, changes: readonly Change[]): Promise<void> {
  const ended = changes.filter(({ subscription }) => subscription.status === 'ENDED')
  const chargeIds = ended.flatMap(({ subscription }) => subscription.awaitedChargeId ?? [])
  if (chargeIds.length === 0) return
  await pollAskedCharges(tx.sql, { chargeIds, nextPollAt: clock.now() })
  tx.afterCommit(() => wake.charges())
}

/** Finds the default payment methods of the businesses that are charged. */
async function findMethods(sql: Sql, changes: readonly Change[]): Promise<ReadonlyMap<string, string>> {
  const charging = changes.filter(({ charges }) => charges.length > 0)
  if (charging.length === 0) return new Map()
  return await findDefaultPaymentMethods(sql, [...new Set(charging.map(({ subscription }) => subscription.businessId))])
}

async function writeCharges(
  tx: Tx,
  { clock, wake }: WritePorts,
  changes: readonly Change[],
  methods: ReadonlyMap<string, string>,
): Promise<void> {
  const charging = changes.filter(({ charges }) => charges.length > 0)
  if (charging.length === 0) return
  const nextPollAt = clock.now()
  const charges = charging.flatMap(({ subscription, charges }) => {
    const { subscriptionId, appId, businessId, merchantType, testClockId, currency } = subscription
    const paymentMethodId = methods.get(businessId)
    return charges.map(charge => ({
      ...charge,
      ...{ subscriptionId, appId, businessId, merchantType },
      ...(testClockId === undefined ? {} : { testClockId }),
      ...(paymentMethodId === undefined ? {} : { paymentMethodId }),
      currency,
      startedAt: subscription.updatedAt,
      nextPollAt,
    }))
  })
  await insertCharges(tx.sql, charges)
  tx.afterCommit(() => wake.charges())
}

async function writeRefunds(tx: Tx, { clock, wake }: WritePorts, changes: readonly Change[]): Promise<void> {
  const nextPollAt = clock.now()
  const refunds = changes.flatMap(({ subscription: { businessId, currency, updatedAt }, refunds }) => {
    const late = { reason: 'The payment arrived after the subscription had ended.', origin: 'LATE_SUCCESS' } as const
    return refunds.map(refund => ({
      ...pendingRefund({ ...refund, ...late, businessId, currency }, updatedAt),
      nextPollAt,
    }))
  })
  if (refunds.length === 0) return
  await insertRefunds(tx.sql, refunds)
  tx.afterCommit(() => wake.refunds())
}
