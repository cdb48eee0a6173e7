import type { Place } from './subscription.ts'

/**
 * Whether what is of a place concerns a caller at another: what is of the whole business concerns all of it, what is of a store
 * or a device only those there. Source: decisions 3, "sees and touches only that business (store, device)".
 */
export function isSeenFrom(caller: Place, { storeId, deviceId }: Place): boolean {
  if (caller.storeId !== undefined && storeId !== undefined && storeId !== caller.storeId) return false
  return caller.deviceId === undefined || deviceId === undefined || deviceId === caller.deviceId
}
