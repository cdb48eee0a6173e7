import { lockOrganization } from '../../catalog/organizations/store.ts'
import type { MerchantType } from '../../core/business.ts'
import {
  type Address,
  type BusinessRecord,
  type Phone,
  rejectBusiness,
  scheduleTaxIdCheck,
  scheduleTaxRateCheck,
} from '../../core/business-record.ts'
import { type Language, languageOf, type OptionalMailKind } from '../../core/mail-kind.ts'
import { exceeds } from '../../core/quota.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { normalTaxId } from '../../core/tax-id.ts'
import type { Ports } from '../../ports.ts'
import { countTestMerchants, insertBusiness } from './store.ts'

export interface CreateBusiness {
  /** Id of a form that may be sent twice: the second submission creates nothing. */
  readonly businessId?: string
  readonly legalName: string
  readonly doingBusinessAs?: string
  readonly emailAddress: string
  readonly country: string
  readonly type: MerchantType
  /** Owner of a test merchant. */
  readonly organizationId?: string
  readonly phone?: Phone
  readonly address?: Address
  readonly timezone?: string
  readonly billingEmail?: string
  readonly taxId?: string
  /** Default: the language of the country. */
  readonly language?: Language
  readonly mailsOff?: readonly OptionalMailKind[]
}

/** Creates a merchant. The trade name defaults to the legal name, the time zone to UTC. Decisions 5 and 11. */
export async function createBusiness(
  { db, clock, newId, settings }: Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>,
  input: CreateBusiness,
): Promise<BusinessRecord | Rejection> {
  const now = clock.now()
  const business: BusinessRecord = {
    businessId: newId(),
    doingBusinessAs: input.legalName,
    timezone: 'UTC',
    language: languageOf(input.country),
    mailsOff: [],
    ...input,
    ...(input.taxId === undefined ? {} : { taxId: normalTaxId(input.taxId) }),
    ...{ status: 'ACTIVE', createdAt: now, updatedAt: now },
  }
  const rejection = rejectBusiness(business)
  if (rejection) return rejection
  return db.transaction(async ({ sql }) => {
    const { organizationId } = business
    if (organizationId !== undefined) {
      if (!(await lockOrganization(sql, organizationId))) {
        return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
      }
      const wanted = (await countTestMerchants(sql, organizationId)) + 1
      const overQuota = exceeds('testMerchants', wanted, settings.quotas)
      if (overQuota !== null) return overQuota
    }
    const checked = scheduleTaxRateCheck(scheduleTaxIdCheck(business, null, now), null, now)
    await insertBusiness(sql, checked)
    return checked
  })
}
