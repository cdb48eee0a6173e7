import { addDays } from '../../core/calendar.ts'
import type { Ports } from '../../ports.ts'
import type { ProviderFailure, TaxProvider } from './provider.ts'
import {
  claimTaxRecords,
  findReversible,
  findTaxedSale,
  postponeTaxRecord,
  saveCalculation,
  saveReturn,
  saveSale,
  type TaxRecord,
} from './record-store.ts'

/** The batch fits into the lease. */
const BATCH = 20
/** Lease and retry interval in one. */
const RETRY_MS = 10 * 60_000
/** The provider rejected the record: a person must act. */
const REJECTED_RETRY_DAYS = 1

/**
 * Records bookings in the provider's books: money received as a transaction, money returned as reversals of the
 * transactions of its invoice. The bookings of an invoice are recorded in their order. The provider is called without an
 * open transaction; after a crash the call repeats under the same key. Returns the number of records.
 */
export async function recordTaxes(
  { db, clock, taxProvider, log }: Pick<Ports, 'db' | 'clock' | 'taxProvider' | 'log'>,
  isStopped: () => boolean = () => false,
): Promise<number> {
  if (taxProvider === undefined) return 0
  const now = clock.now()
  const claim = { now, until: new Date(now.getTime() + RETRY_MS), limit: BATCH }
  let recorded = 0
  for (const record of await claimTaxRecords(db.sql, claim)) {
    if (isStopped()) break
    const failure = await (record.amount > 0 ? recordSale : recordReturn)({ db, taxProvider }, record)
    if (failure === null) {
      recorded++
      continue
    }
    const { ledgerTransactionId } = record
    const nextAttemptAt = failure.kind === 'unavailable' ? claim.until : addDays(now, REJECTED_RETRY_DAYS)
    await postponeTaxRecord(db.sql, { ledgerTransactionId, problem: failure.reason, nextAttemptAt })
    log.warn({ ledgerTransactionId, reason: failure.reason }, 'a booking is not in the books of the tax provider yet')
    if (failure.kind === 'unavailable') break
  }
  return recorded
}

type Running = Pick<Ports, 'db'> & { readonly taxProvider: TaxProvider }

/** The calculation is stored before the transaction is made of it, so a repeated call has the same parameters. */
async function recordSale({ db, taxProvider }: Running, record: TaxRecord): Promise<ProviderFailure | null> {
  const { ledgerTransactionId, reference, bookedAt } = record
  let { calculationId } = record
  if (calculationId === undefined) {
    const calculated = await taxProvider.calculateSale(await findTaxedSale(db.sql, record))
    if (calculated.kind !== 'calculated') return calculated
    ;({ calculationId } = calculated)
    await saveCalculation(db.sql, { ledgerTransactionId, calculationId, providerTax: calculated.tax })
  }
  const outcome = await taxProvider.recordSale({ calculationId, reference, bookedAt })
  if (outcome.kind !== 'recorded') return outcome
  await saveSale(db.sql, { ledgerTransactionId, providerId: outcome.providerId })
  return null
}

/** Reverses the transactions of the invoice one after another, oldest first, until the amount is returned. */
async function recordReturn({ db, taxProvider }: Running, record: TaxRecord): Promise<ProviderFailure | null> {
  const { ledgerTransactionId, invoiceId, currency } = record
  for (let left = -record.amount - record.recorded; left > 0; ) {
    const sale = await findReversible(db.sql, invoiceId)
    if (sale === null) return { kind: 'rejected', reason: 'nothing_to_reverse' }
    const amount = Math.min(left, sale.reversible)
    const outcome = await taxProvider.recordReturn({
      ...{ providerId: sale.providerId, amount, currency },
      reference: `${record.reference}/${sale.ledgerTransactionId}`,
    })
    if (outcome.kind !== 'recorded') return outcome
    const before = -record.amount - left
    left -= amount
    await db.transaction(({ sql }) =>
      saveReturn(sql, {
        ...{ ledgerTransactionId, saleId: sale.ledgerTransactionId, before, amount, isLast: left === 0 },
        providerTax: outcome.tax,
      }),
    )
  }
  return null
}
