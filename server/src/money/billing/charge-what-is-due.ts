import { decide } from '../../core/decide.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Change, SubscriptionState } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { findChargesOfInvoices, pollAskedCharges } from '../charges/store.ts'
import { lockUnpaidOfBusiness } from '../subscriptions/store.ts'
import { freshIds, loadStates, nowOf } from './load.ts'
import { type WritePorts, writeChanges } from './write.ts'

/**
 * The default payment method changed: what is past due is tried at once, and what waits for the payer at the bank is looked at once
 * more, and then tried. The business must be locked. Source: decisions 6.
 */
export async function chargeWhatIsDue(tx: Tx, ports: WritePorts, businessId: string): Promise<void> {
  const states = await lockDue(tx.sql, businessId)
  await charge(tx, ports, states)
  const awaited = states.flatMap(({ subscription }) => subscription.awaitedChargeId ?? [])
  if (awaited.length === 0) return
  await pollAskedCharges(tx.sql, { chargeIds: awaited, nextPollAt: ports.clock.now() })
  tx.afterCommit(() => ports.wake.charges())
}

/**
 * Somebody asks for another try with the payment method that there is: what is past due is tried at once, except what was refused for
 * good. The business must be locked. Source: decisions 6, "hard refusals … stop tries until the method changes".
 */
export async function tryAgain(tx: Tx, ports: WritePorts, businessId: string): Promise<void> {
  const states = (await lockDue(tx.sql, businessId)).filter(
    ({ subscription }) => subscription.awaitedChargeId === undefined,
  )
  const tried = await findChargesOfInvoices(
    tx.sql,
    states.flatMap(({ openInvoices: [oldest] }) => oldest?.invoiceId ?? []),
  )
  const latest = new Map(tried.map(({ subscriptionId, status }) => [subscriptionId, status]))
  await charge(
    tx,
    ports,
    states.filter(({ subscription }) => latest.get(subscription.subscriptionId) !== 'DECLINED_HARD'),
  )
}

async function lockDue(sql: Sql, businessId: string): Promise<SubscriptionState[]> {
  return await loadStates(sql, await lockUnpaidOfBusiness(sql, businessId))
}

async function charge(tx: Tx, ports: WritePorts, states: readonly SubscriptionState[]): Promise<void> {
  const changes: Change[] = []
  for (const state of states) {
    const now = await nowOf(tx.sql, state.subscription, ports.clock.now())
    const change = decide(state, { kind: 'paymentMethodChanged' }, freshIds(ports.newId), now)
    if (!isRejection(change)) changes.push(change)
  }
  if (changes.length > 0) await writeChanges(tx, ports, changes)
}
