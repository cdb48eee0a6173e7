import { addDays } from '../../core/calendar.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { recordMoneyMails } from './record.ts'

/** Decisions 6: "renewal ahead (yearly plans, 30 days)". A card is announced as early. */
const DAYS_AHEAD = 30
const BATCH = 1_000

/**
 * Records mails that time alone causes: a yearly renewal and the expiry of a default card within 30 days. Returns the
 * number of new mails. A renewal or a card is announced once.
 */
export async function announceAhead(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): Promise<number> {
  const now = ports.clock.now()
  const until = addDays(now, DAYS_AHEAD)
  return await ports.db.transaction(async ({ sql }) => {
    const renewals = await findYearlyRenewals(sql, { now, until })
    const cards = await findExpiringCards(sql, { from: monthOf(now), to: monthOf(until) })
    return await recordMoneyMails(sql, ports, [
      ...renewals.map(({ term, periodIndex, ...of }) => ({
        ...{ ...of, kind: 'RENEWAL_AHEAD' as const, sourceId: of.subscriptionId },
        ...{ sourceSeq: term * 1_000 + periodIndex, occurredAt: now },
      })),
      ...cards.map(({ paymentMethodId, businessId, expires }) => ({
        ...{ kind: 'CARD_EXPIRING' as const, sourceId: paymentMethodId, businessId },
        ...{ sourceSeq: Number(expires.replace('-', '')), occurredAt: now },
      })),
    ])
  })
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}

interface Renewal {
  readonly subscriptionId: string
  readonly businessId: string
  readonly term: number
  readonly periodIndex: number
}

async function findYearlyRenewals(sql: Sql, { now, until }: { now: Date; until: Date }): Promise<Renewal[]> {
  return await sql<Renewal[]>`
    select s.subscription_id as "subscriptionId", s.business_id as "businessId", s.term, s.period_index as "periodIndex"
    from subscriptions as s join plans as p using (plan_id)
    where s.next_action_at > ${now} and s.current_period_end > ${now} and s.current_period_end <= ${until}
      and s.status = 'ACTIVE' and s.phase = 'FULL' and s.cancel_at is null and s.merchant_type = 'MERCHANT'
      and coalesce(s.pending_amount, s.amount) > 0 and (p.interval = 'YEAR' or p.interval = 'MONTH' and p.interval_count = 12)
      and not exists (
        select 1 from money_mails as m
        where m.kind = 'RENEWAL_AHEAD' and m.source_id = s.subscription_id
          and m.source_seq = s.term * 1000 + s.period_index)
    order by s.current_period_end limit ${BATCH}`
}

interface ExpiringCard {
  readonly paymentMethodId: string
  readonly businessId: string
  readonly expires: string
}

/** Default cards of merchants with a live paid subscription. */
async function findExpiringCards(sql: Sql, { from, to }: { from: string; to: string }): Promise<ExpiringCard[]> {
  return await sql<ExpiringCard[]>`
    select c.payment_method_id as "paymentMethodId", c.business_id as "businessId", c.expires
    from payment_methods as c join businesses as b using (business_id)
    where c.expires between ${from} and ${to} and c.removed_at is null and b.type = 'MERCHANT'
      and not exists (
        select 1 from payment_methods as newer
        where newer.business_id = c.business_id and newer.removed_at is null and newer.preferred_at > c.preferred_at)
      and exists (
        select 1 from subscriptions as s
        where s.business_id = c.business_id and s.status = 'ACTIVE' and s.amount > 0 and s.cancel_at is null)
      and not exists (
        select 1 from money_mails as m
        where m.kind = 'CARD_EXPIRING' and m.source_id = c.payment_method_id
          and m.source_seq = replace(c.expires, '-', '')::integer)
    limit ${BATCH}`
}
