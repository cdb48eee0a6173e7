import { addDays } from '../../core/calendar.ts'
import type { TaxIdStatus } from '../../core/tax-id.ts'
import type { Ports } from '../../ports.ts'
import { claimDueTaxIds, saveTaxIdStatus } from '../businesses/tax-id-store.ts'

/** VIES limits concurrent requests, so the job asks about one id at a time. The batch fits into the lease. */
const BATCH = 20
/** Lease and retry interval in one. */
const RETRY_MS = 15 * 60_000
const RECHECK_DAYS = { VALID: 30, INVALID: 1 } as const satisfies Record<TaxIdStatus, number>

/** Asks the service about the tax ids that are due, and saves each answer. Returns the number of claimed ids. */
export async function checkTaxIds(
  { db, clock, taxIds, log }: Pick<Ports, 'db' | 'clock' | 'taxIds' | 'log'>,
  isStopped: () => boolean = () => false,
): Promise<number> {
  if (taxIds === undefined) return 0
  const now = clock.now()
  const due = await claimDueTaxIds(db.sql, { now, until: new Date(now.getTime() + RETRY_MS), limit: BATCH })
  let unavailable = 0
  for (const claimed of due) {
    if (isStopped()) break
    const status = await taxIds.check(claimed)
    if (status === 'UNAVAILABLE') unavailable++
    else await saveTaxIdStatus(db.sql, { ...claimed, status, checkAt: addDays(clock.now(), RECHECK_DAYS[status]) })
  }
  if (unavailable > 0) log.warn({ unavailable, of: due.length }, 'the service for tax ids did not answer')
  return due.length
}

/** A service that knows which tax ids exist. */
export interface TaxIds {
  /** UNAVAILABLE: the service gave no answer about the id. Never rejects because of the service or the network. */
  check(taxId: CountryTaxId): Promise<TaxIdStatus | 'UNAVAILABLE'>
}

interface CountryTaxId {
  /** ISO 3166-1 alpha-2: a member state of the European Union. */
  readonly country: string
  /** Normalised, with the prefix of the country. */
  readonly taxId: string
}
