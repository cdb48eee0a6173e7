import type { BusinessRecord, Device, Store } from '../../core/business-record.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findBusiness, findDevices, findStores } from './store.ts'

export interface BusinessWithStores {
  readonly business: BusinessRecord
  readonly stores: readonly Store[]
  readonly devices: readonly Device[]
}

/**
 * The stores and devices that a caller may see; absent: all. Decisions 3: a token "sees and touches only that business (store, device)".
 */
export interface Within {
  readonly storeId?: string
  readonly deviceId?: string
}

/** A business with the stores and devices that the caller may see. */
export async function getBusiness(
  { db }: Pick<Ports, 'db'>,
  { businessId, within }: { readonly businessId: string; readonly within: Within },
): Promise<BusinessWithStores | Rejection> {
  const business = await findBusiness(db.sql, businessId)
  if (business === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
  const stores = await findStores(db.sql, businessId)
  const devices = await findDevices(db.sql, businessId)
  return {
    business,
    stores: stores.filter(store => within.storeId === undefined || store.storeId === within.storeId),
    devices: devices.filter(device => within.deviceId === undefined || device.deviceId === within.deviceId),
  }
}
