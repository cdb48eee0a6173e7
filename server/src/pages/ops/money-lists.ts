import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { type ListedDispute, pageOfDisputes } from '../../money/lists/disputes.ts'
import { scopeOf } from '../../money/lists/scope.ts'
import { type NamedSubscription, pageOfSubscriptions } from '../../money/lists/subscriptions.ts'
import { modeOf } from '../../platform/http/mode.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, filter } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { DISPUTE_STATES, disputeBadge } from '../dispute-states.ts'
import { MONEY_PATHS, moneyParts } from './money-parts.ts'
import { framed, ON_A_PAGE, opsPage, searched, searchField } from './ops-page.ts'

const common = { q: Type.Optional(Text(200, 0)), after: Type.Optional(Uuid) }

/** Past-due subscriptions and disputes of all merchants. */
export function moneyListPages(): AnyPage[] {
  return [pastDuePage(), disputesPage()]
}

function pastDuePage(): AnyPage {
  const path = MONEY_PATHS.pastDue
  return opsPage({
    ...{ method: 'GET', path, name: 'showPastDue', operation: 'moneyLists.read', query: Type.Object(common) },
    async handle(call) {
      const { q, after } = call.query
      const scope = scopeOfPage(call)
      if (isRejection(scope)) return scope
      const asked = { scope, status: 'ACTIVE', paymentStatus: 'PAST_DUE' } as const
      const page = await pageOfSubscriptions(call, asked, { limit: ON_A_PAGE, ...(after && { after }) })
      const kept = { q: q || undefined }
      const main = html`${pageHead({ title: 'Past due', lead: 'Subscriptions with a declined payment. The next attempts follow by themselves until the grace period ends.' })}
${moneyParts('pastDue')}
${filterBar({ path, label: 'Search subscriptions', fields: [searchField('Merchant name, e-mail or ID', q)] })}
${dataTable<NamedSubscription>({
  ...{ id: 'past-due', caption: 'Past-due subscriptions, newest first', rows: page.items, path, kept },
  columns: [
    { name: 'Merchant', cell: ({ subscription, businessName }) => merchantLink(subscription.businessId, businessName) },
    { name: 'App', cell: ({ subscription, appName }) => appLink(subscription.appId, appName) },
    { name: 'Plan', cell: ({ planName }) => planName },
    {
      name: 'Price',
      isNumber: true,
      cell: ({ subscription, currency }) => moneyWords({ amount: subscription.amount, currency }),
    },
    { name: 'Since', cell: ({ subscription }) => day(new Date(subscription.createdAt)) },
  ],
  first: after && addressOf(path, kept),
  next: page.next && addressOf(path, { ...kept, after: page.next }),
  empty: emptyState('Nothing is past due', 'A subscription appears here after a declined payment.'),
})}`
      return framed(call, { title: 'Past due', part: 'money', main })
    },
  })
}

function disputesPage(): AnyPage {
  const path = MONEY_PATHS.disputes
  return opsPage({
    ...{ method: 'GET', path, name: 'showDisputes', operation: 'moneyLists.read' },
    query: Type.Object({ ...common, status: Type.Optional(Type.Enum(['OPEN', 'LOST', 'WON'] as const)) }),
    async handle(call) {
      const { q, after, status } = call.query
      const scope = scopeOfPage(call)
      if (isRejection(scope)) return scope
      const slice = { limit: ON_A_PAGE, ...(after && { after }) }
      const page = await pageOfDisputes(call, { scope, ...(status && { status }) }, slice)
      const kept = { q: q || undefined, status }
      const states = [undefined, ...(['OPEN', 'LOST', 'WON'] as const)].map(one => ({
        text: one === undefined ? 'All' : DISPUTE_STATES[one][0],
        href: addressOf(path, { ...kept, status: one }),
        isCurrent: one === status,
      }))
      const main = html`${pageHead({ title: 'Disputes', lead: 'Payments that the payer’s bank reclaims. Answer a dispute in the dashboard of the gateway.' })}
${moneyParts('disputes')}
${filter('Filter by state', states)}
${filterBar({ path, label: 'Search disputes', fields: [searchField('Merchant name, e-mail or ID', q)], kept: { status } })}
${dataTable<ListedDispute>({
  ...{ id: 'disputes', caption: 'Disputes, newest first', rows: page.items, path, kept },
  columns: [
    { name: 'Invoice', cell: ({ number }) => number },
    { name: 'Merchant', cell: ({ businessId, businessName }) => merchantLink(businessId, businessName) },
    { name: 'App', cell: ({ appId, appName }) => appLink(appId, appName) },
    { name: 'Amount', isNumber: true, cell: moneyWords },
    { name: 'Opened', cell: ({ createdAt }) => day(createdAt) },
    { name: 'State', cell: disputeBadge },
  ],
  first: after && addressOf(path, kept),
  next: page.next && addressOf(path, { ...kept, after: page.next }),
  empty: emptyState('No disputes', 'The gateway reports disputes, which then appear here.'),
})}`
      return framed(call, { title: 'Disputes', part: 'money', main })
    },
  })
}

/** The Live | Test switch of the frame selects the merchants. */
function scopeOfPage(call: PageCall<unknown, { readonly q?: string }, unknown>) {
  const merchantType = modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT'
  return scopeOf(call.principal, { ...searched(call.query.q), merchantType })
}

function merchantLink(businessId: string, name: string): Html {
  return html`<a href="${`${OPERATOR_PATHS.merchants}/${businessId}`}">${name}</a>`
}

function appLink(appId: string, name: string): Html {
  return html`<a href="${`${OPERATOR_PATHS.apps}/${appId}`}">${name}</a>`
}
