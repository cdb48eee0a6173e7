import type { TObject } from 'typebox'
import type { MerchantType } from '../../core/business.ts'
import { reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { type Framed, framedAt, type PageOf } from '../../platform/http/framed.ts'
import { modeOf } from '../../platform/http/mode.ts'
import { type AnyPage, type MoreShown, type PageAnswer, type PageCall, page } from '../../platform/http/page.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Side } from '../subscriptions/side.ts'

export interface Own {
  readonly organizationId: string
  /** The merchants that lists show, by the switch of the frame: live or test merchants. */
  readonly merchantType: MerchantType
  /** Buttons for operations that the person's role removes are not shown. */
  may(operation: Operation): boolean
}

/**
 * A page of a developer. A path with `:appId` belongs to an app of the session's organization; another organization's app is 404. People
 * of other workspaces get 404: the addresses below `/dev` do not exist for them.
 */
export function devPage<P extends TObject, Q extends TObject, F extends TObject>({
  handle,
  ...definition
}: PageOf<Own, P, Q, F>): AnyPage {
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject({ principal, params }) {
      if (principal.kind !== 'developer') return reject('RESOURCE_NOT_FOUND', 'Only developers can open this page.')
      const { appId } = params as { appId?: string }
      return appId === undefined ? { organizationId: principal.organizationId } : { appId }
    },
    async handle(call) {
      const { principal } = call
      if (principal.kind !== 'developer') return reject('RESOURCE_NOT_FOUND', 'Only developers can open this page.')
      const may = (operation: Operation) => !isTakenByRole(principal, operation)
      const merchantType = modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT'
      return handle(call, { organizationId: principal.organizationId, merchantType, may })
    },
  })
}

/** `part`: the section of the page. */
export function framed(
  call: PageCall,
  { part, ...frame }: Framed & { readonly part: keyof typeof DEVELOPER_PATHS },
  more?: MoreShown,
): PageAnswer {
  return framedAt(DEVELOPER_PATHS[part], call, { ...frame, mainLanguage: 'en' }, more)
}

/** Subscriptions and invoices of the organization's apps. */
export const DEV_SIDE: Side = {
  paths: DEVELOPER_PATHS,
  page: devPage,
  framed,
  nameOf: page => page,
  whose: 'your apps',
  developer: 'your organization',
}
