import type { Static, TObject } from 'typebox'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import {
  type AnyPage,
  type Page,
  type PageAnswer,
  type PageCall,
  page,
  type Shown,
  shown,
} from '../../platform/http/page.ts'
import type { FilterField } from '../../platform/web/components/filter-bar.ts'
import { button } from '../../platform/web/components/form.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { navigationOf, OPERATOR_PATHS } from '../../platform/web/navigation.ts'

export const ON_A_PAGE = 25

type OpsPage<P extends TObject, Q extends TObject, F extends TObject> = Omit<
  Page<P, Q, F>,
  'signIn' | 'subject' | 'handle'
> & {
  handle(call: PageCall<Static<P>, Static<Q>, Static<F>>, desk: Desk): Promise<PageAnswer | Rejection>
}

/** Buttons for operations that the person's role removes are not shown. */
export interface Desk {
  may(operation: Operation): boolean
}

/** A page of the operator. People of other workspaces get 404: the addresses below `/ops` do not exist for them. */
export function opsPage<P extends TObject, Q extends TObject, F extends TObject>({
  handle,
  ...definition
}: OpsPage<P, Q, F>): AnyPage {
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject: ({ principal }) =>
      principal.kind === 'operator'
        ? {}
        : reject('RESOURCE_NOT_FOUND', 'Only the operator’s people can open this page.'),
    handle: call => handle(call, { may: operation => !isTakenByRole(call.principal, operation) }),
  })
}

interface Frame {
  readonly title: string
  /** The section of the page. */
  readonly part: keyof typeof OPERATOR_PATHS
  readonly main: Part
  readonly width?: 'narrow' | 'wide'
  /** Elements for this page's head only. */
  readonly head?: Html
  /** Seconds between refreshes of a waiting page. */
  readonly refreshSeconds?: number
}

export function framed(
  { session, principal, csrf }: PageCall<unknown, unknown, unknown>,
  { title, part, main, width = 'wide', head, refreshSeconds }: Frame,
  more: Omit<Shown, 'html' | 'status'> & { status?: number } = {},
): PageAnswer {
  const links = navigationOf(principal, OPERATOR_PATHS[part])
  const content: Html = html`${main}`
  return shown(
    layout({
      ...{ title, width, links, signedIn: session && { ...session, csrf }, main: content, mainLanguage: 'en' },
      ...(head && { head }),
      ...(refreshSeconds !== undefined && { refreshSeconds }),
    }),
    more,
  )
}

/** Every change of a thing, in the audit. */
export function auditLink(resourceId: string): Html {
  return html`<a href="${addressOf(OPERATOR_PATHS.audit, { resourceId })}">Changes</a>`
}

/** The search of a list. The label names the searched fields. */
export function searchField(label: string, value: string | undefined): FilterField {
  return { kind: 'search', name: 'q', label, value }
}

/** A form with a single button. */
export function press(action: string, csrf: string, text: string, about?: string): Html {
  return html`<form ${{ method: 'post', action }}><input type="hidden" name="csrf" value="${csrf}">${button(text, { size: 'small', ...(about !== undefined && { about }) })}</form>`
}

/** A search without any letter or digit finds everything, as an empty field does. */
export function searched(q: string | undefined): { readonly q?: string } {
  return q === undefined || !/[\p{L}\p{N}]/u.test(q) ? {} : { q }
}
