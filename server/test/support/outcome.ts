import assert from 'node:assert/strict'
import type { Db } from '../../src/platform/db/db.ts'
import type { Bought, Outcome } from './conformance/service.ts'

const PREFIX = 'APPLICATION_SUBSCRIPTION_'

/** The outcome of one purchase in the books and the outbox. */
export async function outcomeOf({ sql }: Db, { businessId, gatewayChargeId }: Bought): Promise<Outcome> {
  const [subscription, ...others] = await sql<{ status: string; paymentStatus: string }[]>`
    select status, payment_status as "paymentStatus" from subscriptions where business_id = ${businessId}`
  const [invoice, ...more] = await sql<Outcome['invoice'][]>`
    select status, amount_paid as paid, amount_refunded as refunded, lost_in_disputes as "lostInDisputes"
    from invoices where business_id = ${businessId}`
  assert.ok(subscription && invoice)
  assert.deepEqual([others, more], [[], []])
  const charges = await sql<{ status: string }[]>`
    select status from charges where business_id = ${businessId} order by charge_id`
  const refunds = await sql<{ text: string }[]>`
    select concat_ws(' ', status, amount, origin) as text from refunds where business_id = ${businessId} order by 1`
  const ledger = await sql<Outcome['ledger'][number][]>`
    select regexp_replace(kind, '_RETURN$', '') as kind, sum(gateway)::bigint as gateway,
      sum(organization)::bigint as organization, sum(operator)::bigint as operator, sum(business_credit)::bigint as credit
    from ledger_transactions where business_id = ${businessId}
    group by 1 having sum(gateway) <> 0 or sum(business_credit) <> 0 order by 1`
  // A state of a dispute that passed before it was polled has no event, so these events depend on the order.
  const events = await sql<{ eventType: string }[]>`
    select event_type as "eventType" from notifications where business_id = ${businessId} and event_type not like '%DISPUTE%' order by notification_id`
  const discrepancies = await sql<{ kind: string }[]>`
    select kind from reconciliation_discrepancies
    where gateway_charge_id = ${gatewayChargeId} and gone_at is null order by kind`
  return {
    subscription: [subscription.status, subscription.paymentStatus],
    invoice,
    charges: charges.map(({ status }) => status),
    refunds: refunds.map(({ text }) => text),
    ledger: [...ledger],
    eventTypes: events.map(({ eventType }) => eventType.replace(PREFIX, '')),
    discrepancies: discrepancies.map(({ kind }) => kind),
  }
}
