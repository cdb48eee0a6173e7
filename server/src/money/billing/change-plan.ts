import { assert } from '../../core/assert.ts'
import { decide } from '../../core/decide.ts'
import { type Preview, preview } from '../../core/preview.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Ports } from '../../ports.ts'
import { type ChangePlanInput, considerChange } from './consider-change.ts'
import { type WritePorts, writeChanges } from './write.ts'

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/**
 * Changes the plan: at once, with credit for the unused share of the paid period, or at the period's end. Subscription, credit,
 * invoice and notifications change together. Asked again for what is waiting already: unchanged. Source: decisions 5, Change plan; decisions 6, Change now.
 */
export async function changePlan(ports: ChangePorts, input: ChangePlanInput): Promise<Subscription | Rejection> {
  const changed = await changePlanAsShown(ports, { ...input, most: Number.POSITIVE_INFINITY })
  assert(!('costs' in changed), 'nothing costs more than anything')
  return changed
}

/**
 * The same, where a person was shown what is charged at once and agreed to it. Were it more by now, since less of the paid
 * period is left or the credit was used elsewhere, nothing happens, and what it costs is told. Minor units.
 */
export async function changePlanAsShown(
  ports: ChangePorts,
  { most, ...input }: ChangePlanInput & { readonly most: number },
): Promise<Subscription | { readonly costs: number } | Rejection> {
  return await ports.db.transaction(async tx => {
    const considered = await considerChange(tx, ports, input, decide)
    if (isRejection(considered)) return considered
    const { subscription, decided: change } = considered
    const costs = change.charges.reduce((sum, { amount }) => sum + amount, 0)
    if (costs > most) return { costs }
    if (input.when === 'PERIOD_END' && subscription.pendingPlanId === change.subscription.pendingPlanId)
      return subscription
    await writeChanges(tx, ports, [change])
    return change.subscription
  })
}

/** Tells what `changePlan` would do, by the same decision from the same facts. Nothing is stored. */
export async function previewPlanChange(ports: ChangePorts, input: ChangePlanInput): Promise<Preview | Rejection> {
  const considered = await ports.db.transaction(tx => considerChange(tx, ports, input, preview))
  return isRejection(considered) ? considered : considered.decided
}
