import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { endDeliveriesOfHook } from '../deliveries/store.ts'
import { hookNotFound } from '../hooks/get.ts'
import { resetHookHealth } from '../hooks/health.ts'
import { deleteHookRow } from '../hooks/store.ts'

/**
 * Deletes a hook and ends its queued deliveries as ERRORED `hook_deleted` in the same transaction. `deliveries/end-undeliverable.ts` ends the
 * rest of a long queue and a notification recorded at the same moment; neither is sent. Rejects: HOOK_NOT_FOUND. Source: decisions 7.
 */
export async function deleteHook(
  { db, clock, telemetry, dispatch }: Pick<Ports, 'db' | 'clock' | 'telemetry' | 'dispatch'>,
  hookId: string,
): Promise<Rejection | undefined> {
  return db.transaction(async ({ sql, afterCommit }) => {
    if (!(await deleteHookRow(sql, hookId))) return hookNotFound()
    const ended = await endDeliveriesOfHook(sql, { hookId, reason: 'hook_deleted', now: clock.now() })
    await resetHookHealth(sql, [hookId])
    afterCommit(() => dispatch?.changed([hookId]))
    afterCommit(() => telemetry?.gaveUp(ended))
  })
}
