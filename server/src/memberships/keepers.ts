import { keeperOf, keyOfPlace } from '../core/membership.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Sql } from '../db/db.ts'
import { listMembershipsOfUser, lockKeepers } from './store.ts'

/**
 * Said of a person who is about to be disabled, where one of their places would be left with nobody who may let people in.
 * To be called in the transaction that disables them: until it ends, no other of those places is removed or disabled.
 */
export async function refuseLastKeeper(sql: Sql, userId: string): Promise<Refusal | null> {
  const memberships = await listMembershipsOfUser(sql, userId)
  const kept = memberships.filter(({ role, place }) => role === keeperOf(place.kind))
  // In one order for everybody, or two could wait for each other.
  for (const { membershipId, place } of kept.sort((a, b) => (keyOfPlace(a.place) < keyOfPlace(b.place) ? -1 : 1))) {
    const keepers = await lockKeepers(sql, place)
    if (keepers.length === 1 && keepers[0] === membershipId) return lastKeeper()
  }
  return null
}

export function lastKeeper(): Refusal {
  return refuse('LAST_KEEPER', 'This is the last one who may invite people. Give somebody else that role first.')
}
