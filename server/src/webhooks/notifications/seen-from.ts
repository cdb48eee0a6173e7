import type { Location } from '../../core/subscription.ts'
import { type Part, part } from '../../platform/db/sql.ts'

/**
 * Filters a table with `resource_id` to notifications that concern a location (core/location.ts), by the current location of their
 * subscription or order. Costs a lookup per row, so callers without a location skip it.
 */
export function seenFrom(table: Part, { storeId, deviceId }: Location): Part {
  return part`${isOf(table, part`store_id`, storeId)} ${isOf(table, part`device_id`, deviceId)}`
}

/** A resource of the whole business has no location and concerns every location. */
function isOf(table: Part, column: Part, own: string | undefined): Part {
  if (own === undefined) return part``
  return part`
    and coalesce(
      (select p.${column} from subscriptions as p where p.subscription_id = ${table}.resource_id),
      (select p.${column} from orders as p where p.order_id = ${table}.resource_id),
      ${own}::uuid) = ${own}::uuid`
}
