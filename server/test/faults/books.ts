import assert from 'node:assert/strict'
import { totalsThatDisagree } from '../../src/money/ledger/books.fixture.ts'
import type { Db, Sql } from '../../src/platform/db/db.ts'
import { listCharges } from '../support/sandbox-bench.ts'
import type { Inbox } from './inbox.ts'

/** Database, inbox and clock, which outlive a service. */
export interface Kept {
  readonly db: Db
  readonly inbox: Inbox
  /** The service's clock. */
  now(): Date
}

/** Rows that a background job must still handle. */
export interface Unfinished {
  readonly charges: number
  readonly refunds: number
  readonly deliveries: number
  readonly openInvoices: number
  readonly subscriptionsDue: number
  readonly quarantined: number
}

export async function countUnfinished({ db: { sql }, now }: Kept): Promise<Unfinished> {
  const [row] = await sql<Unfinished[]>`
    select
      (select count(*) from charges where settled_at is null) as charges,
      (select count(*) from refunds where status = 'PENDING') as refunds,
      (select count(*) from deliveries) as deliveries,
      (select count(*) from invoices where status = 'OPEN') as "openInvoices",
      (select count(*) from subscriptions where next_action_at <= ${now()}) as "subscriptionsDue",
      (select count(*) from deliveries where failures > 0) + (select count(*) from subscriptions where failures > 0)
        + (select count(*) from charges where failures > 0) + (select count(*) from refunds where failures > 0) as quarantined`
  assert.ok(row)
  return row
}

/**
 * At rest: each invoice was paid by one charge known to the gateway, or given up without a charge; the ledger matches; each event was recorded once
 * and reached the listener with the recorded bytes.
 */
export async function assertBooksAgree(kept: Kept): Promise<void> {
  const unfinished = Object.entries(await countUnfinished(kept)).filter(([, count]) => count > 0)
  assert.deepEqual(unfinished, [])
  const { sql } = kept.db
  const invoices = await listInvoices(sql)
  for (const { status, succeeded, amount, charged } of invoices) {
    const expected = status === 'PAID' ? { succeeded: 1, charged: amount } : { succeeded: 0, charged: 0 }
    assert.deepEqual({ succeeded, charged }, expected, `an invoice that is ${status}`)
  }
  const gateway = await listCharges(sql)
  assert.equal(new Set(gateway.map(({ invoiceId }) => invoiceId)).size, gateway.length, 'one charge object an invoice')
  assert.deepEqual(taken(gateway), taken(invoices), 'the gateway took and gave back what our invoices say')
  assert.deepEqual(taken(await listLedger(sql)), taken(invoices), 'the ledger says what our invoices say')
  assert.deepEqual(await sumsThatAreNotZero(sql), [])
  assert.deepEqual(await totalsThatDisagree(sql), [], 'the sums of the books are those of their entries')
  assert.deepEqual(await listRecorded(sql), await listExpected(sql), 'each event is recorded once, and no other event')
  await assertDelivered(sql, kept.inbox)
}

interface Taken {
  readonly invoiceId: string
  readonly charged: number
  readonly refunded: number
}

interface InvoiceRow extends Taken {
  readonly status: string
  readonly amount: number
  readonly succeeded: number
}

async function listInvoices(sql: Sql): Promise<readonly InvoiceRow[]> {
  return await sql<InvoiceRow[]>`
    select i.invoice_id as "invoiceId", i.status, i.amount, i.amount_paid as charged, i.amount_refunded as refunded,
      (select count(*) from charges as c where c.invoice_id = i.invoice_id and c.status = 'SUCCEEDED') as succeeded
    from invoices as i`
}

async function listLedger(sql: Sql): Promise<readonly Taken[]> {
  return await sql<Taken[]>`
    select t.invoice_id as "invoiceId", sum(t.gateway) filter (where t.kind = 'CHARGE')::bigint as charged,
      coalesce(-sum(t.gateway) filter (where t.kind = 'REFUND'), 0)::bigint as refunded
    from ledger_transactions as t group by t.invoice_id`
}

async function sumsThatAreNotZero(sql: Sql): Promise<readonly unknown[]> {
  return [
    ...(await sql`
      select ledger_transaction_id from ledger_transactions where gateway + organization + operator + business_credit <> 0`),
  ]
}

interface Fact {
  readonly eventType: string
  /** The subscription or order. */
  readonly resourceId: string
  /** The invoice, for events of an invoice; else the resource. */
  readonly about: string
}

async function listRecorded(sql: Sql): Promise<Fact[]> {
  const rows = await sql<Fact[]>`
    select event_type as "eventType", resource_id as "resourceId",
      coalesce(substring(body from '/invoices/([0-9a-f-]{36})'), resource_id::text) as about
    from notifications`
  return [...rows].sort(byFact)
}

/** Events derived from the rows, independent of the recorded notifications. */
async function listExpected(sql: Sql): Promise<Fact[]> {
  const rows = await sql<Fact[]>`
    select 'APPLICATION_SUBSCRIPTION_START' as "eventType", subscription_id as "resourceId", subscription_id::text as about
    from subscriptions where status <> 'PENDING' and end_reason is distinct from 'NOT_STARTED'
    union all
    select 'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS', subscription_id, invoice_id::text from invoices
    where status = 'PAID'
    union all
    select 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS', i.subscription_id, i.invoice_id::text
    from refunds as r join invoices as i using (invoice_id) where r.status = 'SUCCEEDED'
    union all
    select 'APPLICATION_SUBSCRIPTION_END', subscription_id, subscription_id::text from subscriptions
    where status = 'ENDED' and end_reason <> 'NOT_STARTED'
    union all
    select 'ORDER_OPENED', order_id, order_id::text from orders`
  return [...rows].sort(byFact)
}

/** Every recorded notification reached the listener with its bytes. */
export async function assertDelivered(sql: Sql, inbox: Inbox): Promise<void> {
  assert.deepEqual(inbox.forged, [])
  const rows = await sql<{ id: string; body: string; status: string | null }[]>`
    select n.notification_id as id, n.body, o.status
    from notifications as n left join outcomes as o using (recorded_day, notification_id)`
  assert.deepEqual([...inbox.received.keys()].sort(), rows.map(({ id }) => id).sort())
  for (const { id, body, status } of rows) {
    assert.equal(status, 'DELIVERED')
    assert.deepEqual(new Set(inbox.received.get(id)), new Set([body]), 'the same bytes each time')
  }
}

/** Amounts by invoice, sorted. */
function taken(rows: readonly Taken[]): Taken[] {
  return rows
    .filter(({ charged }) => charged > 0)
    .map(({ invoiceId, charged, refunded }) => ({ invoiceId, charged, refunded }))
    .sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1))
}

function byFact(a: Fact, b: Fact): number {
  return a.eventType + a.about < b.eventType + b.about ? -1 : 1
}
