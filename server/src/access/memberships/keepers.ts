import { keeperOf, keyOfPlace } from '../../core/membership.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { listMembershipsOfUser, lockKeepers } from './store.ts'

/**
 * Said of a person who is about to be disabled, where one of their places would be left with nobody who may let people in.
 * To be called in the transaction that disables them: until it ends, no other of those places is removed or disabled.
 * `evenIfLast`: only of the operator's own place; in all others the operator can let somebody else in.
 */
export async function refuseLastKeeper(
  sql: Sql,
  userId: string,
  { evenIfLast }: { readonly evenIfLast: boolean },
): Promise<Rejection | null> {
  const memberships = await listMembershipsOfUser(sql, userId)
  const kept = memberships.filter(({ role, place }) => role === keeperOf(place.kind))
  // In one order for everybody, or two could wait for each other.
  for (const { membershipId, place } of kept.sort((a, b) => (keyOfPlace(a.place) < keyOfPlace(b.place) ? -1 : 1))) {
    const keepers = await lockKeepers(sql, place)
    const isLast = keepers.length === 1 && keepers[0] === membershipId
    if (!isLast) continue
    if (place.kind === 'OPERATOR') return lastKeeper()
    if (!evenIfLast) return lastKeeper('or disable this one with evenIfLast, and invite another one')
  }
  return null
}

export function lastKeeper(orElse?: string): Rejection {
  const advice = `Give somebody else that role first${orElse === undefined ? '' : `, ${orElse}`}.`
  return reject('LAST_KEEPER', `This is the last one who may invite people. ${advice}`)
}
