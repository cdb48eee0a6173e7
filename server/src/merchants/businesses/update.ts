import { isDeepStrictEqual } from 'node:util'
import {
  type BusinessRecord,
  namesOf,
  rejectBusiness,
  scheduleTaxIdCheck,
  scheduleTaxRateCheck,
} from '../../core/business-record.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { normalTaxId } from '../../core/tax-id.ts'
import type { Ports } from '../../ports.ts'
import { insertFormerNames } from './names-store.ts'
import { lockBusiness, saveBusiness } from './store.ts'

/** Type and organization never change. */
export type BusinessChanges = Partial<
  Pick<BusinessRecord, 'legalName' | 'doingBusinessAs' | 'emailAddress' | 'phone' | 'address' | 'country' | 'timezone'>
> &
  Partial<Pick<BusinessRecord, 'language' | 'mailsOff'>> & {
    /** Empty: removes the value. */
    readonly billingEmail?: string
    readonly taxId?: string
  }

/**
 * Changes the given fields; phone and address are replaced whole. A new country applies to new subscriptions; existing ones keep their
 * price (decisions 4). Issued invoices keep the old names.
 */
export async function updateBusiness(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { businessId, changes }: { readonly businessId: string; readonly changes: BusinessChanges },
): Promise<BusinessRecord | Rejection> {
  return db.transaction(async ({ sql }) => {
    const before = await lockBusiness(sql, businessId)
    if (before === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    const now = clock.now()
    const changed = withoutEmpty({ ...before, ...changes, updatedAt: now })
    const business = scheduleTaxRateCheck(scheduleTaxIdCheck(changed, before, now), before, now)
    const rejection = rejectBusiness(business)
    if (rejection) return rejection
    if (!isDeepStrictEqual(namesOf(business), namesOf(before))) {
      await insertFormerNames(sql, { untilId: newId(), businessId: before.businessId, names: namesOf(before) })
    }
    await saveBusiness(sql, business)
    return business
  })
}

function withoutEmpty({ billingEmail = '', taxId = '', ...business }: BusinessRecord): BusinessRecord {
  return {
    ...business,
    ...(billingEmail === '' ? {} : { billingEmail }),
    ...(taxId === '' ? {} : { taxId: normalTaxId(taxId) }),
  }
}
