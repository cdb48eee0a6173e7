import { findApp } from '../../catalog/apps/store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { assert } from '../../core/assert.ts'
import { followedBy, stateAfter } from '../../core/change.ts'
import { decide } from '../../core/decide.ts'
import { type DisputeStatus, movesOn } from '../../core/dispute.ts'
import type { OrganizationBooking } from '../../core/ledger.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Change, SubscriptionState, Trigger } from '../../core/subscription.ts'
import type { Sql, Tx } from '../../platform/db/db.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import type { Ports } from '../../ports.ts'
import type { DisputeAtGateway, GatewayName } from '../gateway/gateway.ts'
import { addLost } from '../invoices/store.ts'
import { insertOrganizationBooking } from '../ledger/store.ts'
import { insertBooking } from '../payouts/store.ts'
import { type Dispute, findDispute, saveDispute } from '../refunds/store.ts'
import { disputeMail } from './dispute-mail.ts'
import { freshIds, loadState } from './load.ts'
import { type LockedInvoice, lockPaidInvoice, type SettlePorts, settleReturnedMoney } from './money-back.ts'
import { writeChanges } from './write.ts'

const STATUS_OF: Readonly<Record<DisputeAtGateway['status'], DisputeStatus>> = {
  open: 'OPEN',
  lost: 'LOST',
  won: 'WON',
}

/** A mail about money waits as long as the other mails about money (money/mails). */
const KEPT_MS = 7 * 86_400_000

export type DisputePorts = SettlePorts & Pick<Ports, 'vault'>

/**
 * Applies what the gateway reports about a dispute. A lost dispute is charged back to developer and operator, costs the
 * developer the gateway's fee, and ends the subscription unless the setting says otherwise; a dispute that is won after
 * all is returned to them. Each step is applied once, with its event and its mail to the developer. Returns whether
 * anything changed. Source: decisions 6, "Disputes".
 */
export function settleDispute(
  ports: DisputePorts,
  { invoiceId, gateway, made }: { invoiceId: string; gateway: GatewayName; made: DisputeAtGateway },
): Promise<boolean> {
  return ports.db.transaction(async tx => {
    const locked = await lockPaidInvoice(tx, ports, invoiceId)
    // The success of the charge is not applied yet.
    if (locked.invoice.amountPaid === 0) return false
    const { gatewayDisputeId, amount, evidenceDueAt } = made
    const known = await findDispute(tx.sql, { gateway, gatewayDisputeId })
    const status = STATUS_OF[made.status]
    if (known !== null && !movesOn(known.status, status)) return false
    const dispute: Dispute = {
      ...(known ?? { disputeId: ports.newId(), gateway, gatewayDisputeId, invoiceId, amount }),
      ...{ status, ...(evidenceDueAt && { evidenceDueAt }) },
    }
    await saveDispute(tx.sql, dispute, locked.at)
    await moveMoney(tx, ports, locked, { before: known?.status ?? 'OPEN', dispute })
    if (status === 'LOST') await bookFee(tx.sql, ports, locked, made)
    await emitSteps(tx, ports, locked, { isNew: known === null, status })
    await mailDeveloper(tx, ports, locked, dispute)
    return true
  })
}

async function moveMoney(
  tx: Tx,
  ports: SettlePorts,
  locked: LockedInvoice,
  { before, dispute: { disputeId, invoiceId, amount, status } }: { before: DisputeStatus; dispute: Dispute },
): Promise<void> {
  const lost = status === 'LOST' ? amount : before === 'LOST' ? -amount : 0
  if (lost === 0) return
  await addLost(tx.sql, { invoiceId, amount: lost, at: locked.at })
  await settleReturnedMoney(tx, ports, locked, disputeId)
}

/** The gateway keeps the fee of a lost dispute, also when the bank reverses the loss later. */
async function bookFee(
  sql: Sql,
  { newId }: Pick<Ports, 'newId'>,
  { subscription: { organizationId, merchantType }, at }: LockedInvoice,
  { gatewayDisputeId, fee }: DisputeAtGateway,
): Promise<void> {
  if (fee === undefined || fee.amount <= 0 || merchantType === 'TEST_MERCHANT') return
  const booking: OrganizationBooking = {
    ...{ bookingId: newId(), organizationId, kind: 'FEE', ...fee },
    ...{ reference: `Dispute ${gatewayDisputeId}`, createdAt: at },
  }
  if (await insertBooking(sql, booking)) await insertOrganizationBooking(sql, { ledgerTransactionId: newId(), booking })
}

async function emitSteps(
  tx: Tx,
  ports: SettlePorts,
  { subscription, invoice: { invoiceId }, at }: LockedInvoice,
  { isNew, status }: { isNew: boolean; status: DisputeStatus },
): Promise<void> {
  const ends = status === 'LOST' && ports.settings.endsDisputed !== false
  const steps: Trigger[] = [
    ...(isNew ? [{ kind: 'disputeOpened', invoiceId } as const] : []),
    ...(status === 'OPEN' ? [] : [{ kind: 'disputeClosed', invoiceId, ends } as const]),
  ]
  let state: SubscriptionState = await loadState(tx.sql, subscription)
  let all: Change | null = null
  for (const step of steps) {
    const change = decide(state, step, freshIds(ports.newId), at)
    assert(!isRejection(change), 'a dispute that happened is never rejected')
    all = all === null ? change : followedBy(all, change)
    state = stateAfter(change)
  }
  if (all !== null) await writeChanges(tx, ports, [all])
}

/** One mail per step, to the organization. */
async function mailDeveloper(
  tx: Tx,
  ports: DisputePorts,
  { subscription, invoice }: LockedInvoice,
  { disputeId, amount, status, evidenceDueAt }: Dispute,
): Promise<void> {
  if (subscription.merchantType === 'TEST_MERCHANT') return
  const organization = await findOrganization(tx.sql, subscription.organizationId)
  const app = await findApp(tx.sql, subscription.appId)
  assert(organization && app, 'an organization and an app with subscriptions are never deleted')
  const mail = disputeMail({
    ...{ id: `${disputeId}-${status}`, to: organization.email, app: app.name, status, amount },
    ...{ currency: invoice.currency, number: invoice.number, ends: ports.settings.endsDisputed !== false },
    ...(evidenceDueAt && { evidenceDueAt }),
    url: `${ports.settings.baseUrl}/dev/disputes/${disputeId}`,
  })
  await recordMail({ ...ports, db: tx }, mail, { keptMs: KEPT_MS })
}
