import type { Store } from '../../core/business-record.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findBusiness, insertStore } from './store.ts'

/** Opens a store of a business. A form that may be sent twice passes the id, and the second submission opens nothing. */
export async function addStore(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  {
    storeId = newId(),
    businessId,
    displayName,
  }: { readonly storeId?: string; readonly businessId: string; readonly displayName: string },
): Promise<Store | Rejection> {
  const now = clock.now()
  const store: Store = {
    ...{ storeId, businessId, displayName, status: 'ACTIVE' },
    ...{ createdAt: now, updatedAt: now },
  }
  return db.transaction(async ({ sql }) => {
    if ((await findBusiness(sql, businessId)) === null) {
      return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    }
    await insertStore(sql, store)
    return store
  })
}
