import { decide } from '../core/decide.ts'
import { type Preview, preview } from '../core/preview.ts'
import { isRefusal, type Refusal } from '../core/refusal.ts'
import type { Subscription } from '../core/subscription.ts'
import type { Ports } from '../ports.ts'
import { type ChangePlanInput, considerChange } from './consider-change.ts'
import { type WritePorts, writeChanges } from './write.ts'

type ChangePorts = WritePorts & Pick<Ports, 'db'>

/**
 * Changes the plan: at once, with credit for the unused share of the paid period, or at the period's end. Subscription, credit,
 * invoice and notifications change together. Asked again for what is waiting already: unchanged. Source: decisions 5, Change plan; decisions 6, Change now.
 */
export async function changePlan(ports: ChangePorts, input: ChangePlanInput): Promise<Subscription | Refusal> {
  return await ports.db.transaction(async tx => {
    const considered = await considerChange(tx, ports, input, decide)
    if (isRefusal(considered)) return considered
    const { subscription, decided: change } = considered
    if (input.when === 'PERIOD_END' && subscription.pendingPlanId === change.subscription.pendingPlanId)
      return subscription
    await writeChanges(tx, ports, [change])
    return change.subscription
  })
}

/** Tells what `changePlan` would do, by the same decision from the same facts. Nothing is stored. */
export async function previewPlanChange(ports: ChangePorts, input: ChangePlanInput): Promise<Preview | Refusal> {
  const considered = await ports.db.transaction(tx => considerChange(tx, ports, input, preview))
  return isRefusal(considered) ? considered : considered.decided
}
