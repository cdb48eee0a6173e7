import { DEFAULT_COUNT, type PageRequest } from '../core/page.ts'
import { type Refusal, refuseField } from '../core/refusal.ts'
import type { Subscription, SubscriptionStatus } from '../core/subscription.ts'
import type { Ports } from '../ports.ts'
import { countSubscriptions, findSubscription, listSubscriptions, rankOf, type SubscriptionFilter } from './store.ts'

export interface ListInput extends PageRequest {
  readonly appId: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  readonly planId?: string
  readonly status: SubscriptionStatus | 'ALL'
  /** The page after this subscription, in list order; wins over `start`. */
  readonly after?: string
}

export interface SubscriptionPage {
  readonly list: readonly Subscription[]
  /** The offset of the first item, however the page was asked for. */
  readonly start: number
  readonly total: number
  readonly next?: string
}

/** A page of an app's subscriptions, in the order createdAt, id. Source: interface, REST billing host; decisions 5, List. */
export async function listPage({ db }: Pick<Ports, 'db'>, input: ListInput): Promise<SubscriptionPage | Refusal> {
  const filter: SubscriptionFilter = input
  const total = await countSubscriptions(db.sql, filter)
  const place = await placeOf(db, input)
  if ('refused' in place) return place
  const count = input.count ?? DEFAULT_COUNT
  const rows = await listSubscriptions(db.sql, filter, { ...place, limit: count + 1 })
  const list = rows.slice(0, count)
  const last = rows.length > count ? list.at(-1) : undefined
  return { list, start: place.start, total, ...(last === undefined ? {} : { next: last.subscriptionId }) }
}

/** Where the page begins: an offset into the filtered list, or a row to go on from. */
async function placeOf(
  db: Ports['db'],
  input: ListInput,
): Promise<{ start: number; offset: number; after?: Subscription } | Refusal> {
  if (input.after !== undefined) {
    const after = await findSubscription(db.sql, input.after)
    // Another merchant's is no place in the list of one, and whoever sees one merchant does not learn that it exists.
    const isForeign = input.businessId !== undefined && after?.businessId !== input.businessId
    if (after === null || after.appId !== input.appId || isForeign) {
      return refuseField('after', 'must be the id of a subscription of this list')
    }
    return { start: await rankOf(db.sql, input, after), offset: 0, after }
  }
  const begin = input.start ?? { offset: 0 }
  const start = 'offset' in begin ? begin.offset : await rankOf(db.sql, input, { createdAt: begin.createdFrom })
  return { start, offset: start }
}
