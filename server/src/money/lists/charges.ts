import type { Charge } from '../../core/charge.ts'
import { firstIdAt } from '../../core/id.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'
import { appsOf, isOfFewMerchants, type ListFilter, type OfInvoice, ofScope } from './scope.ts'

/** DECLINED: softly or hard. */
export const LISTED_STATUSES = [
  'SUCCEEDED',
  'DECLINED',
  'IN_FLIGHT',
  'PENDING',
  'ACTION_REQUIRED',
  'UNKNOWN',
  'WITHDRAWN',
] as const
export type ListedStatus = (typeof LISTED_STATUSES)[number]

export interface ChargesFilter extends ListFilter {
  readonly status?: ListedStatus
  readonly invoiceId?: string
}

type Shown = 'chargeId' | 'invoiceId' | 'status' | 'reason' | 'amount' | 'startedAt' | 'settledAt'
export type ListedCharge = OfInvoice & Pick<Charge, Shown>

/** Lists charges of all apps in the scope, newest first. */
export async function pageOfCharges(
  { db }: Pick<Ports, 'db'>,
  filter: ChargesFilter,
  slice: Slice,
): Promise<Listed<ListedCharge>> {
  const ids = await idsOf(db.sql, filter, { ...slice, limit: slice.limit + 1 })
  const { items, ...more } = listed(ids, slice.limit, id => id)
  return { items: await findListed(db.sql, items), ...more }
}

async function idsOf(sql: Sql, filter: ChargesFilter, { limit, after }: Slice): Promise<string[]> {
  const { scope, status, invoiceId, startAt, endAt } = filter
  const ofCaller = ofScope(sql, scope, ['charge_id', 'invoice_id'])
  const matches = sql`
    ${status ? ofStatus(sql, status) : sql``}
    ${invoiceId ? sql`and r.invoice_id = ${invoiceId}` : sql``}
    ${startAt ? sql`and r.charge_id >= ${firstIdAt(startAt)}` : sql``}
    ${endAt ? sql`and r.charge_id < ${firstIdAt(endAt)}` : sql``}
    ${after ? sql`and r.charge_id < ${after}` : sql``}`
  const order = sql`order by charge_id desc limit ${limit}`
  const isById = invoiceId !== undefined || (scope.search !== undefined && 'id' in scope.search)
  const rows = await (isById
    ? sql<{ chargeId: string }[]>`
        select charge_id as "chargeId" from charges as r where true ${ofCaller} ${matches} ${order}`
    : isOfFewMerchants(scope)
      ? sql<{ chargeId: string }[]>`
          select charge_id as "chargeId"
          from (select invoice_id from invoices as r where true ${ofCaller}) as i join charges as r using (invoice_id)
          where true ${matches} ${order}`
      : sql<{ chargeId: string }[]>`
          select charge_id as "chargeId"
          from ${appsOf(sql, scope)} as a
          cross join (values ('MERCHANT'), ('TEST_MERCHANT')) as of (merchant_type)
          cross join lateral (
            select charge_id from charges as r
            where r.app_id = a.app_id and r.merchant_type = of.merchant_type ${ofCaller} ${matches} ${order}) as c
          ${order}`)
  return rows.map(({ chargeId }) => chargeId)
}

/** Literals, so that every plan can use the index of failed charges and that of charges to poll. */
function ofStatus(sql: Sql, status: ListedStatus) {
  switch (status) {
    case 'SUCCEEDED':
      return sql`and r.status = 'SUCCEEDED'`
    case 'DECLINED':
      return sql`and r.status in ('DECLINED_SOFT', 'DECLINED_HARD')`
    case 'WITHDRAWN':
      return sql`and r.status = 'WITHDRAWN'`
    default:
      return sql`and r.status = ${status} and r.next_poll_at is not null`
  }
}

async function findListed(sql: Sql, chargeIds: readonly string[]): Promise<ListedCharge[]> {
  const rows = await sql<RowOf<ListedCharge>[]>`
    select charge_id as "chargeId", c.invoice_id as "invoiceId", i.number, c.app_id as "appId", a.name as "appName",
      c.business_id as "businessId", coalesce(nullif(b.doing_business_as, ''), b.legal_name) as "businessName",
      c.subscription_id as "subscriptionId", c.merchant_type as "merchantType", c.status, c.reason, c.amount, c.currency,
      c.started_at as "startedAt", c.settled_at as "settledAt"
    from charges as c join invoices as i on i.invoice_id = c.invoice_id join apps as a on a.app_id = c.app_id
      join businesses as b on b.business_id = c.business_id
    where charge_id = any(${chargeIds as string[]}::uuid[])
    order by charge_id desc`
  return rows.map(row => present(row))
}
