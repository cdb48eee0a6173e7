import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { PayoutTransfer } from './transfers.ts'

export interface PayoutAccount {
  readonly organizationId: string
  readonly accountId: string
  readonly isReady: boolean
}

export async function findPayoutAccount(sql: Sql, organizationId: string): Promise<PayoutAccount | null> {
  const [row] = await sql<PayoutAccount[]>`
    select organization_id as "organizationId", account_id as "accountId", is_ready as "isReady"
    from payout_accounts where organization_id = ${organizationId}`
  return row ?? null
}

/** The first account of an organization stays, until its successor replaces it. */
export async function insertPayoutAccount(
  sql: Sql,
  of: { organizationId: string; accountId: string; now: Date; closedAccountId?: string },
): Promise<void> {
  await sql`
    insert into payout_accounts (organization_id, account_id, created_at)
    values (${of.organizationId}, ${of.accountId}, ${of.now})
    on conflict (organization_id) do update set account_id = excluded.account_id, is_ready = false
      where payout_accounts.account_id = ${of.closedAccountId ?? null}`
}

/** An account that was replaced since stays unchanged. */
export async function savePayoutAccount(
  sql: Sql,
  { organizationId, accountId, isReady }: PayoutAccount,
): Promise<void> {
  await sql`
    update payout_accounts set is_ready = ${isReady}
    where organization_id = ${organizationId} and account_id = ${accountId}`
}

/** Returns false if the statement has a transfer in this currency that did not fail. */
export async function insertTransfer(sql: Sql, transfer: PayoutTransfer): Promise<boolean> {
  const { count } = await sql`
    insert into payout_transfers (
      transfer_id, organization_id, account_id, month, currency, amount, status, next_poll_at, created_at, updated_at)
    values (${transfer.transferId}, ${transfer.organizationId}, ${transfer.accountId}, ${transfer.month},
      ${transfer.currency}, ${transfer.amount}, ${transfer.status}, ${transfer.createdAt}, ${transfer.createdAt},
      ${transfer.createdAt})
    on conflict (organization_id, month, currency) where status <> 'FAILED' do nothing`
  return count === 1
}

/** Minor units of transfers without an outcome. */
export async function sumPendingTransfers(sql: Sql, of: { organizationId: string; currency: string }): Promise<number> {
  const [row] = await sql<{ amount: number }[]>`
    select coalesce(sum(amount), 0)::bigint as amount from payout_transfers
    where organization_id = ${of.organizationId} and currency = ${of.currency} and status = 'PENDING'`
  return row?.amount ?? 0
}

/** Newest first. */
export async function listTransfers(
  sql: Sql,
  of: { organizationId: string; offset: number; limit: number },
): Promise<{ transfers: PayoutTransfer[]; total: number }> {
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from payout_transfers where organization_id = ${of.organizationId}`
  const rows = await sql<Row[]>`
    select ${columns(sql)} from payout_transfers where organization_id = ${of.organizationId}
    order by created_at desc, transfer_id desc offset ${of.offset} limit ${of.limit}`
  return { transfers: rows.map(row => present(row)), total: counted?.total ?? 0 }
}

/** Claims due transfers: until the given instant, no other process claims them. */
export async function claimTransfers(
  sql: Sql,
  claim: { now: Date; until: Date; limit: number },
): Promise<PayoutTransfer[]> {
  const rows = await sql<Row[]>`
    update payout_transfers set next_poll_at = ${claim.until}, poll_count = poll_count + 1
    where transfer_id in (
      select transfer_id from payout_transfers where next_poll_at <= ${claim.now}
      order by next_poll_at limit ${claim.limit} for no key update skip locked)
    returning ${columns(sql)}`
  return rows.map(row => present(row))
}

/** Locks the transfer until the transaction ends. */
export async function lockTransfer(sql: Sql, transferId: string): Promise<PayoutTransfer | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from payout_transfers where transfer_id = ${transferId} for no key update`
  return row ? present(row) : null
}

/** Writes the outcome. The row must be locked. */
export async function saveTransfer(
  sql: Sql,
  { transfer, nextPollAt }: { transfer: PayoutTransfer; nextPollAt: Date | null },
): Promise<void> {
  await sql`
    update payout_transfers set status = ${transfer.status}, provider_transfer_id = ${transfer.providerTransferId ?? null},
      failure = ${transfer.failure ?? null}, amount_reversed = ${transfer.amountReversed}, next_poll_at = ${nextPollAt},
      updated_at = ${transfer.updatedAt}
    where transfer_id = ${transfer.transferId}`
}

type Row = RowOf<PayoutTransfer>

const columns = (sql: Sql) => sql`
  transfer_id as "transferId", organization_id as "organizationId", account_id as "accountId", month, currency, amount,
  status, provider_transfer_id as "providerTransferId", failure, amount_reversed as "amountReversed",
  created_at as "createdAt", updated_at as "updatedAt"`
