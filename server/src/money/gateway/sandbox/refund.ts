import { assert } from '../../../core/assert.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { RefundOutcome } from '../gateway.ts'
import { sumDisputed } from './dispute.ts'
import * as store from './store.ts'

/** Begins the key of a refund that nobody ordered through the port. */
export const MADE_AT_GATEWAY = 'at-gateway:'

/** Gives money back as somebody does at the gateway itself. For tests and demonstrations. */
export function refundAtGateway(
  books: { readonly db: Db; readonly clock: Clock },
  { id, ...charge }: { gatewayChargeId: string; id: string; amount: number },
): Promise<RefundOutcome> {
  return refund(books, { ...charge, key: `${MADE_AT_GATEWAY}${id}` })
}

/** Gives money back, never more than was taken. The same key again gives nothing, and gets the first outcome. */
export function refund(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { gatewayChargeId, key, amount }: { gatewayChargeId: string; key: string; amount: number },
): Promise<RefundOutcome> {
  assert(Number.isSafeInteger(amount) && amount > 0, 'a refund is a positive number of minor units')
  return db.transaction(async ({ sql }) => {
    const charge = await store.lockCharge(sql, gatewayChargeId)
    assert(charge, 'the sandbox has no such charge')
    const seen = await store.findRefund(sql, gatewayChargeId, key)
    if (seen !== null) return seen
    const paidBy = charge.succeededReference ?? ''
    const method = (await store.findPaymentMethods(sql, [paidBy])).get(paidBy)
    const disputed = await sumDisputed(sql, gatewayChargeId)
    const remaining = charge.amount - disputed - (await store.sumRefunded(sql, gatewayChargeId))
    const outcome = outcomeOf()
    await store.insertRefund(sql, { gatewayChargeId, key, amount, outcome, now: clock.now() })
    return outcome

    function outcomeOf(): RefundOutcome {
      if (!method) return { kind: 'failed', code: 'charge_not_succeeded' }
      if (amount > remaining) return { kind: 'failed', code: disputed > 0 ? 'charge_disputed' : 'amount_too_large' }
      return method.behaviour === 'tok_refund_fails'
        ? { kind: 'failed', code: 'refund_declined' }
        : { kind: 'succeeded' }
    }
  })
}
