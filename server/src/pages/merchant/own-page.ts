import type { Static, TObject } from 'typebox'
import { assert } from '../../core/assert.ts'
import { effectiveNow } from '../../core/business.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { type AnyPage, type Page, type PageAnswer, type PageCall, page } from '../../platform/http/page.ts'
import type { Ports } from '../../ports.ts'

/** The business whose page it is, as the person who is signed in to it may see and touch it. */
export interface Shop {
  readonly businessId: string
  readonly business: BusinessRecord
  readonly timezone: string
  /** The time that the business lives in: real, or its test clock's. */
  readonly now: Date
  /** Whether the person's role leaves them this. What it does not, has no button. */
  may(operation: Operation): boolean
}

type OwnPage<P extends TObject, Q extends TObject, F extends TObject> = Omit<
  Page<P, Q, F>,
  'signIn' | 'subject' | 'handle'
> & {
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>, shop: Shop): Promise<PageAnswer | Rejection>
}

/** A page of the business that the person is signed in to. There is no other's: no address names a business. */
export function ownPage<P extends TObject, Q extends TObject, F extends TObject>(
  { clock }: Pick<Ports, 'clock'>,
  { handle, ...definition }: OwnPage<P, Q, F>,
): AnyPage {
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject({ principal }) {
      if (principal.kind === 'merchant') return { businessId: principal.businessId }
      return reject('FORBIDDEN', 'These pages are for people of a business: sign in as one.')
    },
    async handle(call) {
      const { principal, db } = call
      assert(principal.kind === 'merchant', 'the subject let only a merchant in')
      const { businessId } = principal
      const business = await findBusiness(db.sql, businessId)
      if (business === null) return reject('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
      return handle(call, {
        businessId,
        business,
        timezone: business.timezone,
        now: effectiveNow(business, clock.now()),
        may: operation => !isTakenByRole(principal, operation),
      })
    },
  })
}
