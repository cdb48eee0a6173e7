import type { Static, TObject } from 'typebox'
import { given } from '../../core/given.ts'
import { parseSlice, parseSpan, type Slice } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, type Route, route } from '../../platform/http/route.ts'
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
  listedInvoiceToJson,
  namedSubscriptionToJson,
  ofInvoiceToJson,
  SubscriptionListJson,
  SubscriptionsQuery,
} from './schema.ts'
import { type ListFilter, type ScopeQuery, scopeOf, subjectOf } from './scope.ts'
import { pageOfSubscriptions } from './subscriptions.ts'

/** Lists over all apps and merchants that the caller may see, newest first. */
export function listRoutes({ db, settings }: Pick<Ports, 'db' | 'settings'>): AnyRoute[] {
  const list = <Q extends TObject>({ read, ...definition }: ListRoute<Q>): AnyRoute =>
    route({
      ...definition,
      method: 'GET',
      operation: 'moneyLists.read',
      rejections: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'FORBIDDEN'],
      subject: ({ query, principal }) => subjectOf(principal, query as ListQuery),
      async handle({ query, principal }) {
        const asked = parse(principal, query as ListQuery)
        if (isRejection(asked)) return asked
        const { body, next } = await read(query, asked)
        const links = nextLinks(`${settings.billingUrl}${definition.path}`, filterOf(query), asked.slice, next)
        return answer(200, { ...body, links })
      },
    })
  return [
    list({
      path: '/subscriptions/search',
      name: 'searchSubscriptions',
      summary: 'List the subscriptions of all visible apps, newest first',
      query: SubscriptionsQuery,
      answers: { 200: SubscriptionListJson },
      async read({ status, phase, paymentStatus, planId }, { slice, ...of }) {
        const exact = given({ status, phase, paymentStatus, planId })
        const { items, next } = await pageOfSubscriptions({ db }, { ...of, ...exact }, slice)
        return { body: { subscriptions: items.map(namedSubscriptionToJson) }, next }
      },
    }),
    list({
      path: '/invoices',
      name: 'searchInvoices',
      summary: 'List the invoices of all visible apps, newest first, without lines and attempts',
      query: InvoicesQuery,
      answers: { 200: InvoiceListJson },
      async read({ status, subscriptionId, number, refunded }, { slice, ...of }) {
        const isRefunded = refunded && refunded === 'true'
        const exact = given({ status, subscriptionId, number, isRefunded })
        const { items, next } = await pageOfInvoices({ db }, { ...of, ...exact }, slice)
        return { body: { invoices: items.map(listedInvoiceToJson) }, next }
      },
    }),
    list({
      path: '/charges',
      name: 'searchCharges',
      summary: 'List the charges of all visible apps, newest first',
      query: ChargesQuery,
      answers: { 200: ChargeListJson },
      async read({ status, invoiceId }, { slice, ...of }) {
        const { items, next } = await pageOfCharges({ db }, { ...of, ...given({ status, invoiceId }) }, slice)
        return { body: { charges: items.map(ofInvoiceToJson) }, next }
      },
    }),
    list({
      path: '/disputes',
      name: 'searchDisputes',
      summary: 'List the disputes of all visible apps, newest first',
      query: DisputesQuery,
      answers: { 200: DisputeListJson },
      async read({ status }, { slice, ...of }) {
        const { items, next } = await pageOfDisputes({ db }, { ...of, ...given({ status }) }, slice)
        return { body: { disputes: items.map(ofInvoiceToJson) }, next }
      },
    }),
  ]
}

type ListRoute<Q extends TObject> = Pick<Route<TObject, Q, TObject>, 'path' | 'name' | 'summary' | 'answers'> & {
  readonly query: Q
  read(query: Static<Q>, asked: Asked): Promise<{ readonly body: object; readonly next: string | undefined }>
}

interface Asked extends ListFilter {
  readonly slice: Slice
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
