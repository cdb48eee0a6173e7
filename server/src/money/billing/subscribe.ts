import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Ports } from '../../ports.ts'
import { considerPlan, type SubscribeInput, writeStart } from './take-plan.ts'
import type { WritePorts } from './write.ts'

/**
 * A business takes a plan. Subscription, invoice and notifications appear together or not at all; the first charge, if one is
 * due, is committed with them and sent right after. Source: interface, States and transitions; decisions 5.
 */
export async function subscribe(
  ports: WritePorts & Pick<Ports, 'db'>,
  input: SubscribeInput,
): Promise<Subscription | Rejection> {
  return await ports.db.transaction(async tx => {
    const change = await considerPlan(tx, ports, input)
    if (isRejection(change)) return change
    await writeStart(tx, ports, change, input)
    return change.subscription
  })
}
