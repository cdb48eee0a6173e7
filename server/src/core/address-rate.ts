import { addDays } from './calendar.ts'

/** A part of the rate of an address: a state, county, city or district. */
export interface Jurisdiction {
  readonly name: string
  /** Millionths. */
  readonly rate: number
}

/** The rate of an address from a day on, until the next day with a rate. */
export interface AddressRate {
  /** `YYYY-MM-DD`, UTC. */
  readonly validFrom: string
  /** Millionths. The sum of the jurisdictions. */
  readonly rate: number
  readonly jurisdictions: readonly Jurisdiction[]
}

/** The rate of an address on a day. The first answer of the provider also applies to earlier days. */
export function addressRateOn(rates: readonly AddressRate[], day: string): AddressRate | undefined {
  return rates.findLast(({ validFrom }) => validFrom <= day) ?? rates[0]
}

/**
 * The days that a look-up asks the provider for: today and tomorrow, except days with an answer. The answer for tomorrow
 * arrives before midnight, so a rate that changes at midnight applies from the first invoice of the day.
 */
export function daysToAsk(confirmedUntil: string | undefined, now: Date): string[] {
  return [now, addDays(now, 1)].map(dayOf).filter(day => confirmedUntil === undefined || day > confirmedUntil)
}

/** Adds the answer for a day. Unchanged rates keep their first day, and rates that ended before today are dropped. */
export function withAnswer(rates: readonly AddressRate[], answer: AddressRate, now: Date): AddressRate[] {
  const before = rates.findLast(({ validFrom }) => validFrom <= answer.validFrom)
  const kept = rates.filter(({ validFrom }) => validFrom < answer.validFrom)
  const added = before !== undefined && isSame(before, answer) ? [...rates] : [...kept, answer]
  const current = addressRateOn(added, dayOf(now))
  return added.filter(one => one === current || one.validFrom > dayOf(now))
}

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function isSame(one: AddressRate, other: AddressRate): boolean {
  const partsOf = ({ rate, jurisdictions }: AddressRate) =>
    JSON.stringify([rate, jurisdictions.map(part => [part.name, part.rate])])
  return partsOf(one) === partsOf(other)
}
