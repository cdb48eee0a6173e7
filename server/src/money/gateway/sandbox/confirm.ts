import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import { pipeline, plannedTransaction } from '../../../platform/db/sql.ts'
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
    const { charges, methods, seen, payers, careful } = await load(sql, requests)
    const answers = new Map<string, ChargeOutcome>()
    const others: store.NewConfirmation[] = []
    const paid: store.NewConfirmation[] = []
    for (const request of requests) {
      const { gatewayChargeId, key, reference } = request
      const charge = charges.get(gatewayChargeId)
      const method = methods.get(reference)
      if (charge === undefined || method === undefined) continue
      const before: ChargeOutcome | undefined =
        charge.succeededKey === key ? { kind: 'succeeded' } : seen.get(keyOf(request))
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
      answers.set(
        keyOf(request),
        !hasSucceeded && losesAnswer(method.behaviour) ? { kind: 'unknown', reason: 'timeout' } : outcome,
      )
      if (outcome.kind !== 'succeeded' || hasSucceeded) {
        others.push(confirmation)
        continue
      }
      paid.push(confirmation)
      // The next of these requests finds it so.
      charges.set(gatewayChargeId, { ...charge, succeededKey: key })
      payers.set(reference, gatewayChargeId)
    }
    const first = paid.filter(({ reference }) => careful.has(reference))
    await pipeline([write(sql, { others, paid }, clock.now()), store.savePayers(sql, first)])
    return answers
  })
}

async function load(sql: Sql, requests: readonly ConfirmCharge[]) {
  const references = [...new Set(requests.map(({ reference }) => reference))]
  const [charges, methods, seen] = await pipeline([
    store.lockCharges(sql, [...new Set(requests.map(({ gatewayChargeId }) => gatewayChargeId))]),
    store.findPaymentMethods(sql, references),
    store.findConfirmations(sql, requests),
  ])
  // Which of its charges is the first must be known: they go one after the other.
  const careful = new Set(references.filter(reference => methods.get(reference)?.behaviour === 'tok_fail_after_1'))
  const payers = careful.size === 0 ? new Map<string, string>() : await store.lockPayers(sql, [...careful])
  return { charges, methods, payers, careful, seen: new Map(seen.map(each => [keyOf(each), each.outcome])) }
}

interface Confirmed {
  /** Those that take the money: the charge object says so. */
  readonly paid: readonly store.NewConfirmation[]
  /** Those that are kept each in a row of its own. */
  readonly others: readonly store.NewConfirmation[]
}

async function write(sql: Sql, { paid, others }: Confirmed, now: Date): Promise<void> {
  await pipeline([store.saveConfirmations(sql, others, now), store.takeMoney(sql, paid, now)])
}

/** Cancels a try that waits for the payer; any other is left as it is. Gives what became of it. */
export function cancel(
  { db, clock }: Books,
  { gatewayChargeId, key }: Pick<ConfirmCharge, 'gatewayChargeId' | 'key'>,
): Promise<ChargeOutcome> {
  return db.transaction(async ({ sql }) => {
    await store.lockCharge(sql, gatewayChargeId)
    const found = await store.findConfirmation(sql, gatewayChargeId, key)
    assert(found, 'the sandbox has no such try')
    if (found.outcome.kind !== 'actionRequired') return found.outcome
    const outcome = { kind: 'declined', severity: 'hard', code: 'canceled_at_gateway' } as const
    await store.saveConfirmations(sql, [{ gatewayChargeId, key, reference: found.reference, outcome }], clock.now())
    return outcome
  })
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
    const others = [{ gatewayChargeId, key, reference: open.reference, outcome }]
    await write(sql, { others, paid: outcome.kind === 'succeeded' ? others : [] }, clock.now())
  })
}
