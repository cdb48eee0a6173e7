import type { ReconcileResult } from '../billing/reconcile.ts'
import { GatewayUnreachable } from '../gateway/gateway.ts'

/** Some three calls to the gateway each: far below what it allows, so that payments are not held up. */
const AT_ONCE = 4

export interface Comparing {
  /** Compares one. Null: the gateway did not answer. `isLast`: it comes no other time in this run, and is not null. */
  compare(gatewayChargeId: string, isLast: boolean): Promise<ReconcileResult | null>
  /** After each few of them. */
  goOn(): Promise<void>
  isStopped(): boolean
}

/** How many outcomes we had missed, and how many discrepancies are left. */
export interface Found {
  readonly repaired: number
  readonly discrepancies: number
}

/**
 * Compares these charge objects. One that the gateway did not answer of comes once more at the end: of tens of thousands some always meet
 * a bad moment, and the others must not begin anew for them. Where it answers of none of four at once, it is away: throws GatewayUnreachable.
 * Null: stopped on the way.
 */
export async function compareAll(
  gatewayChargeIds: readonly string[],
  { compare, goOn, isStopped }: Comparing,
): Promise<Found | null> {
  const agreements: (ReconcileResult | null)[] = []
  const missed: string[] = []
  for (const part of partsOf(gatewayChargeIds)) {
    if (isStopped()) return null
    const answers = await Promise.all(part.map(id => compare(id, false)))
    if (part.length === AT_ONCE && answers.every(answer => answer === null)) throw away()
    missed.push(...part.filter((_id, n) => answers[n] === null))
    agreements.push(...answers)
    await goOn()
  }
  if (missed.length > 0 && missed.length === gatewayChargeIds.length) throw away()
  for (const part of partsOf(missed)) {
    if (isStopped()) return null
    agreements.push(...(await Promise.all(part.map(id => compare(id, true)))))
    await goOn()
  }
  return {
    repaired: sum(agreements, ({ repaired }) => repaired),
    discrepancies: sum(agreements, ({ discrepancies }) => discrepancies.length),
  }
}

function away(): GatewayUnreachable {
  return new GatewayUnreachable('the gateway does not answer')
}

function* partsOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < ids.length; i += AT_ONCE) yield ids.slice(i, i + AT_ONCE)
}

function sum(agreements: readonly (ReconcileResult | null)[], of: (agreement: ReconcileResult) => number): number {
  return agreements.reduce((total, agreement) => total + (agreement === null ? 0 : of(agreement)), 0)
}
