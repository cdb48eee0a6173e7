import { findOrganization } from '../../catalog/organizations/store.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { GatewayUnreachable } from '../gateway/gateway.ts'
import { findPayoutAccount, insertPayoutAccount, type PayoutAccount, savePayoutAccount } from './transfer-store.ts'
import type { Transfers } from './transfers.ts'

/** The setting TILLHOOK_PAYOUTS decides. */
export function transfersOf({ transfers }: Pick<Ports, 'transfers'>): Transfers | Rejection {
  return transfers ?? reject('TRANSFERS_NOT_CONFIGURED', 'Set TILLHOOK_PAYOUTS=stripe to pay by Stripe Connect.')
}

/**
 * The payout account of an organization, or null. The provider is asked until the account is ready, and again after a
 * declined transfer. Without an answer the saved state counts.
 */
export async function readPayoutAccount(
  { db, transfers }: Pick<Ports, 'db' | 'transfers'>,
  organizationId: string,
): Promise<PayoutAccount | null> {
  const account = await findPayoutAccount(db.sql, organizationId)
  if (account === null || account.isReady || transfers === undefined) return account
  try {
    const read = { ...account, isReady: (await transfers.readAccount(account.accountId)) === 'READY' }
    if (read.isReady) await savePayoutAccount(db.sql, read)
    return read
  } catch (error) {
    if (error instanceof GatewayUnreachable) return account
    throw error
  }
}

/**
 * Opens the payout account of an organization and returns a link on which its owner names a bank account. A repeated
 * call returns another link to the same account. A closed account gets a successor.
 */
export async function openPayoutAccount(
  ports: Pick<Ports, 'db' | 'clock' | 'transfers'>,
  { organizationId, returnUrl }: { readonly organizationId: string; readonly returnUrl: string },
): Promise<(PayoutAccount & { readonly onboardingUrl: string }) | Rejection> {
  const transfers = transfersOf(ports)
  if ('rejected' in transfers) return transfers
  const { sql } = ports.db
  const organization = await findOrganization(sql, organizationId)
  if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
  const known = await findPayoutAccount(sql, organizationId)
  const isClosed = known !== null && (await transfers.readAccount(known.accountId)) === 'CLOSED'
  if (known === null || isClosed) {
    const closed = known === null ? {} : { closedAccountId: known.accountId }
    const accountId = await transfers.openAccount({ ...organization, ...closed })
    const opened = { organizationId, accountId, now: ports.clock.now(), ...closed }
    await ports.db.transaction(tx => insertPayoutAccount(tx.sql, opened))
  }
  const account = await readPayoutAccount(ports, organizationId)
  if (account === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
  return { ...account, onboardingUrl: await transfers.onboardingUrl({ accountId: account.accountId, returnUrl }) }
}
