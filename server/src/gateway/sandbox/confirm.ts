import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db, Sql } from '../../db/db.ts'
import { plannedTransaction } from '../../db/planned.ts'
import { together } from '../../db/together.ts'
import type { ChargeOutcome, ConfirmCharge } from '../gateway.ts'
import * as store from './store.ts'
import { losesAnswer, outcomeOf } from './tokens.ts'

interface Books {
  readonly db: Db
  readonly clock: Clock
}

/** Names a try in a map. */
export function keyOf({ gatewayChargeId, key }: Pick<ConfirmCharge, 'gatewayChargeId' | 'key'>): string {
  return `${gatewayChargeId} ${key}`
}

/**
 * Tries to take the money, of any number by a few statements. The same key again takes nothing, and gets the outcome of the
 * first time. What names no charge object or no payment method is left out.
 */
export function confirmAll(
  { db, clock }: Books,
  requests: readonly ConfirmCharge[],
): Promise<Map<string, ChargeOutcome>> {
  return plannedTransaction(db, async ({ sql }) => {
    const { charges, methods, seen, payers } = await load(sql, requests)
    const answers = new Map<string, ChargeOutcome>()
    const confirmed: store.NewConfirmation[] = []
    const paid: store.NewConfirmation[] = []
    for (const request of requests) {
      const { gatewayChargeId, key, reference } = request
      const charge = charges.get(gatewayChargeId)
      const method = methods.get(reference)
      if (charge === undefined || method === undefined) continue
      const before = seen.get(keyOf(request))
      if (before !== undefined) {
        answers.set(keyOf(request), before)
        continue
      }
      const hasPaidBefore = payers.has(reference) && payers.get(reference) !== gatewayChargeId
      // Design, billing: the gateway itself refuses a second success, for ever. It says that the money is there.
      const hasSucceeded = charge.succeededKey !== null
      const outcome: ChargeOutcome = hasSucceeded
        ? { kind: 'succeeded' }
        : outcomeOf(method.behaviour, { hasPaidBefore })
      const confirmation = { gatewayChargeId, key, reference, outcome }
      confirmed.push(confirmation)
      answers.set(
        keyOf(request),
        !hasSucceeded && losesAnswer(method.behaviour) ? { kind: 'unknown', reason: 'timeout' } : outcome,
      )
      if (outcome.kind !== 'succeeded' || hasSucceeded) continue
      paid.push(confirmation)
      // The next of these requests finds it so.
      charges.set(gatewayChargeId, { ...charge, succeededKey: key })
      payers.set(reference, gatewayChargeId)
    }
    await write(sql, { confirmed, paid }, clock.now())
    return answers
  })
}

async function load(sql: Sql, requests: readonly ConfirmCharge[]) {
  const references = [...new Set(requests.map(({ reference }) => reference))]
  const [charges, methods, seen] = await together([
    store.lockCharges(sql, [...new Set(requests.map(({ gatewayChargeId }) => gatewayChargeId))]),
    store.findPaymentMethods(sql, references),
    store.findConfirmations(sql, requests),
  ])
  const careful = [...methods.values()].filter(({ behaviour }) => behaviour === 'tok_fail_after_1')
  // Which of its charges is the first must be known: they go one after the other.
  const payers =
    careful.length === 0
      ? new Map<string, string>()
      : await store.lockPayers(
          sql,
          careful.map(({ reference }) => reference),
        )
  return { charges, methods, payers, seen: new Map(seen.map(each => [keyOf(each), each.outcome])) }
}

interface Confirmed {
  readonly confirmed: readonly store.NewConfirmation[]
  /** Those of them that take the money. */
  readonly paid: readonly store.NewConfirmation[]
}

async function write(sql: Sql, { confirmed, paid }: Confirmed, now: Date): Promise<void> {
  await together([store.saveConfirmations(sql, confirmed, now), store.takeMoney(sql, paid, now)])
}

/** Ends a try that was pending or waited for the payer, as the bank or the payer would. For tests and demonstrations. */
export function settle(
  { db, clock }: Books,
  { gatewayChargeId, key, outcome }: { gatewayChargeId: string; key: string; outcome: ChargeOutcome },
): Promise<void> {
  return db.transaction(async ({ sql }) => {
    const charge = await store.lockCharge(sql, gatewayChargeId)
    const open = await store.findConfirmation(sql, gatewayChargeId, key)
    assert(charge && open, 'the sandbox has no such try')
    assert(open.outcome.kind === 'pending' || open.outcome.kind === 'actionRequired', 'the try is not open')
    const confirmed = [{ gatewayChargeId, key, reference: open.reference, outcome }]
    await write(sql, { confirmed, paid: outcome.kind === 'succeeded' ? confirmed : [] }, clock.now())
  })
}
