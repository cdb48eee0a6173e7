import { Type } from 'typebox'
import { INVOICE_STATUSES } from '../../core/invoice.ts'
import { parseSpan } from '../../core/page.ts'
import { isRejection } from '../../core/rejection.ts'
import { type ListedDispute, pageOfDisputes } from '../../money/lists/disputes.ts'
import { type ListedInvoice, pageOfInvoices } from '../../money/lists/invoices.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, type Column, filter } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { Day, spanOfDays } from '../days.ts'
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
import { invoiceBadge, invoiceWord } from '../invoice-states.ts'
import { pathOf } from './apps.ts'
import { devPage, framed, type Own } from './dev-page.ts'
import { fileCell } from './invoice-file.ts'
import { appsOf, fieldsOf, scopeOf } from './subscriptions.ts'

const path = DEVELOPER_PATHS.invoices
const ON_A_PAGE = 50

const common = {
  appId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
  q: Type.Optional(Text(200, 0)),
  after: Type.Optional(Uuid),
}

/** The invoices and the disputes of all apps of the organization. */
export function invoicePages(ports: Ports): AnyPage[] {
  return [listPage(), disputesPage(ports), ...disputePages(ports)]
}

function listPage(): AnyPage {
  const query = Type.Object({
    status: Type.Optional(Type.Enum([...INVOICE_STATUSES])),
    from: Day,
    to: Day,
    ...common,
  })
  return devPage({
    ...{ method: 'GET', path, query, name: 'showDeveloperInvoices', operation: 'moneyLists.read' },
    async handle(call, own) {
      const { status, appId, q, after, from, to } = call.query
      const scope = scopeOf(own, call.query)
      if (isRejection(scope)) return scope
      const span = parseSpan(spanOfDays(call.query))
      if (isRejection(span)) return span
      const apps = await appsOf(call.db, own.organizationId)
      if (isRejection(apps)) return apps
      const { search: _, ...all } = scope
      const number = NUMBER.exec(q ?? '')?.[0]
      const asked = {
        scope: number ? all : scope,
        ...{ ...(number && { number }), ...(status && { status }) },
        ...span,
      }
      const page = await pageOfInvoices(call, asked, { limit: ON_A_PAGE, ...(after && { after }) })
      const given = { appId: appId || undefined, q: q || undefined, from: from || undefined, to: to || undefined }
      const kept = { status, ...given }
      const states = [undefined, ...INVOICE_STATUSES].map(one => ({
        text: one === undefined ? 'All' : invoiceWord(one),
        href: addressOf(path, { ...kept, status: one }),
        isCurrent: one === status,
      }))
      const [search, ...others] = fieldsOf(call.query, apps)
      const fields = [
        ...(search ? [{ ...search, label: 'Merchant, number or ID' }] : []),
        ...others,
        { kind: 'date', name: 'from', label: 'From', value: from } as const,
        { kind: 'date', name: 'to', label: 'To', value: to } as const,
      ]
      const main = html`${pageHead({ title: 'Invoices', lead: 'Of all your apps, newest first.' })}
${filter('Filter by state', states)}
${filterBar({ path, label: 'Filter invoices', fields, kept: { status } })}
${dataTable<ListedInvoice>({
  ...{ id: 'invoices', caption: 'Invoices', rows: page.items, path, kept, columns: INVOICE_COLUMNS },
  first: after && addressOf(path, kept),
  next: page.next && addressOf(path, { ...kept, after: page.next }),
  empty: emptyState('No invoices here', 'Each period of a paid subscription has an invoice.'),
})}`
      return framed(call, { title: 'Invoices', part: 'invoices', main })
    },
  })
}

/** As core/invoice.ts writes numbers. */
const NUMBER = /^(T-)?\d{4}-\d{6,}$/

const merchantCell = (of: { readonly businessId: string; readonly businessName: string }): Html =>
  html`<a href="${`${DEVELOPER_PATHS.merchants}/${of.businessId}`}">${of.businessName}</a>`

const subscriptionOf = (of: { readonly appId: string; readonly subscriptionId: string }) =>
  `${pathOf(of)}/subscriptions/${of.subscriptionId}`

const numberCell = (one: ListedInvoice) => html`<a href="${subscriptionOf(one)}">${one.number}</a>`

const APP_TO_STATE: readonly Column<ListedInvoice>[] = [
  { name: 'App', cell: ({ appName }) => appName },
  { name: 'Date', cell: ({ createdAt }) => day(createdAt) },
  { name: 'Amount', isNumber: true, cell: moneyWords },
  { name: 'State', cell: stateOf },
]

const INVOICE_COLUMNS: readonly Column<ListedInvoice>[] = [
  { name: 'Number', cell: numberCell },
  { name: 'Merchant', cell: merchantCell },
  ...APP_TO_STATE,
  { name: 'File', cell: fileCell },
]

/** For a table beside facts. */
export const INVOICES_OF_MERCHANT: readonly Column<ListedInvoice>[] = [
  {
    name: 'Number',
    cell: one =>
      html`<span class="stack"><span class="amount">${numberCell(one)}</span><span class="fine">${fileCell(one)}</span></span>`,
  },
  ...APP_TO_STATE,
]

function stateOf({ status, amountPaid, amountRefunded, amountChargedBack, ...of }: ListedInvoice): Html {
  if (amountChargedBack > 0) return badge('Charged back', 'bad')
  if (amountRefunded === 0) return invoiceBadge(status)
  if (amountRefunded === amountPaid) return badge('Refunded')
  return badge(`${moneyWords({ ...of, amount: amountRefunded })} refunded`)
}

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
