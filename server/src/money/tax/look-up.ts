import { type AddressRate, dayOf, daysToAsk, withAnswer } from '../../core/address-rate.ts'
import { addDays, startOfDay } from '../../core/calendar.ts'
import {
  claimDueTaxRates,
  type RatedAddress,
  requestTaxRates,
  scheduleTaxRate,
} from '../../merchants/businesses/tax-rate-store.ts'
import type { Ports } from '../../ports.ts'
import { findAddressTax, findRenewing, saveAddressTax } from './address-store.ts'
import type { RateAnswer, TaxProvider } from './provider.ts'
import { findCountriesByAddress } from './store.ts'

/** One call after another: a process stays below Stripe's 25 calls a second in test mode. The batch fits into the lease. */
const BATCH = 20
/** Lease and retry interval in one. */
const RETRY_MS = 15 * 60_000
/** A purchase between two renewals uses the last answer. */
const RECHECK_DAYS = 30
/** An address that the provider cannot locate. */
const INVALID_RECHECK_DAYS = 1

type LookUpPorts = Pick<Ports, 'db' | 'clock' | 'taxProvider' | 'log'>

/**
 * Asks the provider for the rates of the addresses that are due, without an open transaction, and saves each answer.
 * Without an answer the batch ends, and the look-ups repeat after the lease. Returns the number of answers.
 */
export async function lookUpTaxRates(
  { db, clock, taxProvider, log }: LookUpPorts,
  isStopped: () => boolean = () => false,
): Promise<number> {
  if (taxProvider === undefined) return 0
  const countries = await findCountriesByAddress(db.sql)
  if (countries.length === 0) return 0
  const now = clock.now()
  const claim = { countries, now, until: new Date(now.getTime() + RETRY_MS), limit: BATCH }
  let answered = 0
  for (const claimed of await claimDueTaxRates(db.sql, claim)) {
    if (isStopped()) break
    const reason = await lookUp({ db, clock, taxProvider }, claimed)
    if (reason !== null) {
      log.warn({ reason }, 'the provider of tax rates did not answer')
      break
    }
    answered++
  }
  return answered
}

/** Asks for each day without an answer. Returns null, or the reason why the provider gave none. */
async function lookUp(
  { db, clock, taxProvider }: Pick<Ports, 'db' | 'clock'> & { readonly taxProvider: TaxProvider },
  of: RatedAddress,
): Promise<string | null> {
  const now = clock.now()
  const known = await findAddressTax(db.sql, of)
  let rates: readonly AddressRate[] = known?.rates ?? []
  let { confirmedUntil } = known ?? {}
  let failed: Exclude<RateAnswer, { kind: 'found' }> | undefined
  for (const validFrom of daysToAsk(confirmedUntil, now)) {
    const answer = await taxProvider.findRate(of, validFrom)
    if (answer.kind !== 'found') {
      failed = answer
      break
    }
    const { rate, jurisdictions } = answer
    rates = withAnswer(rates, { validFrom, rate, jurisdictions }, now)
    confirmedUntil = validFrom
  }
  const isInvalid = failed?.kind === 'invalid-address'
  const problem = failed === undefined ? undefined : failed.kind === 'unavailable' ? failed.reason : INVALID_ADDRESS
  await db.transaction(async ({ sql }) => {
    const saved = { rates: isInvalid ? [] : rates, confirmedUntil: isInvalid ? undefined : confirmedUntil, problem }
    await saveAddressTax(sql, { ...of, ...saved, checkedAt: now })
    if (failed?.kind === 'unavailable') return
    await scheduleTaxRate(sql, { ...of, checkAt: addDays(now, isInvalid ? INVALID_RECHECK_DAYS : RECHECK_DAYS) })
  })
  return failed?.kind === 'unavailable' ? failed.reason : null
}

/** The problem of an address that the provider cannot locate. Other problems are reasons of the provider. */
export const INVALID_ADDRESS = 'INVALID_ADDRESS'

/**
 * Schedules a look-up now for each merchant that renews before the end of tomorrow, so that the rate of the day of an invoice is known before the
 * day begins. Returns 0: the next run is due after the idle interval.
 */
export async function lookUpTaxRatesAhead({ db, clock, taxProvider }: LookUpPorts): Promise<number> {
  if (taxProvider === undefined || (await findCountriesByAddress(db.sql)).length === 0) return 0
  const now = clock.now()
  const tomorrow = addDays(startOfDay(now), 1)
  const businessIds = await findRenewing(db.sql, { before: addDays(tomorrow, 1), confirmedBefore: dayOf(tomorrow) })
  await requestTaxRates(db.sql, { businessIds, now })
  return 0
}
