import type { Location } from './subscription.ts'

/**
 * Whether a caller at a location may see a resource. Everyone in the business sees resources without a location.
 * Source: decisions 3, "sees and touches only that business (store, device)".
 */
export function isSeenFrom(
  caller: Location,
  { storeId, deviceId }: { readonly storeId?: string | null; readonly deviceId?: string | null },
): boolean {
  return isSame(caller.storeId, storeId) && isSame(caller.deviceId, deviceId)
}

function isSame(own: string | undefined, of: string | null | undefined): boolean {
  return own === undefined || of === undefined || of === null || own === of
}
