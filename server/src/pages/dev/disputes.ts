import { Type } from 'typebox'
import { isRejection } from '../../core/rejection.ts'
import { type ListedDispute, pageOfDisputes } from '../../money/lists/disputes.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import {
  DisputeParams,
  DisputeQuery,
  EvidenceForm,
  evidenceWords,
  isExplained,
  sendEntered,
  showDispute,
} from '../dispute-answer.ts'
import { disputeBadge } from '../dispute-states.ts'
import { appsOf, fieldsOf, scopeOf } from '../subscriptions/list.ts'
import { pathOf } from './apps.ts'
import { devPage, framed, type Own } from './dev-page.ts'

const ON_A_PAGE = 50

const common = {
  appId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
  q: Type.Optional(Text(200, 0)),
  after: Type.Optional(Uuid),
}

/** The disputes of all apps of the organization, and one with its evidence. */
export function devDisputePages(ports: Ports): AnyPage[] {
  return [disputesPage(ports), ...disputePages(ports)]
}

const merchantCell = (of: { readonly businessId: string; readonly businessName: string }): Html =>
  html`<a href="${`${DEVELOPER_PATHS.merchants}/${of.businessId}`}">${of.businessName}</a>`

const subscriptionOf = (of: { readonly appId: string; readonly subscriptionId: string }) =>
  `${pathOf(of)}/subscriptions/${of.subscriptionId}`

function disputesPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  const disputes = DEVELOPER_PATHS.disputes
  return devPage({
    ...{ method: 'GET', path: disputes, name: 'showDeveloperDisputes', operation: 'moneyLists.read' },
    query: Type.Object(common),
    async handle(call, own) {
      const { appId, q, after } = call.query
      const scope = scopeOf(own, call.query)
      if (isRejection(scope)) return scope
      const apps = await appsOf(call.db, own.organizationId)
      if (isRejection(apps)) return apps
      const page = await pageOfDisputes(call, { scope }, { limit: ON_A_PAGE, ...(after && { after }) })
      const kept = { appId: appId || undefined, q: q || undefined }
      const lead = 'A payer’s bank took a payment back, or tried to. Send evidence before the deadline.'
      const main = html`${pageHead({ title: 'Disputes', lead })}
${filterBar({ path: disputes, label: 'Filter disputes', fields: fieldsOf(call.query, apps) })}
${dataTable<ListedDispute>({
  ...{ id: 'disputes', caption: 'Disputes, newest first', rows: page.items, path: disputes, kept },
  columns: [
    { name: 'Invoice', cell: one => html`<a href="${`${disputes}/${one.disputeId}`}">${one.number}</a>` },
    { name: 'Merchant', cell: merchantCell },
    { name: 'App', cell: ({ appName }) => appName },
    { name: 'Amount', isNumber: true, cell: moneyWords },
    { name: 'Opened', cell: ({ createdAt }) => day(createdAt) },
    { name: 'Evidence', cell: one => evidenceWords(one, clock.now()) },
    { name: 'State', cell: disputeBadge },
  ],
  first: after && addressOf(disputes, kept),
  next: page.next && addressOf(disputes, { ...kept, after: page.next }),
  empty: emptyState('No disputes', 'A disputed payment appears here, and you get a mail.'),
})}`
      return framed(call, { title: 'Disputes', part: 'disputes', main })
    },
  })
}

/** One dispute, and the evidence for the payer's bank. */
function disputePages(ports: Ports): AnyPage[] {
  const definition = { path: `${DEVELOPER_PATHS.disputes}/:disputeId`, params: DisputeParams }
  const asked = ({ organizationId, may }: Own) => ({
    ...{ organizationId, path: DEVELOPER_PATHS.disputes, mayAnswer: may('disputes.answer') },
    ...{ merchantOf: merchantCell, invoiceOf: (one: ListedDispute) => invoiceLink(one) },
  })
  return [
    devPage({
      ...{ ...definition, method: 'GET', query: DisputeQuery, name: 'showOwnDispute', operation: 'disputes.read' },
      async handle(call, own) {
        const page = await showDispute(ports, call, { ...asked(own), isSent: call.query.done === 'sent' })
        return isRejection(page) ? page : framed(call, { ...page, part: 'disputes' })
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', form: EvidenceForm, name: 'sendOwnEvidence', operation: 'disputes.answer' },
      async handle(call, own) {
        const rejected = await sendEntered(ports, call, own.organizationId)
        const sent = `${DEVELOPER_PATHS.disputes}/${call.params.disputeId.toLowerCase()}?done=sent`
        if (rejected === null) return redirect(sent)
        if (!isExplained(rejected)) return rejected
        const page = await showDispute(ports, call, { ...asked(own), entered: call.form, rejected })
        return isRejection(page) ? page : framed(call, { ...page, part: 'disputes' }, { status: page.status })
      },
    }),
  ]
}

const invoiceLink = (one: ListedDispute): Html => html`<a href="${subscriptionOf(one)}">${one.number}</a>`
