import type { Place } from '../../core/subscription.ts'
import { type Part, part } from '../../platform/db/sql.ts'

/**
 * Of the notifications of a table that has `resource_id`, those that concern a place, as core/place.ts has it: by where their
 * subscription or order is now. A look-up for each row, so only where a caller is bound to a place.
 */
export function seenFrom(table: Part, { storeId, deviceId }: Place): Part {
  return part`${isOf(table, part`store_id`, storeId)} ${isOf(table, part`device_id`, deviceId)}`
}

/** What is of the whole business has no place, and concerns all of it. */
function isOf(table: Part, column: Part, own: string | undefined): Part {
  if (own === undefined) return part``
  return part`
    and coalesce(
      (select p.${column} from subscriptions as p where p.subscription_id = ${table}.resource_id),
      (select p.${column} from orders as p where p.order_id = ${table}.resource_id),
      ${own}::uuid) = ${own}::uuid`
}
