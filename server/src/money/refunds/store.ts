import type { AnswerState, DisputeStatus, Evidence } from '../../core/dispute.ts'
import type { Refund } from '../../core/refund.ts'
import type { Sql } from '../../platform/db/db.ts'
import { errorText, retryTime } from '../../platform/db/quarantine.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { GatewayName } from '../gateway/gateway.ts'

type Row = RowOf<Refund>

/** `nextPollAt` is real time: the refund may be claimed from then on. */
export async function insertRefunds(
  sql: Sql,
  refunds: readonly (Refund & { readonly nextPollAt: Date })[],
): Promise<void> {
  if (refunds.length === 0) return
  await sql`
    insert into refunds (
      refund_id, invoice_id, business_id, amount, currency, reason, origin, status, created_at, updated_at, next_poll_at, poll_count,
      gateway_refund_id)
    select "refundId", "invoiceId", "businessId", "amount", "currency", "reason", "origin", 'PENDING', "createdAt",
      "updatedAt", "nextPollAt", 0, "gatewayRefundId"
    from jsonb_to_recordset(${sql.json(refunds as never)}) as x (
      "refundId" uuid, "invoiceId" uuid, "businessId" uuid, "amount" bigint, "currency" text, "reason" text,
      "origin" text, "createdAt" timestamptz, "updatedAt" timestamptz, "nextPollAt" timestamptz,
      "gatewayRefundId" text)`
}

/** `businessId` claims only the refunds of this merchant. */
export async function claimRefunds(
  sql: Sql,
  claim: { now: Date; leasedUntil: Date; limit: number; businessId?: string },
): Promise<Refund[]> {
  const ofBusiness = claim.businessId ? sql`and business_id = ${claim.businessId}` : sql``
  const rows = await sql<Row[]>`
    update refunds set next_poll_at = ${claim.leasedUntil}, poll_count = poll_count + 1
    where refund_id in (
      select refund_id from refunds
      where next_poll_at <= ${claim.now} ${ofBusiness}
      order by next_poll_at
      limit ${claim.limit}
      for no key update skip locked)
    returning ${columns(sql)}`
  return rows.map(row => present(row))
}

export async function lockRefund(sql: Sql, refundId: string): Promise<Refund | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from refunds where refund_id = ${refundId} for no key update`
  return row ? present(row) : null
}

export async function findRefundsOfInvoices(sql: Sql, invoiceIds: readonly string[]): Promise<Refund[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from refunds where invoice_id = any(${invoiceIds as string[]}::uuid[])
    order by created_at, refund_id`
  return rows.map(row => present(row))
}

/**
 * Locks the refund of a late payment that waits for its next attempt. Null: there is none, or the attempt is running.
 * Real time.
 */
export async function lockWaitingOwed(sql: Sql, of: { invoiceId: string; now: Date }): Promise<Refund | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from refunds
    where invoice_id = ${of.invoiceId} and origin = 'LATE_SUCCESS' and status = 'PENDING' and poll_count = 0
      and next_poll_at > ${of.now}
    for no key update`
  return row ? present(row) : null
}

/** Counts the failed refunds of a late payment. */
export async function countFailedOwed(sql: Sql, invoiceId: string): Promise<number> {
  const [row] = await sql<{ failed: number }[]>`
    select count(*) as failed from refunds
    where invoice_id = ${invoiceId} and origin = 'LATE_SUCCESS' and status = 'FAILED'`
  return row?.failed ?? 0
}

/** The payment that is neither returned nor on its way back. Minor units. */
export async function findLeft(sql: Sql, invoiceId: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select greatest(0, amount_paid - amount_refunded - lost_in_disputes) as "left" from invoices where invoice_id = ${invoiceId}`
  return Math.max(0, (row?.left ?? 0) - (await sumPendingRefunds(sql, invoiceId)))
}

/**
 * Late payments whose refund attempts have all failed, oldest first: the last refund of each, with the amount that is
 * still owed and not on its way.
 */
export async function findOwed(sql: Sql, limit: number): Promise<Refund[]> {
  return await owed(sql, sql`true`, limit)
}

/** The refund with the owed amount. Null: nothing is owed for the refund. */
export async function findOwedRefund(sql: Sql, refundId: string): Promise<Refund | null> {
  return (await owed(sql, sql`refund_id = ${refundId}`, 1))[0] ?? null
}

async function owed(sql: Sql, which: ReturnType<typeof columns>, limit: number): Promise<Refund[]> {
  const rows = await sql<(Row & { left: number })[]>`
    select ${columns(sql)}, "left" from refunds as r
    cross join lateral (
      select i.amount_paid - i.amount_refunded - i.lost_in_disputes - coalesce((
        select sum(amount) from refunds as p where p.invoice_id = r.invoice_id and p.status = 'PENDING'), 0)::bigint as "left"
      from invoices as i where i.invoice_id = r.invoice_id) as i
    where ${which} and origin = 'LATE_SUCCESS' and status = 'FAILED' and "left" > 0 and not exists (
      select 1 from refunds as later
      where later.invoice_id = r.invoice_id and later.origin = 'LATE_SUCCESS' and later.refund_id > r.refund_id)
    order by created_at, refund_id limit ${limit}`
  return rows.map(({ left, ...row }) => present({ ...row, amount: Math.min(row.amount, left) }))
}

/** The sum of the refunds on their way. Minor units. */
export async function sumPendingRefunds(sql: Sql, invoiceId: string): Promise<number> {
  const [row] = await sql<{ pending: number }[]>`
    select coalesce(sum(amount), 0)::bigint as pending from refunds
    where invoice_id = ${invoiceId} and status = 'PENDING'`
  return row?.pending ?? 0
}

/**
 * Whether a refund of this business is due or claimed. Attempts that are scheduled for another day do not count. Real
 * time.
 */
export async function hasUnderWay(sql: Sql, of: { businessId: string; now: Date }): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (
      select 1 from refunds
      where business_id = ${of.businessId} and next_poll_at is not null and (poll_count > 0 or next_poll_at <= ${of.now})) as has`
  return row?.has === true
}

export async function settleRefund(
  sql: Sql,
  settle: { refundId: string; status: 'SUCCEEDED' | 'FAILED'; failure?: string; at: Date },
): Promise<void> {
  await sql`
    update refunds set status = ${settle.status}, failure = ${settle.failure ?? null}, updated_at = ${settle.at},
      next_poll_at = null, failures = 0, last_error = null
    where refund_id = ${settle.refundId}`
}

export async function postponeRefund(sql: Sql, postpone: { refundId: string; nextPollAt: Date }): Promise<void> {
  await sql`
    update refunds set next_poll_at = ${postpone.nextPollAt}, failures = 0, last_error = null
    where refund_id = ${postpone.refundId}`
}

/**
 * Makes a refund without an outcome due. A claimed refund is due when its lease ends, so a refund that is due within
 * the lease stays as it is.
 */
export async function makeRefundDue(sql: Sql, of: { refundId: string; now: Date; leasedUntil: Date }): Promise<void> {
  await sql`
    update refunds set next_poll_at = ${of.now} where refund_id = ${of.refundId} and next_poll_at > ${of.leasedUntil}`
}

/** Schedules a retry and lists the refund for the operator. A refund that is settled by now stays unchanged. */
export async function quarantineRefund(sql: Sql, of: { refundId: string; error: unknown; now: Date }): Promise<void> {
  await sql`
    update refunds set failures = failures + 1, last_error = ${errorText(of.error)}, next_poll_at = ${retryTime(sql, of.now)}
    where refund_id = ${of.refundId} and next_poll_at is not null`
}

const columns = (sql: Sql) => sql`
  refund_id as "refundId", invoice_id as "invoiceId", business_id as "businessId", amount, currency, reason, origin,
  status, failure, gateway_refund_id as "gatewayRefundId", created_at as "createdAt", updated_at as "updatedAt", poll_count as "pollCount"`

/** A charge that the payer's bank reclaims. */
export interface Dispute {
  readonly disputeId: string
  readonly gateway: GatewayName
  readonly gatewayDisputeId: string
  readonly invoiceId: string
  /** Minor units. */
  readonly amount: number
  readonly status: DisputeStatus
  /** Until then the gateway accepts evidence, in real time. Absent: the gateway names no time. */
  readonly evidenceDueAt?: Date
}

export async function findDispute(
  sql: Sql,
  { gateway, gatewayDisputeId }: Pick<Dispute, 'gateway' | 'gatewayDisputeId'>,
): Promise<Dispute | null> {
  const [row] = await sql<Dispute[]>`
    select dispute_id as "disputeId", gateway, gateway_dispute_id as "gatewayDisputeId", invoice_id as "invoiceId", amount, status
    from disputes where gateway = ${gateway} and gateway_dispute_id = ${gatewayDisputeId}`
  return row ?? null
}

/** A dispute with its answer, and whose it is. */
export interface AnsweredDispute extends Pick<Dispute, 'disputeId' | 'gateway' | 'gatewayDisputeId'>, AnswerState {
  readonly organizationId: string
  readonly businessId: string
  /** Real time. */
  readonly sentAt?: Date
}

type AnswerRow = RowOf<Omit<AnsweredDispute, 'evidence'> & Evidence>

export async function findAnsweredDispute(sql: Sql, disputeId: string): Promise<AnsweredDispute | null> {
  const [row] = await sql<AnswerRow[]>`
    select d.dispute_id as "disputeId", d.gateway, d.gateway_dispute_id as "gatewayDisputeId", d.status,
      d.evidence_due_at as "evidenceDueAt", i.organization_id as "organizationId", i.business_id as "businessId",
      e.product_description as "productDescription", e.customer_communication as "customerCommunication",
      e.uncategorized_text as "uncategorizedText", e.sent_at as "sentAt"
    from disputes as d join invoices as i on i.invoice_id = d.invoice_id
    left join dispute_evidence as e on e.dispute_id = d.dispute_id
    where d.dispute_id = ${disputeId}`
  if (row === undefined) return null
  const { productDescription, customerCommunication, uncategorizedText, ...dispute } = row
  const evidence: Evidence = present({ productDescription, customerCommunication, uncategorizedText })
  return { ...present(dispute), ...(row.sentAt && { evidence }) }
}

/** Keeps the first evidence of a dispute. */
export async function insertEvidence(
  sql: Sql,
  { disputeId, organizationId, businessId }: AnsweredDispute,
  { evidence, now }: { readonly evidence: Evidence; readonly now: Date },
): Promise<void> {
  const { productDescription = null, customerCommunication = null, uncategorizedText = null } = evidence
  await sql`
    insert into dispute_evidence (
      dispute_id, organization_id, business_id, product_description, customer_communication, uncategorized_text, sent_at)
    values (${disputeId}, ${organizationId}, ${businessId}, ${productDescription}, ${customerCommunication},
      ${uncategorizedText}, ${now})
    on conflict (dispute_id) do nothing`
}

export interface DatedDispute extends Dispute {
  /** Business time of the first report and of the last step. */
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** In the order of their first report. */
export async function findDisputesOfInvoices(sql: Sql, invoiceIds: readonly string[]): Promise<DatedDispute[]> {
  return await sql<DatedDispute[]>`
    select dispute_id as "disputeId", gateway, gateway_dispute_id as "gatewayDisputeId", invoice_id as "invoiceId", amount,
      status, created_at as "createdAt", updated_at as "updatedAt"
    from disputes where invoice_id = any(${invoiceIds as string[]}::uuid[]) order by created_at, dispute_id`
}

/** The invoice must be locked, because its disputes are written in sequence. */
export async function saveDispute(sql: Sql, dispute: Dispute, at: Date): Promise<void> {
  await sql`
    insert into disputes (
      dispute_id, gateway, gateway_dispute_id, invoice_id, amount, status, evidence_due_at, created_at, updated_at)
    values (${dispute.disputeId}, ${dispute.gateway}, ${dispute.gatewayDisputeId}, ${dispute.invoiceId}, ${dispute.amount},
      ${dispute.status}, ${dispute.evidenceDueAt ?? null}, ${at}, ${at})
    on conflict (gateway, gateway_dispute_id) do update set status = excluded.status, updated_at = excluded.updated_at`
}
