import { MAY_COME_LATE } from '../../core/charge.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Present, present } from '../../platform/db/sql.ts'
import type { ReconcileResult } from '../billing/reconcile.ts'
import type { GatewayName } from '../gateway/gateway.ts'

interface RunRow {
  gateway: GatewayName
  fromAt: Date
  untilAt: Date
  finishedAt: Date | null
  compared: number
  repaired: number
  discrepancies: number
}
export type Reconciliation = Present<RunRow>

/**
 * Claims the run of a day unless the run is finished or leased. A new run begins at the end of the last finished run; the first run begins with the
 * first charge object, whose time is real also on a test clock.
 */
export async function claimReconciliation(
  sql: Sql,
  claim: { gateway: GatewayName; untilAt: Date; latestFromAt: Date; now: Date; leasedUntil: Date },
): Promise<Reconciliation | null> {
  const [row] = await sql<RunRow[]>`
    insert into reconciliations as r (gateway, until_at, from_at, leased_until, compared, repaired, discrepancies)
    values (${claim.gateway}, ${claim.untilAt}, coalesce((
        select max(until_at) from reconciliations
        where gateway = ${claim.gateway} and finished_at is not null and until_at < ${claim.untilAt}),
      (select least(min(created_at), ${claim.latestFromAt}) from charge_objects where gateway = ${claim.gateway})),
      ${claim.leasedUntil}, 0, 0, 0)
    on conflict (gateway, until_at) do update set leased_until = excluded.leased_until
      where r.leased_until <= ${claim.now}
    returning ${columns(sql)}`
  return row ? present(row) : null
}

export async function extendLease(
  sql: Sql,
  { gateway, untilAt, leasedUntil }: { gateway: GatewayName; untilAt: Date; leasedUntil: Date },
): Promise<void> {
  await sql`
    update reconciliations set leased_until = ${leasedUntil}
    where gateway = ${gateway} and until_at = ${untilAt} and finished_at is null`
}

export async function finishReconciliation(sql: Sql, run: Reconciliation & { finishedAt: Date }): Promise<void> {
  await sql`
    update reconciliations set leased_until = null, finished_at = ${run.finishedAt}, compared = ${run.compared},
      repaired = ${run.repaired}, discrepancies = ${run.discrepancies}
    where gateway = ${run.gateway} and until_at = ${run.untilAt}`
}

/** Newest first. */
export async function listReconciliations(sql: Sql, limit: number): Promise<Reconciliation[]> {
  const rows = await sql<RunRow[]>`
    select ${columns(sql)} from reconciliations order by until_at desc, gateway limit ${limit}`
  return rows.map(row => present(row))
}

/**
 * Our charge objects to compare: successful charges, given-up charges, successful refunds, and open discrepancies. A gateway lists charges by
 * creation time, so a given-up charge that succeeds weeks later appears only here. Charges on test clocks have times of their own; the
 * gateway's list supplies them.
 */
export async function listOurs(
  sql: Sql,
  of: { gateway: GatewayName; chargedSince: Date; givenUpSince: Date; refundedSince: Date },
): Promise<string[]> {
  const rows = await sql<{ gatewayChargeId: string }[]>`
    select o.gateway_charge_id as "gatewayChargeId" from charges as c join charge_objects as o using (invoice_id)
    where c.status = 'SUCCEEDED' and c.settled_at >= ${of.chargedSince} and c.test_clock_id is null
      and o.gateway = ${of.gateway}
    union
    select o.gateway_charge_id from charges as c join charge_objects as o using (invoice_id)
    where c.status = 'DECLINED_SOFT' and c.settled_at >= ${of.givenUpSince} and c.reason = any(${MAY_COME_LATE as string[]})
      and c.test_clock_id is null and o.gateway = ${of.gateway}
    union
    select o.gateway_charge_id from refunds as r
    join charge_objects as o using (invoice_id)
    join invoices as i using (invoice_id)
    join subscriptions as s using (subscription_id)
    where r.status = 'SUCCEEDED' and r.updated_at >= ${of.refundedSince} and s.test_clock_id is null
      and o.gateway = ${of.gateway}
    union
    select gateway_charge_id from reconciliation_discrepancies where gateway = ${of.gateway} and gone_at is null`
  return rows.map(({ gatewayChargeId }) => gatewayChargeId)
}

/** Records the discrepancies of one charge object; its other discrepancies are gone, unless the object was not compared. */
export async function recordDiscrepancies(
  sql: Sql,
  of: { gateway: GatewayName; gatewayChargeId: string; now: Date } & Pick<
    ReconcileResult,
    'invoiceId' | 'discrepancies'
  >,
): Promise<void> {
  const found = [...new Map(of.discrepancies.map(one => [one.kind, one])).values()]
  const kinds = found.map(({ kind }) => kind)
  if (!kinds.includes('NOT_COMPARED')) {
    await sql`
      update reconciliation_discrepancies set gone_at = ${of.now}
      where gateway = ${of.gateway} and gateway_charge_id = ${of.gatewayChargeId} and gone_at is null
        and kind <> all(${kinds}::text[])`
  }
  if (found.length === 0) return
  await sql`
    insert into reconciliation_discrepancies as d (
      gateway, gateway_charge_id, kind, detail, invoice_id, first_seen_at, last_seen_at)
    select ${of.gateway}, ${of.gatewayChargeId}, "kind", "detail", ${of.invoiceId ?? null}::uuid, ${of.now}::timestamptz,
      ${of.now}::timestamptz
    from jsonb_to_recordset(${sql.json(found as never)}) as x ("kind" text, "detail" text)
    on conflict (gateway, gateway_charge_id, kind) do update set
      detail = excluded.detail, last_seen_at = excluded.last_seen_at, gone_at = null,
      first_seen_at = case when d.gone_at is null then d.first_seen_at else excluded.first_seen_at end`
}

interface DiscrepancyRow {
  gateway: GatewayName
  gatewayChargeId: string
  kind: string
  detail: string
  invoiceId: string | null
  firstSeenAt: Date
  lastSeenAt: Date
}
export type OpenDiscrepancy = Present<DiscrepancyRow>

/** Oldest first. */
export async function listDiscrepancies(sql: Sql, limit: number): Promise<OpenDiscrepancy[]> {
  const rows = await sql<DiscrepancyRow[]>`
    select gateway, gateway_charge_id as "gatewayChargeId", kind, detail, invoice_id as "invoiceId",
      first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"
    from reconciliation_discrepancies where gone_at is null order by first_seen_at, gateway_charge_id, kind limit ${limit}`
  return rows.map(row => present(row))
}

const columns = (sql: Sql) => sql`
  gateway, from_at as "fromAt", until_at as "untilAt", finished_at as "finishedAt", compared, repaired, discrepancies`
