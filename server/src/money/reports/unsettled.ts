import type { Charge } from '../../core/charge.ts'
import type { Refund } from '../../core/refund.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, present, send } from '../../platform/db/sql.ts'
import type { GatewayName } from '../gateway/gateway.ts'

export const CHARGE_STATES = ['UNSETTLED', 'IN_FLIGHT', 'UNKNOWN', 'WAITING', 'STUCK'] as const
export type ChargeState = (typeof CHARGE_STATES)[number]
export const REFUND_STATES = ['UNSETTLED', 'STUCK'] as const
export type RefundState = (typeof REFUND_STATES)[number]

type OfCharge = 'invoiceId' | 'businessId' | 'amount' | 'currency' | 'pollCount' | 'startedAt'

/** A charge or refund without an outcome. `nextPollAt` is real time, `startedAt` business time. */
interface Unsettled extends Pick<Charge, OfCharge> {
  readonly businessName: string
  /** In the past: no process polls. Absent: the outcome is known. */
  readonly nextPollAt?: Date
  /** Not 0: quarantined, retried at `nextPollAt`. */
  readonly failures: number
  readonly lastError?: string
}

type OfChargeAlone = 'chargeId' | 'subscriptionId' | 'status' | 'reason' | 'waitsUntil'

export interface UnsettledCharge extends Unsettled, Pick<Charge, OfChargeAlone> {
  /** Absent: the business had no payment method. */
  readonly gateway?: GatewayName
  /** A process is asking the gateway. */
  readonly leased: boolean
}

export interface UnsettledRefund extends Unsettled, Pick<Refund, 'refundId' | 'reason' | 'origin'> {}

export interface UnsettledPage<State> {
  readonly state: State
  readonly now: Date
  readonly limit: number
  /** The last id of the previous page of results. */
  readonly after?: string
}

/** Due rows are claimed within a second, and a lease is a minute: after five minutes no process works on the row. */
const OVERDUE_MS = 5 * 60_000

/** Charges without an outcome, oldest first; without settled charges that are still polled for late payments. */
export async function listUnsettledCharges(sql: Sql, page: UnsettledPage<ChargeState>): Promise<UnsettledCharge[]> {
  const after = page.after === undefined ? part`` : part`and c.charge_id > ${page.after}`
  return await findCharges(
    sql,
    part`c.next_poll_at is not null and c.settled_at is null and ${inState(page)} ${after}`,
    page.limit,
  )
}

/** One charge, also with an outcome. */
export async function findReportedCharge(sql: Sql, chargeId: string): Promise<UnsettledCharge | null> {
  return (await findCharges(sql, part`c.charge_id = ${chargeId}`, 1))[0] ?? null
}

async function findCharges(sql: Sql, which: Part, limit: number): Promise<UnsettledCharge[]> {
  const rows = await send<UnsettledCharge[]>(
    sql,
    part`
      select c.charge_id as "chargeId", c.subscription_id as "subscriptionId", c.status, c.reason,
        c.waits_until as "waitsUntil", c.invoice_id as "invoiceId", c.business_id as "businessId", ${NAME}, c.amount, c.currency,
        m.gateway, c.poll_count as "pollCount", c.next_poll_at as "nextPollAt", c.leased, c.started_at as "startedAt", c.failures,
        c.last_error as "lastError"
      from charges as c join businesses as b using (business_id) left join payment_methods as m using (payment_method_id)
      where ${which}
      order by c.charge_id
      limit ${limit}`,
  )
  return rows.map(row => present(row) as UnsettledCharge)
}

const NAME = part`coalesce(nullif(b.doing_business_as, ''), b.legal_name) as "businessName"`

/** Refunds without an outcome, oldest first. */
export async function listUnsettledRefunds(sql: Sql, page: UnsettledPage<RefundState>): Promise<UnsettledRefund[]> {
  const after = page.after === undefined ? part`` : part`and c.refund_id > ${page.after}`
  const rows = await send<UnsettledRefund[]>(
    sql,
    part`
      select c.refund_id as "refundId", c.reason, c.origin, c.invoice_id as "invoiceId", c.business_id as "businessId",
        ${NAME}, c.amount, c.currency, c.poll_count as "pollCount", c.next_poll_at as "nextPollAt", c.created_at as "startedAt", c.failures, c.last_error as "lastError"
      from refunds as c join businesses as b using (business_id)
      where c.next_poll_at is not null and ${inState(page)} ${after}
      order by c.refund_id
      limit ${page.limit}`,
  )
  return rows.map(row => present(row) as UnsettledRefund)
}

function inState({ state, now }: Pick<UnsettledPage<ChargeState>, 'state' | 'now'>): Part {
  switch (state) {
    case 'UNSETTLED':
      return part`true`
    case 'IN_FLIGHT':
    case 'UNKNOWN':
      return part`c.status = ${state}`
    case 'WAITING':
      return part`c.status in ('PENDING', 'ACTION_REQUIRED')`
    case 'STUCK':
      return part`(c.failures > 0 or c.next_poll_at < ${new Date(now.getTime() - OVERDUE_MS)})`
  }
}

/** Rows that are quarantined when their handling fails. */
export const QUARANTINED_KINDS = ['subscription', 'charge', 'refund', 'delivery', 'redelivery'] as const
type QuarantinedKind = (typeof QUARANTINED_KINDS)[number]

export interface Quarantined {
  readonly kind: QuarantinedKind
  readonly rowId: string
  readonly failures: number
  readonly lastError: string
  readonly retryAt: Date
}

/** Rows whose handling failed, the most often failed first. */
export async function listQuarantined(sql: Sql, limit: number): Promise<Quarantined[]> {
  return await sql<Quarantined[]>`
    select kind, row_id as "rowId", failures, last_error as "lastError", retry_at as "retryAt"
    from (
      select 'subscription' as kind, subscription_id as row_id, failures, last_error, retry_at
      from subscriptions where failures > 0
      union all
      select 'charge', charge_id, failures, last_error, next_poll_at from charges where failures > 0
      union all
      select 'refund', refund_id, failures, last_error, next_poll_at from refunds where failures > 0
      union all
      select 'delivery', notification_id, failures, last_error, due_at from deliveries where failures > 0
      union all
      select 'redelivery', redelivery_id, failures, last_error, run_at from redeliveries where failures > 0) as quarantined
    order by failures desc, retry_at, row_id limit ${limit}`
}
