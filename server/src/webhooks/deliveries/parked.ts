import { GIVE_UP_AFTER_MS } from '../../core/delivery.ts'
import type { Ports } from '../../ports.ts'
import { findActiveHooks } from '../hooks/store.ts'
import { endDeliveriesOfNoApproval, endParkedDeliveries, endUnheardDeliveries } from './store.ts'

const AT_ONCE = 2_000

/**
 * Ends what has waited its 72 h behind an open breaker or for a hook that does not listen: no claim takes it, so nobody
 * else would. And what a hook that was deleted has left, one that the service has disabled, or an approval that was revoked: claims end that,
 * too, where they take it, but no faster than they would send it. Returns how many. Source: decisions 7, Retries; design, "the 72 h go on".
 */
export async function endParked({
  db,
  clock,
  telemetry: watch,
  wake,
  handOff,
}: Pick<Ports, 'db' | 'clock' | 'telemetry' | 'wake' | 'handOff'>): Promise<number> {
  const now = clock.now()
  const recordedBefore = new Date(now.getTime() - GIVE_UP_AFTER_MS)
  const { ended, listening } = await db.transaction(async ({ sql }) => {
    const ended = [
      ...(await endParkedDeliveries(sql, { recordedBefore, limit: AT_ONCE, now })),
      ...(await endUnheardDeliveries(sql, { limit: AT_ONCE, now })),
      ...(await endDeliveriesOfNoApproval(sql, { limit: AT_ONCE, now })),
    ]
    const missed = ended.filter(({ reason }) => reason === 'hook_inactive').map(({ hookId }) => hookId)
    return { ended, listening: [...(await findActiveHooks(sql, [...new Set(missed)]))] }
  })
  watch?.gaveUp(ended)
  if (listening.length > 0) {
    // What happened since may have waited for what was missed, and be due for long.
    handOff?.forget(listening)
    wake.deliveries(listening)
  }
  return ended.length
}
