import type { Static, TObject } from 'typebox'
import type { MerchantType } from '../../core/business.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { modeOf } from '../../platform/http/mode.ts'
import {
  type AnyPage,
  type Page,
  type PageAnswer,
  type PageCall,
  page,
  type Shown,
  shown,
} from '../../platform/http/page.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { DEVELOPER_PATHS, navigationOf } from '../../platform/web/navigation.ts'

type DevPage<P extends TObject, Q extends TObject, F extends TObject> = Omit<
  Page<P, Q, F>,
  'signIn' | 'subject' | 'handle'
> & {
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>, own: Own): Promise<PageAnswer | Rejection>
}

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
}: DevPage<P, Q, F>): AnyPage {
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject({ principal, params }) {
      if (principal.kind !== 'developer') return reject('RESOURCE_NOT_FOUND', 'Only developers can open this page.')
      const { appId } = params as { appId?: string }
      return appId === undefined ? { organizationId: principal.organizationId } : { appId: appId.toLowerCase() }
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

interface Frame {
  readonly title: string
  readonly part: keyof typeof DEVELOPER_PATHS
  readonly main: Part
  readonly width?: 'narrow' | 'wide'
  /** Elements for this page's head only. */
  readonly head?: Html
  readonly refreshSeconds?: number
}

export function framed(
  { session, principal, csrf }: PageCall<unknown, unknown, unknown>,
  { title, part, main, width = 'wide', head, refreshSeconds }: Frame,
  more: Omit<Shown, 'html' | 'status'> & { status?: number } = {},
): PageAnswer {
  const links = navigationOf(principal, DEVELOPER_PATHS[part])
  const signedIn = session && { ...session, csrf }
  const waits = refreshSeconds === undefined ? {} : { refreshSeconds }
  const content = { main: html`${main}`, mainLanguage: 'en', ...(head && { head }), ...waits } as const
  return shown(layout({ title, width, links, signedIn, ...content }), more)
}
