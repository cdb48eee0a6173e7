import type { Place } from './subscription.ts'

/**
 * Whether what is of a place concerns a caller at another: what is of the whole business concerns all of it, what is of a store
 * or a device only those there. Source: decisions 3, "sees and touches only that business (store, device)".
 */
export function isSeenFrom(
  caller: Place,
  { storeId, deviceId }: { readonly storeId?: string | null; readonly deviceId?: string | null },
): boolean {
  return isSame(caller.storeId, storeId) && isSame(caller.deviceId, deviceId)
}

function isSame(own: string | undefined, of: string | null | undefined): boolean {
  return own === undefined || of === undefined || of === null || own === of
}
