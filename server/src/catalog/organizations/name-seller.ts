import { isDeepStrictEqual } from 'node:util'
import { rejectSeller, type Seller } from '../../core/organization.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findSeller, insertSeller } from './seller-store.ts'
import { lockOrganization } from './store.ts'

type Named = Pick<Seller, 'legalName' | 'address' | 'taxId'>

/** Sets the seller of future invoices. Issued invoices keep their seller. Setting the same seller again changes nothing. */
export async function nameSeller(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { organizationId, named }: { readonly organizationId: string; readonly named: Named },
): Promise<Seller | Rejection> {
  const rejection = rejectSeller(named)
  if (rejection) return rejection
  return db.transaction(async ({ sql }) => {
    // One change at a time, so that the latest id is the latest seller.
    if (!(await lockOrganization(sql, organizationId))) {
      return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
    }
    const before = await findSeller(sql, organizationId)
    const seller: Seller = { sellerId: newId(), organizationId, ...named, createdAt: clock.now() }
    if (before !== null && isDeepStrictEqual(namedBy(before), namedBy(seller))) return before
    await insertSeller(sql, seller)
    return seller
  })
}

function namedBy({ legalName, address, taxId }: Named): readonly unknown[] {
  return [legalName, address && { ...address }, taxId]
}
