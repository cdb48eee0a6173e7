import type { TObject } from 'typebox'
import { reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { type Framed, framedAt, type PageOf } from '../../platform/http/framed.ts'
import { modeOf } from '../../platform/http/mode.ts'
import { type AnyPage, type MoreShown, type PageAnswer, type PageCall, page } from '../../platform/http/page.ts'
import type { FilterField } from '../../platform/web/components/filter-bar.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Side } from '../subscriptions/side.ts'
import { MONEY_PATHS, moneyParts } from './money-parts.ts'

export const ON_A_PAGE = 25

/** Buttons for operations that the person's role removes are not shown. */
export interface Desk {
  may(operation: Operation): boolean
}

/** A page of the operator. People of other workspaces get 404: the addresses below `/ops` do not exist for them. */
export function opsPage<P extends TObject, Q extends TObject, F extends TObject>({
  handle,
  ...definition
}: PageOf<Desk, P, Q, F>): AnyPage {
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

/** `part`: the section of the page. */
export function framed(
  call: PageCall,
  { part, ...frame }: Framed & { readonly part: keyof typeof OPERATOR_PATHS },
  more?: MoreShown,
): PageAnswer {
  return framedAt(OPERATOR_PATHS[part], call, { ...frame, mainLanguage: 'en' }, more)
}

/** Every change of a thing, in the audit. */
export function auditLink(resourceId: string): Html {
  return html`<a href="${addressOf(OPERATOR_PATHS.audit, { resourceId })}">Changes</a>`
}

export function merchantLink({ businessId, businessName }: { businessId: string; businessName: string }): Html {
  return html`<a href="${`${OPERATOR_PATHS.merchants}/${businessId}`}">${businessName}</a>`
}

export function appLink({ appId, appName }: { appId: string; appName: string }): Html {
  return html`<a href="${`${OPERATOR_PATHS.apps}/${appId}`}">${appName}</a>`
}

export function organizationLink({ organizationId, name }: { organizationId: string; name: string }): Html {
  return html`<a href="${`${OPERATOR_PATHS.organizations}/${organizationId}`}">${name}</a>`
}

/** The search of a list. The label names the searched fields. */
export function searchField(label: string, value: string | undefined): FilterField {
  return { kind: 'search', name: 'q', label, value }
}

/** A search without any letter or digit finds everything, as an empty field does. */
export function searched(q: string | undefined): { readonly q?: string } {
  return q === undefined || !/[\p{L}\p{N}]/u.test(q) ? {} : { q }
}

/** Subscriptions and invoices of all apps. */
export const OPS_SIDE: Side = {
  paths: { ...OPERATOR_PATHS, disputes: MONEY_PATHS.disputes },
  aboveDisputes: moneyParts('disputes'),
  page: ({ handle, ...definition }) =>
    opsPage({
      ...definition,
      handle: (call, desk) =>
        handle(call, { ...desk, merchantType: modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT' }),
    }),
  framed: (call, { part, ...frame }, more) =>
    framed(call, { ...frame, part: part === 'disputes' ? 'money' : part }, more),
  nameOf: page => `${page}AsOperator`,
  whose: 'apps',
  developer: 'the developer',
}
