import type { MerchantType } from '../../core/business.ts'
import type { Charge, PolledCharge } from '../../core/charge.ts'
import type { Sql } from '../../platform/db/db.ts'
import { errorText, retryTime } from '../../platform/db/quarantine.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { GatewayName } from '../gateway/gateway.ts'

type Row = RowOf<Charge>

interface NewCharge extends Omit<Charge, 'status' | 'pollCount'> {
  readonly appId: string
  readonly merchantType: MerchantType
  /** Real time: the charge may be claimed from then on. */
  readonly nextPollAt: Date
}

/** The fourth lock against double charges: a charge is committed before anything is sent to the gateway. */
export async function insertCharges(sql: Sql, charges: readonly NewCharge[]): Promise<void> {
  if (charges.length === 0) return
  await sql`
    insert into charges (
      charge_id, invoice_id, subscription_id, app_id, business_id, merchant_type, test_clock_id, payment_method_id, amount,
      currency, status, started_at, next_poll_at, poll_count)
    select "chargeId", "invoiceId", "subscriptionId", "appId", "businessId", "merchantType", "testClockId",
      "paymentMethodId", "amount", "currency", 'IN_FLIGHT', "startedAt", "nextPollAt", 0
    from jsonb_to_recordset(${sql.json(charges as never)}) as x (
      "chargeId" uuid, "invoiceId" uuid, "subscriptionId" uuid, "appId" uuid, "businessId" uuid,
      "merchantType" text, "testClockId" uuid, "paymentMethodId" uuid, "amount" bigint, "currency" text, "startedAt" timestamptz, "nextPollAt" timestamptz)`
}

interface Claim {
  /** Real time. */
  readonly now: Date
  readonly leasedUntil: Date
  readonly limit: number
  /** Only charges of this test clock. */
  readonly testClockId?: string
}

/** `isOwed`: the invoice is still open. A charge of a closed invoice must not be sent. */
export type ClaimedCharge = Charge & { readonly isOwed: boolean }

/**
 * Claims new charges, charges due for a poll, and charges whose process died. The inner select becomes one array, so the outer statement
 * uses the primary key.
 */
export async function claimCharges(sql: Sql, claim: Claim): Promise<ClaimedCharge[]> {
  const ofClock = claim.testClockId ? sql`and test_clock_id = ${claim.testClockId}` : sql``
  const rows = await sql<(Row & { isOwed: boolean })[]>`
    update charges set next_poll_at = ${claim.leasedUntil}, poll_count = poll_count + 1, leased = true
    where charge_id = any(array(
      select charge_id from charges
      where next_poll_at <= ${claim.now} ${ofClock}
      order by next_poll_at
      limit ${claim.limit}
      for no key update skip locked))
    returning ${columns(sql)}, (
      select i.status from invoices as i where i.invoice_id = charges.invoice_id) = 'OPEN' as "isOwed"`
  return rows.map(row => present(row))
}

/** Renews the lease of charges that the process still works on. Settled charges and locked rows are skipped. */
export async function renewLeases(sql: Sql, chargeIds: readonly string[], leasedUntil: Date): Promise<void> {
  await sql`
    update charges set next_poll_at = ${leasedUntil}
    where charge_id in (
      select charge_id from charges where charge_id = any(${chargeIds as string[]}::uuid[]) and leased
      for no key update skip locked)`
}

/** Reads the status of charges, and whether their invoices are open. */
export async function findStandings(
  sql: Sql,
  chargeIds: readonly string[],
): Promise<Map<string, Pick<ClaimedCharge, 'status' | 'isOwed'>>> {
  const rows = await sql<Pick<ClaimedCharge, 'chargeId' | 'status' | 'isOwed'>[]>`
    select charge_id as "chargeId", c.status, i.status = 'OPEN' as "isOwed"
    from charges as c join invoices as i using (invoice_id)
    where charge_id = any(${chargeIds as string[]}::uuid[])`
  return new Map(rows.map(({ chargeId, ...standing }) => [chargeId, standing]))
}

/**
 * Counts the charges of a test clock whose outcome is on its way: unsettled charges, except those that wait for the
 * payer or the bank and are neither claimed nor due for a poll. `waitsUntil` is the earliest instant at which a
 * waiting charge is given up.
 */
export async function findUnsettledOnClock(sql: Sql, of: { testClockId: string; realNow: Date }) {
  const [row] = await sql<{ working: number; waitsUntil: Date | null }[]>`
    select count(*) filter (where waits_until is null or leased or next_poll_at <= ${of.realNow}) as working, min(waits_until) as "waitsUntil"
    from charges where test_clock_id = ${of.testClockId} and next_poll_at is not null and settled_at is null`
  return row ?? { working: 0, waitsUntil: null }
}

/** Makes the waiting charges of a test clock due for a poll: all, or only charges whose `waits_until` is not after `by`. */
export async function pollWaitingCharges(
  sql: Sql,
  of: { testClockId: string; by?: Date; nextPollAt: Date },
): Promise<void> {
  await sql`
    update charges set next_poll_at = ${of.nextPollAt}
    where test_clock_id = ${of.testClockId} and waits_until <= coalesce(${of.by ?? null}::timestamptz, 'infinity') and next_poll_at is not null
      and not leased and failures = 0`
}

/** Makes charges that wait for the payer due for a poll. Their subscriptions must be locked. */
export async function pollAskedCharges(
  sql: Sql,
  of: { readonly chargeIds: readonly string[]; readonly nextPollAt: Date },
): Promise<void> {
  await sql`
    update charges set next_poll_at = ${of.nextPollAt}
    where charge_id = any(${of.chargeIds as string[]}::uuid[]) and status = 'ACTION_REQUIRED'`
}

/** Makes a charge without an outcome due for a poll, unless the charge is due or claimed. */
export async function makeDue(
  sql: Sql,
  { chargeId, now }: { readonly chargeId: string; readonly now: Date },
): Promise<void> {
  await sql`
    update charges set next_poll_at = ${now}
    where charge_id = ${chargeId} and settled_at is null and not leased and next_poll_at > ${now}`
}

/** Gives waiting charges a new deadline in real time, because their test clock is deleted. */
export async function waitWithoutClock(sql: Sql, of: { testClockId: string; waitsUntil: Date }): Promise<void> {
  await sql`
    update charges set waits_until = ${of.waitsUntil} where test_clock_id = ${of.testClockId} and waits_until is not null`
}

/** Locks charges in the order of their ids. Their subscriptions must be locked before. */
export async function lockCharges(sql: Sql, chargeIds: readonly string[]): Promise<Map<string, Charge>> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from charges where charge_id = any(${chargeIds as string[]}::uuid[])
    order by charge_id for no key update`
  return new Map(rows.map(row => [row.chargeId, present(row)]))
}

export async function findChargesOfInvoices(sql: Sql, invoiceIds: readonly string[]): Promise<Charge[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from charges where invoice_id = any(${invoiceIds as string[]}::uuid[])
    order by started_at, charge_id`
  return rows.map(row => present(row))
}

/** Whether a charge with this payment method is open, or may still succeed. */
export async function isMethodCharging(sql: Sql, paymentMethodId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from charges
    where payment_method_id = ${paymentMethodId} and next_poll_at is not null and settled_at is null limit 1`
  return rows.length > 0
}

/** Writes the results of polls in one statement. The charges must be locked. */
export async function saveCharges(sql: Sql, charges: readonly PolledCharge[]): Promise<void> {
  await sql`
    update charges as c set
      status = x."status", reason = x."reason", action_url = x."actionUrl", settled_at = x."settledAt", waits_until = x."waitsUntil",
      next_poll_at = x."nextPollAt", leased = false, failures = 0, last_error = null
    from jsonb_to_recordset(${sql.json(charges as never)}) as x (
      "chargeId" uuid, "status" text, "reason" text, "actionUrl" text, "settledAt" timestamptz, "waitsUntil" timestamptz,
      "nextPollAt" timestamptz)
    where c.charge_id = x."chargeId"`
}

/** Schedules a retry and lists the charge for the operator. A charge that is settled by now stays unchanged. */
export async function quarantineCharge(sql: Sql, of: { chargeId: string; error: unknown; now: Date }): Promise<void> {
  await sql`
    update charges set failures = failures + 1, last_error = ${errorText(of.error)}, next_poll_at = ${retryTime(sql, of.now)},
      leased = false
    where charge_id = ${of.chargeId} and next_poll_at is not null`
}

/** Finds the charges whose invoice has another attempt that has succeeded or still may. */
export async function findOtherAlive(
  sql: Sql,
  charges: readonly Pick<Charge, 'chargeId' | 'invoiceId'>[],
): Promise<Set<string>> {
  if (charges.length === 0) return new Set()
  const given = charges.map(({ chargeId, invoiceId }) => ({ chargeId, invoiceId }))
  const rows = await sql<{ chargeId: string }[]>`
    select "chargeId" from jsonb_to_recordset(${sql.json(given)}) as x ("chargeId" uuid, "invoiceId" uuid)
    where exists (
      select 1 from charges
      where invoice_id = "invoiceId" and charge_id <> "chargeId"
        and status in ('IN_FLIGHT', 'PENDING', 'ACTION_REQUIRED', 'UNKNOWN', 'SUCCEEDED'))`
  return new Set(rows.map(({ chargeId }) => chargeId))
}

/** Finds the charges of subscriptions that never had a paid invoice. */
export async function findNeverPaid(
  sql: Sql,
  charges: readonly Pick<Charge, 'chargeId' | 'subscriptionId'>[],
): Promise<Set<string>> {
  if (charges.length === 0) return new Set()
  const given = charges.map(({ chargeId, subscriptionId }) => ({ chargeId, subscriptionId }))
  const rows = await sql<{ chargeId: string }[]>`
    select "chargeId" from jsonb_to_recordset(${sql.json(given)}) as x ("chargeId" uuid, "subscriptionId" uuid)
    where not exists (
      select 1 from invoices where invoices.subscription_id = "subscriptionId" and status = 'PAID')`
  return new Set(rows.map(({ chargeId }) => chargeId))
}

/** The charge of a subscription that began last. */
export async function findLatestCharge(sql: Sql, subscriptionId: string): Promise<Charge | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from charges where subscription_id = ${subscriptionId}
    order by started_at desc, charge_id desc limit 1`
  return row ? present(row) : null
}

/** The payment object at the gateway that belongs to an invoice. */
export interface ChargeObject {
  readonly gateway: GatewayName
  readonly gatewayChargeId: string
}

export async function findChargeObject(sql: Sql, invoiceId: string): Promise<ChargeObject | null> {
  return (await findChargeObjects(sql, [invoiceId])).get(invoiceId) ?? null
}

export async function findChargeObjects(sql: Sql, invoiceIds: readonly string[]): Promise<Map<string, ChargeObject>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await sql<(ChargeObject & { invoiceId: string })[]>`
    select invoice_id as "invoiceId", gateway, gateway_charge_id as "gatewayChargeId" from charge_objects
    where invoice_id = any(${invoiceIds as string[]}::uuid[])`
  return new Map(rows.map(({ invoiceId, ...object }) => [invoiceId, object]))
}

export async function findInvoiceOfObject(
  sql: Sql,
  { gateway, gatewayChargeId }: ChargeObject,
): Promise<string | null> {
  const [row] = await sql<{ invoiceId: string }[]>`
    select invoice_id as "invoiceId" from charge_objects
    where gateway = ${gateway} and gateway_charge_id = ${gatewayChargeId}`
  return row?.invoiceId ?? null
}

/** Replaces a charge object that was cancelled at the gateway. A repeated call changes nothing. */
export async function replaceChargeObject(
  sql: Sql,
  replace: NewChargeObject & { readonly cancelled: string; readonly now: Date },
): Promise<void> {
  await sql`
    update charge_objects set gateway_charge_id = ${replace.gatewayChargeId}, created_at = ${replace.now}
    where invoice_id = ${replace.invoiceId} and gateway = ${replace.gateway} and gateway_charge_id = ${replace.cancelled}`
}

export type NewChargeObject = ChargeObject & { readonly invoiceId: string }

/**
 * The second lock against double charges: the first object stored for an invoice stays its only one. Returns the
 * stored objects.
 */
export async function storeChargeObjects(
  sql: Sql,
  objects: readonly NewChargeObject[],
  now: Date,
): Promise<Map<string, ChargeObject>> {
  const stored = await sql<{ invoiceId: string }[]>`
    insert into charge_objects (invoice_id, gateway, gateway_charge_id, created_at)
    select "invoiceId", "gateway", "gatewayChargeId", ${now}
    from jsonb_to_recordset(${sql.json(objects as never)}) as x (
      "invoiceId" uuid, "gateway" text, "gatewayChargeId" text)
    order by "invoiceId"
    on conflict (invoice_id) do nothing
    returning invoice_id as "invoiceId"`
  const fresh = new Set(stored.map(({ invoiceId }) => invoiceId))
  const others = objects.flatMap(({ invoiceId }) => (fresh.has(invoiceId) ? [] : invoiceId))
  const made = objects.filter(({ invoiceId }) => fresh.has(invoiceId))
  return new Map([
    ...(await findChargeObjects(sql, others)),
    ...made.map(({ invoiceId, ...object }) => [invoiceId, object] as const),
  ])
}

const columns = (sql: Sql) => sql`
  charge_id as "chargeId", invoice_id as "invoiceId", subscription_id as "subscriptionId",
  business_id as "businessId", test_clock_id as "testClockId", payment_method_id as "paymentMethodId", amount, currency,
  status, reason, action_url as "actionUrl", started_at as "startedAt", settled_at as "settledAt", waits_until as "waitsUntil", poll_count as "pollCount"`
