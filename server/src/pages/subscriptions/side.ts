import type { TObject } from 'typebox'
import type { MerchantType } from '../../core/business.ts'
import type { Operation } from '../../core/rights.ts'
import type { Framed, PageOf } from '../../platform/http/framed.ts'
import type { AnyPage, MoreShown, PageAnswer, PageCall } from '../../platform/http/page.ts'
import type { Html } from '../../platform/web/html.ts'

/** The person who looks: a developer sees the apps of the organization, a person of the operator all apps. */
export interface Viewer {
  /** Absent for the operator. */
  readonly organizationId?: string
  /** The merchants that lists show, by the switch of the frame: live or test merchants. */
  readonly merchantType: MerchantType
  /** Buttons for operations that the person's role removes are not shown. */
  may(operation: Operation): boolean
}

/** The pages below `/dev`, or the same pages below `/ops`. */
export interface Side {
  readonly paths: Readonly<Record<'apps' | 'merchants' | 'subscriptions' | 'invoices' | 'disputes', string>>
  /** The guard of a page. */
  page<P extends TObject, Q extends TObject, F extends TObject>(definition: PageOf<Viewer, P, Q, F>): AnyPage
  framed(
    call: PageCall,
    frame: Framed & { readonly part: 'subscriptions' | 'invoices' | 'disputes' },
    more?: MoreShown,
  ): PageAnswer
  /** Links above the list of disputes. */
  readonly aboveDisputes?: Html
  /** Page names differ between the two sides. */
  nameOf(page: string): string
  /** Whose apps the lists show: "your apps". */
  readonly whose: string
  /** The developer in a timeline: "your organization". */
  readonly developer: string
}

interface Ids {
  readonly appId: string
  readonly subscriptionId: string
}

export const pathOfSubscription = (
  { paths }: { readonly paths: { readonly apps: string } },
  { appId, subscriptionId }: Ids,
): string => `${paths.apps}/${appId}/subscriptions/${subscriptionId}`
