import type { TObject } from 'typebox'
import { assert } from '../../core/assert.ts'
import { effectiveNow } from '../../core/business.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import type { Subscription } from '../../core/subscription.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { findInvoice, type Invoice } from '../../money/invoices/store.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Framed, framedAt, type PageOf } from '../../platform/http/framed.ts'
import { type AnyPage, type MoreShown, type PageAnswer, type PageCall, page } from '../../platform/http/page.ts'
import { html } from '../../platform/web/html.ts'
import { MERCHANT_PATHS } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'

/** The business of the page, with the rights of the signed-in person. */
export interface Shop {
  readonly businessId: string
  readonly business: BusinessRecord
  readonly timezone: string
  /** Current time of the business: real, or its test clock's. */
  readonly now: Date
  /** Whether the person's role allows the operation. Buttons for other operations are not shown. */
  may(operation: Operation): boolean
}

/** A page of the business that the person is signed in to. No address names a business, so no person reaches the page of another business. */
export function ownPage<P extends TObject, Q extends TObject, F extends TObject>(
  { clock }: Pick<Ports, 'clock'>,
  { handle, ...definition }: PageOf<Shop, P, Q, F>,
): AnyPage {
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject({ principal }) {
      if (principal.kind === 'merchant') return { businessId: principal.businessId }
      return reject('FORBIDDEN', 'Only members of a business can open these pages. Sign in as a member.')
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

export const PATHS = MERCHANT_PATHS

/** `part`: the section of the page. Pages of a test merchant say so. */
export function framed(
  call: PageCall,
  { business }: Shop,
  { part, main, ...frame }: Framed & { readonly part: keyof typeof PATHS },
  more?: MoreShown,
): PageAnswer {
  const whole = html`${business.type === 'TEST_MERCHANT' && testNotice()}${main}`
  return framedAt(PATHS[part], call, { ...frame, main: whole }, more)
}

const testNotice = () => html`<p class="fine not-printed">${say`This is a test business: no real money is charged.`}</p>
`

/** A subscription of the business. A subscription of another business is not found. */
export async function findOwnSubscription(
  sql: Sql,
  { businessId }: Pick<Shop, 'businessId'>,
  subscriptionId: string,
): Promise<Subscription | Rejection> {
  const subscription = await findSubscription(sql, subscriptionId)
  if (subscription?.businessId === businessId) return subscription
  return reject('SUBSCRIPTION_NOT_FOUND', 'The business has no subscription with this id.')
}

export async function findOwnInvoice(
  sql: Sql,
  { businessId }: Pick<Shop, 'businessId'>,
  invoiceId: string,
): Promise<Invoice | Rejection> {
  const invoice = await findInvoice(sql, invoiceId)
  if (invoice?.businessId === businessId) return invoice
  return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this id.')
}
