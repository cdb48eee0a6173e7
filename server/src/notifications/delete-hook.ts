import type { Refusal } from '../core/refusal.ts'
import { endDeliveriesOfHook } from '../deliveries/store.ts'
import { hookNotFound } from '../hooks/get.ts'
import { deleteHookRow } from '../hooks/store.ts'
import type { Ports } from '../ports.ts'

/**
 * Removes a hook; what waits for it ends as ERRORED `hook_deleted`, in the same transaction. A notification that is being
 * recorded just then ends when it is claimed. Refuses: HOOK_NOT_FOUND. Source: decisions 7.
 */
export async function deleteHook(
  { db, clock, watch }: Pick<Ports, 'db' | 'clock' | 'watch'>,
  hookId: string,
): Promise<Refusal | undefined> {
  return db.transaction(async ({ sql, afterCommit }) => {
    if (!(await deleteHookRow(sql, hookId))) return hookNotFound()
    const ended = await endDeliveriesOfHook(sql, { hookId, reason: 'hook_deleted', now: clock.now() })
    afterCommit(() => watch?.gaveUp(ended))
  })
}
