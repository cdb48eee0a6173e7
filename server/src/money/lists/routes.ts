import { type Listed, parseSlice, parseSpan, type Slice } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import type { Ports } from '../../ports.ts'
import { pageOfCharges } from './charges.ts'
import { pageOfDisputes } from './disputes.ts'
import { pageOfInvoices } from './invoices.ts'
import {
  ChargeListJson,
  ChargesQuery,
  DisputeListJson,
  DisputesQuery,
  InvoiceListJson,
  InvoicesQuery,
  listedChargeToJson,
  listedDisputeToJson,
  listedInvoiceToJson,
  namedSubscriptionToJson,
  SubscriptionListJson,
  SubscriptionsQuery,
} from './schema.ts'
import { type Scope, type ScopeQuery, scopeOf, subjectOf } from './scope.ts'
import { pageOfSubscriptions } from './subscriptions.ts'

/** Lists over all apps and merchants that the caller may see, newest first. */
export function listRoutes({ db, settings }: Pick<Ports, 'db' | 'settings'>): AnyRoute[] {
  const linksOf = (path: string, query: object, { slice, next }: { readonly slice: Slice; readonly next?: string }) =>
    nextLinks(`${settings.billingUrl}${path}`, filterOf(query), slice, next)
  return [
    route({
      method: 'GET',
      path: '/subscriptions/search',
      name: 'searchSubscriptions',
      operation: 'moneyLists.read',
      summary: 'List the subscriptions of all visible apps, newest first',
      query: SubscriptionsQuery,
      answers: { 200: SubscriptionListJson },
      rejections: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      async handle({ query, principal }) {
        const asked = parse(principal, query)
        if (isRejection(asked)) return asked
        const { slice, ...of } = asked
        const { status, phase, paymentStatus, planId } = query
        const exact = { ...(status && { status }), ...(phase && { phase }), ...(paymentStatus && { paymentStatus }) }
        const page = await pageOfSubscriptions({ db }, { ...of, ...exact, ...(planId && { planId }) }, slice)
        const links = linksOf('/subscriptions/search', query, { slice, ...nextOf(page) })
        return answer(200, { subscriptions: page.items.map(namedSubscriptionToJson), links })
      },
    }),
    route({
      method: 'GET',
      path: '/invoices',
      name: 'searchInvoices',
      operation: 'moneyLists.read',
      summary: 'List the invoices of all visible apps, newest first, without lines and attempts',
      query: InvoicesQuery,
      answers: { 200: InvoiceListJson },
      rejections: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      async handle({ query, principal }) {
        const asked = parse(principal, query)
        if (isRejection(asked)) return asked
        const { slice, ...of } = asked
        const { status, subscriptionId, number, refunded } = query
        const exact = {
          ...(status && { status }),
          ...(subscriptionId && { subscriptionId }),
          ...(number && { number }),
          ...(refunded && { isRefunded: refunded === 'true' }),
        }
        const page = await pageOfInvoices({ db }, { ...of, ...exact }, slice)
        const links = linksOf('/invoices', query, { slice, ...nextOf(page) })
        return answer(200, { invoices: page.items.map(listedInvoiceToJson), links })
      },
    }),
    route({
      method: 'GET',
      path: '/charges',
      name: 'searchCharges',
      operation: 'moneyLists.read',
      summary: 'List the charges of all visible apps, newest first',
      query: ChargesQuery,
      answers: { 200: ChargeListJson },
      rejections: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      async handle({ query, principal }) {
        const asked = parse(principal, query)
        if (isRejection(asked)) return asked
        const { slice, ...of } = asked
        const { status, invoiceId } = query
        const exact = { ...(status && { status }), ...(invoiceId && { invoiceId }) }
        const page = await pageOfCharges({ db }, { ...of, ...exact }, slice)
        const links = linksOf('/charges', query, { slice, ...nextOf(page) })
        return answer(200, { charges: page.items.map(listedChargeToJson), links })
      },
    }),
    route({
      method: 'GET',
      path: '/disputes',
      name: 'searchDisputes',
      operation: 'moneyLists.read',
      summary: 'List the disputes of all visible apps, newest first',
      query: DisputesQuery,
      answers: { 200: DisputeListJson },
      rejections: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query),
      async handle({ query, principal }) {
        const asked = parse(principal, query)
        if (isRejection(asked)) return asked
        const { slice, ...of } = asked
        const page = await pageOfDisputes({ db }, { ...of, ...(query.status && { status: query.status }) }, slice)
        const links = linksOf('/disputes', query, { slice, ...nextOf(page) })
        return answer(200, { disputes: page.items.map(listedDisputeToJson), links })
      },
    }),
  ]
}

interface Asked {
  readonly scope: Scope
  readonly slice: Slice
  readonly startAt?: Date
  readonly endAt?: Date
}

type ListQuery = ScopeQuery & Partial<Record<'limit' | 'after' | 'startAt' | 'endAt', string>>

function parse(principal: Principal, query: ListQuery): Asked | Rejection {
  const slice = parseSlice(query)
  if (isRejection(slice)) return slice
  const span = parseSpan(query)
  if (isRejection(span)) return span
  const scope = scopeOf(principal, query)
  return isRejection(scope) ? scope : { scope, slice, ...span }
}

/** The query of the next part: the filters of this part. */
function filterOf(query: object): Record<string, string> {
  const { limit: _, after: __, ...filter } = query as Record<string, string>
  return filter
}

const nextOf = ({ next }: Listed<unknown>) => (next === undefined ? {} : { next })
