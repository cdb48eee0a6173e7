import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** A PAID invoice has one charge that succeeded, unless credit covered it wholly; no other invoice has any. */
export async function findWrongPayments(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select i.invoice_id as id, format('%s, with %s charges that succeeded', i.status, c.succeeded) as problem
    from invoices as i
    cross join lateral (
      select count(*) as succeeded from charges
      where charges.invoice_id = i.invoice_id and charges.status = 'SUCCEEDED') as c
    where c.succeeded <> case when i.status = 'PAID' and i.amount > 0 then 1 else 0 end
    limit ${limit}`
}

/** No charge starts in the trial, before the start or after the end of its subscription. */
export async function findChargesOutOfTime(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select c.charge_id as id,
      format('started %s; the trial ends %s, the subscription ended %s', c.started_at, s.trial_end_at, s.ended_at) as problem
    from charges as c join subscriptions as s using (subscription_id)
    where c.started_at < coalesce(s.trial_end_at, s.started_at) or c.started_at > s.ended_at or s.phase = 'TRIAL'
    limit ${limit}`
}

/** The gateway knows an invoice by one charge object. Of the sandbox alone: no other gateway's books lie here. */
export async function findSurplusChargeObjects(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select metadata ->> 'invoiceId' as id, format('%s charge objects at the gateway', count(*)) as problem
    from sandbox_charges group by metadata ->> 'invoiceId' having count(*) > 1
    limit ${limit}`
}

/**
 * What the sandbox took and gave back for an invoice is what our charges and refunds say. While one of ours is not
 * settled, or is still looked after, the gateway may be ahead: its answer is on the way. We are never ahead.
 */
export async function findBooksApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with given as (
      select gateway_charge_id, sum(amount) as refunded from sandbox_refunds
      where outcome ->> 'kind' = 'succeeded' group by gateway_charge_id),
    gateway as (
      select (metadata ->> 'invoiceId')::uuid as invoice_id,
        coalesce(sum(amount) filter (where succeeded_key is not null), 0) as charged,
        coalesce(sum(refunded), 0) as refunded
      from sandbox_charges left join given using (gateway_charge_id)
      group by 1),
    ours as (
      select i.invoice_id, coalesce(g.charged, 0) as gateway_charged, coalesce(g.refunded, 0) as gateway_refunded,
        (select coalesce(sum(amount), 0) from charges as c
          where c.invoice_id = i.invoice_id and c.status = 'SUCCEEDED') as charged,
        exists (select 1 from charges as c where c.invoice_id = i.invoice_id and c.next_poll_at is not null) as charging,
        (select coalesce(sum(amount), 0) from refunds as r
          where r.invoice_id = i.invoice_id and r.status = 'SUCCEEDED') as refunded,
        exists (select 1 from refunds as r where r.invoice_id = i.invoice_id and r.status = 'PENDING') as refunding
      from invoices as i
      left join gateway as g using (invoice_id)
      left join charge_objects as o using (invoice_id)
      where coalesce(o.gateway, 'sandbox') = 'sandbox')
    select invoice_id as id, format('the gateway charged %s and gave back %s; we say %s and %s',
      gateway_charged, gateway_refunded, charged, refunded) as problem
    from ours
    where gateway_charged < charged or (gateway_charged > charged and not charging)
      or gateway_refunded < refunded or (gateway_refunded > refunded and not refunding)
    limit ${limit}`
}
