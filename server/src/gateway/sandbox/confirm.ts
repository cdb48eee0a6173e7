import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../db/db.ts'
import type { ChargeOutcome, ConfirmCharge } from '../gateway.ts'
import * as store from './store.ts'
import { losesAnswer, outcomeOf } from './tokens.ts'

interface Books {
  readonly db: Db
  readonly clock: Clock
}

/** Tries to take the money. The same key again takes nothing, and gets the outcome of the first time. */
export function confirm(
  { db, clock }: Books,
  { gatewayChargeId, key, reference }: ConfirmCharge,
): Promise<ChargeOutcome> {
  return db.transaction(async ({ sql }) => {
    const charge = await store.lockCharge(sql, gatewayChargeId)
    assert(charge, 'the sandbox has no such charge')
    const method = await store.lockPaymentMethod(sql, reference)
    assert(method, 'the sandbox has no such payment method')
    const seen = await store.findConfirmation(sql, gatewayChargeId, key)
    if (seen !== null) return seen.outcome

    const now = clock.now()
    const hasPaidBefore = await store.hasPaidAnother(sql, reference, gatewayChargeId)
    // Design, billing: the gateway itself refuses a second success, for ever. It says that the money is there.
    const hasSucceeded = charge.succeededKey !== null
    const outcome: ChargeOutcome = hasSucceeded ? { kind: 'succeeded' } : outcomeOf(method.behaviour, { hasPaidBefore })
    await store.saveConfirmation(sql, { gatewayChargeId, key, reference, outcome, now })
    if (outcome.kind === 'succeeded') await store.takeMoney(sql, { gatewayChargeId, key, reference, now })
    return !hasSucceeded && losesAnswer(method.behaviour) ? { kind: 'unknown', reason: 'timeout' } : outcome
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
    const { reference } = open
    const now = clock.now()
    await store.saveConfirmation(sql, { gatewayChargeId, key, reference, outcome, now })
    if (outcome.kind === 'succeeded') await store.takeMoney(sql, { gatewayChargeId, key, reference, now })
  })
}
