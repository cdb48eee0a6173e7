import { DEFAULT_COUNT, type PageRequest } from '../../core/page.ts'
import { isSeenFrom } from '../../core/place.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import type { PageBegin, PagePlace, ReadPage, SubscriptionFilter } from './pages.ts'
import { findOwner } from './store.ts'

export interface ListInput extends PageRequest, SubscriptionFilter {
  /** The page after this subscription, in list order; wins over `start`. */
  readonly after?: string
}

export interface SubscriptionPage<Row> {
  readonly list: readonly Row[]
  /** The offset of the first item, however the page was asked for. */
  readonly start: number
  readonly total: number
  readonly next?: string
}

interface ListPorts<Row> extends Pick<Ports, 'db'> {
  /** As what the rows are read: `readPage`, or `writtenPages`. */
  read(sql: Sql, filter: SubscriptionFilter, place: PagePlace): Promise<ReadPage<Row>>
}

/** A page of an app's subscriptions, in the order createdAt, id. Source: interface, REST billing host; decisions 5, List. */
export async function listPage<Row extends { readonly subscriptionId: string }>(
  { db, read }: ListPorts<Row>,
  input: ListInput,
): Promise<SubscriptionPage<Row> | Rejection> {
  if (input.after !== undefined && !(await isOfList(db, input, input.after))) {
    return rejectField('after', 'must be the id of a subscription of this list')
  }
  const count = input.count ?? DEFAULT_COUNT
  const { rows, start, total } = await read(db.sql, input, { begin: beginOf(input), limit: count + 1 })
  const list = rows.slice(0, count)
  const last = rows.length > count ? list.at(-1) : undefined
  return { list, start, total, ...(last === undefined ? {} : { next: last.subscriptionId }) }
}

function beginOf({ after, start }: ListInput): PageBegin {
  return after === undefined ? (start ?? { offset: 0 }) : { after }
}

/** Another merchant's is no place in the list of one, and whoever sees one merchant does not learn that it exists. */
async function isOfList(
  { sql }: Ports['db'],
  { appId, businessId, seenFrom = {} }: ListInput,
  after: string,
): Promise<boolean> {
  const owner = await findOwner(sql, after)
  if (owner?.appId !== appId || !isSeenFrom(seenFrom, owner)) return false
  return businessId === undefined || owner.businessId === businessId
}
