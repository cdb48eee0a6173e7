import { decide } from '../core/decide.ts'
import { isRefusal } from '../core/refusal.ts'
import type { Change } from '../core/subscription.ts'
import type { Tx } from '../db/db.ts'
import { lockUnpaidOfBusiness } from '../subscriptions/store.ts'
import { freshIds, loadStates, nowOf } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

/** The default payment method changed: what is past due is tried at once. The business must be locked. Source: decisions 6. */
export async function chargeWhatIsDue(tx: Tx, ports: WritePorts, businessId: string): Promise<void> {
  const changes: Change[] = []
  for (const state of await loadStates(tx.sql, await lockUnpaidOfBusiness(tx.sql, businessId))) {
    const now = await nowOf(tx.sql, state.subscription, ports.clock.now())
    const change = decide(state, { kind: 'paymentMethodChanged' }, freshIds(ports.newId), now)
    if (!isRefusal(change)) changes.push(change)
  }
  if (changes.length > 0) await writeChanges(tx, ports, changes)
}
