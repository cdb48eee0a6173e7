import { lockOrganization } from '../../catalog/organizations/store.ts'
import { addDays } from '../../core/calendar.ts'
import { formatMoney } from '../../core/money.ts'
import { type Rejection, reject, rejectField } from '../../core/rejection.ts'
import { monthStatus } from '../../core/statement.ts'
import type { Ports } from '../../ports.ts'
import { GatewayUnreachable } from '../gateway/gateway.ts'
import { listMonths } from '../ledger/totals.ts'
import { readPayoutAccount, transfersOf } from './account.ts'
import { readOwed, recordPayout } from './book.ts'
import { claimTransfers, insertTransfer, lockTransfer, savePayoutAccount, saveTransfer } from './transfer-store.ts'
import type { PayoutTransfer, Transfers } from './transfers.ts'

/**
 * Requests the transfer of a closed statement's balance, at most the amount owed now. A statement has one transfer per
 * currency; a failed transfer may be repeated. The job calls the provider.
 */
export async function orderTransfer(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'transfers'>,
  { organizationId, month, currency }: Pick<PayoutTransfer, 'organizationId' | 'month' | 'currency'>,
): Promise<PayoutTransfer | Rejection> {
  const transfers = transfersOf(ports)
  if ('rejected' in transfers) return transfers
  const now = ports.clock.now()
  if (monthStatus(month, { live: true, now }) !== 'CLOSED') return rejectField('month', 'must be a past month')
  const account = await readPayoutAccount(ports, organizationId)
  return await ports.db.transaction(async ({ sql }) => {
    if (!(await lockOrganization(sql, organizationId))) {
      return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
    }
    if (!account?.isReady) {
      return reject('PAYOUT_ACCOUNT_NOT_READY', 'The organization must complete its payout account first.')
    }
    // The balance after the last month with bookings, up to this one.
    const statement = (await listMonths(sql, { organizationId, live: true })).find(
      one => one.currency === currency && one.month <= month,
    )
    const { free } = await readOwed(sql, { organizationId, currency })
    const amount = Math.min(statement?.closing ?? 0, free)
    if (amount <= 0) return reject('PAYOUT_EXCEEDS_OWED', `Nothing is owed for ${month} in ${currency}.`)
    const transfer: PayoutTransfer = {
      ...{ transferId: ports.newId(), organizationId, accountId: account.accountId, month, currency, amount },
      ...{ status: 'PENDING', amountReversed: 0, createdAt: now, updatedAt: now },
    }
    if (await insertTransfer(sql, transfer)) return transfer
    return reject('REFERENCE_BOOKED', `The statement ${month} has a transfer in ${currency}.`)
  })
}

const BATCH = 20
/** Longer than a batch of calls that time out. Also the retry interval. */
const LEASE_MS = 10 * 60_000
/** Transfers are polled for reversals for this time. Stripe reverses a transfer only on request. */
const WATCHED_DAYS = 90

/**
 * Carries out the due transfers and watches the successful ones for reversals. The provider is called without an open
 * transaction; after a crash the call repeats under the same id, and the booking follows in one transaction with the
 * outcome. Returns the number of claimed transfers.
 */
export async function runTransfers(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings' | 'transfers' | 'log'>,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const { db, clock, transfers } = ports
  if (transfers === undefined) return 0
  const now = clock.now()
  const claimed = await claimTransfers(db.sql, { now, until: new Date(now.getTime() + LEASE_MS), limit: BATCH })
  for (const transfer of claimed) {
    if (isStopped()) break
    if (transfer.status === 'PENDING') await carryOut({ ...ports, transfers }, transfer)
    else await watch({ ...ports, transfers }, transfer)
  }
  return claimed.length
}

type Running = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings' | 'log'> & { readonly transfers: Transfers }

async function carryOut(ports: Running, { transferId, ...claimed }: PayoutTransfer): Promise<void> {
  const { accountId, amount, currency, month, organizationId } = claimed
  const description = `Statement ${month}`
  const outcome = await ports.transfers.transfer({ transferId, accountId, amount, currency, description })
  if (outcome.kind === 'unknown') {
    ports.log.warn({ transferId, reason: outcome.reason }, 'a payout has no outcome yet')
    return
  }
  await ports.db.transaction(async tx => {
    // Another process may have applied the outcome after this lease ended.
    const transfer = await lockTransfer(tx.sql, transferId)
    if (transfer?.status !== 'PENDING') return
    const updatedAt = ports.clock.now()
    if (outcome.kind === 'declined') {
      const failed = { ...transfer, status: 'FAILED' as const, failure: outcome.reason, updatedAt }
      await saveTransfer(tx.sql, { transfer: failed, nextPollAt: null })
      // The account may have lost its capability, or be disconnected: the next order asks the provider.
      await savePayoutAccount(tx.sql, { organizationId, accountId, isReady: false })
      return
    }
    const { providerTransferId } = outcome
    const made = { ...transfer, status: 'SUCCEEDED' as const, providerTransferId, updatedAt }
    await saveTransfer(tx.sql, { transfer: made, nextPollAt: addDays(updatedAt, 1) })
    const booking = { bookingId: transferId, kind: 'PAYOUT' as const, organizationId, currency, amount }
    await recordPayout({ ...ports, db: tx }, { ...booking, reference: providerTransferId, createdAt: updatedAt })
  })
}

async function watch(ports: Running, { transferId, providerTransferId = '' }: PayoutTransfer): Promise<void> {
  const reversed = await reversedOf(ports, providerTransferId)
  if (reversed === undefined) return
  await ports.db.transaction(async tx => {
    const transfer = await lockTransfer(tx.sql, transferId)
    if (transfer === null) return
    const { organizationId, currency, createdAt, amountReversed } = transfer
    const now = ports.clock.now()
    const tomorrow = addDays(now, 1)
    const nextPollAt = tomorrow <= addDays(createdAt, WATCHED_DAYS) && reversed < transfer.amount ? tomorrow : null
    const grown = reversed - amountReversed
    const saved = grown > 0 ? { ...transfer, amountReversed: reversed, updatedAt: now } : transfer
    await saveTransfer(tx.sql, { transfer: saved, nextPollAt })
    if (grown <= 0) return
    const reference = `${providerTransferId} reversed ${formatMoney(reversed, currency)}`
    const booking = { bookingId: ports.newId(), kind: 'PAYOUT' as const, organizationId, currency, amount: -grown }
    await recordPayout({ ...ports, db: tx }, { ...booking, reference, createdAt: now })
  })
}

/** Undefined: no answer. The next poll is due after the lease. */
async function reversedOf({ transfers, log }: Running, providerTransferId: string): Promise<number | undefined> {
  try {
    return await transfers.findReversed(providerTransferId)
  } catch (error) {
    if (!(error instanceof GatewayUnreachable)) throw error
    log.warn({ providerTransferId }, 'the provider of payouts did not answer')
    return undefined
  }
}
