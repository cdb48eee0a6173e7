import type { Static, TObject } from 'typebox'
import type { MerchantType } from '../../core/business.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import type { AnyPage, Page, PageAnswer, PageCall, Shown } from '../../platform/http/page.ts'
import type { Html, Part } from '../../platform/web/html.ts'

/** The person who looks: a developer sees the apps of the organization, a person of the operator all apps. */
export interface Viewer {
  /** Absent for the operator. */
  readonly organizationId?: string
  /** The merchants that lists show, by the switch of the frame: live or test merchants. */
  readonly merchantType: MerchantType
  /** Buttons for operations that the person's role removes are not shown. */
  may(operation: Operation): boolean
}

type SidePage<P extends TObject, Q extends TObject, F extends TObject> = Omit<
  Page<P, Q, F>,
  'signIn' | 'subject' | 'handle'
> & {
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>, viewer: Viewer): Promise<PageAnswer | Rejection>
}

interface Frame {
  readonly title: string
  readonly part: 'subscriptions' | 'invoices' | 'disputes'
  readonly main: Part
  readonly width?: 'narrow' | 'wide'
}

/** The pages below `/dev`, or the same pages below `/ops`. */
export interface Side {
  readonly paths: Readonly<Record<'apps' | 'merchants' | 'subscriptions' | 'invoices' | 'disputes', string>>
  /** The guard of a page. */
  page<P extends TObject, Q extends TObject, F extends TObject>(definition: SidePage<P, Q, F>): AnyPage
  framed(
    call: PageCall<unknown, unknown, unknown>,
    frame: Frame,
    more?: Omit<Shown, 'html' | 'status'> & { status?: number },
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
