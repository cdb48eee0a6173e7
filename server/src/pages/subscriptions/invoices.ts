import { Type } from 'typebox'
import { INVOICE_STATUSES } from '../../core/invoice.ts'
import { parseSpan } from '../../core/page.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import { findInvoice, type Invoice } from '../../money/invoices/store.ts'
import { type ListedInvoice, pageOfInvoices } from '../../money/lists/invoices.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { type Column, filterBy } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { Day, spanOfDays } from '../days.ts'
import { documentBrand, invoiceFile } from '../merchant/invoice-files.ts'
import { invoiceBadge, invoiceWord } from '../state-badges.ts'
import { appsOf, fieldsOf, scopeOf } from './list.ts'
import type { Side } from './side.ts'
import { pathOfSubscription } from './side.ts'

const ON_A_PAGE = 50

export function invoicesPage(side: Side): AnyPage {
  const path = side.paths.invoices
  const query = Type.Object({
    status: Type.Optional(Type.Enum([...INVOICE_STATUSES, 'REFUNDED'])),
    from: Day,
    to: Day,
    appId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
    q: Type.Optional(Text(200, 0)),
    after: Type.Optional(Uuid),
  })
  return side.page({
    ...{ method: 'GET', path, query, name: side.nameOf('showDeveloperInvoices'), operation: 'moneyLists.read' },
    async handle(call, viewer) {
      const { status, appId, q, after, from, to } = call.query
      const scope = scopeOf(viewer, call.query)
      if (isRejection(scope)) return scope
      const span = parseSpan(spanOfDays(call.query))
      if (isRejection(span)) return span
      const apps = await appsOf(call.db, viewer.organizationId)
      if (isRejection(apps)) return apps
      const { search: _, ...all } = scope
      const number = NUMBER.exec(q ?? '')?.[0]
      const asked = {
        scope: number ? all : scope,
        ...(number && { number }),
        ...(status === 'REFUNDED' ? { isRefunded: true } : status && { status }),
        ...span,
      }
      const page = await pageOfInvoices(call, asked, { limit: ON_A_PAGE, ...(after && { after }) })
      const given = { appId: appId || undefined, q: q || undefined, from: from || undefined, to: to || undefined }
      const kept = { status, ...given }
      const texts = Object.fromEntries([
        ...INVOICE_STATUSES.map(one => [one, invoiceWord(one)]),
        ['REFUNDED', 'Refunded'],
      ])
      const [search, ...others] = fieldsOf(call.query, apps)
      const fields = [
        ...(search ? [{ ...search, label: 'Merchant, number or ID' }] : []),
        ...others,
        { kind: 'date', name: 'from', label: 'From', value: from } as const,
        { kind: 'date', name: 'to', label: 'To', value: to } as const,
      ]
      const main = html`${pageHead({ title: 'Invoices', lead: `The invoices of all ${side.whose}, newest first.` })}
${filterBy('Filter by state', { path, kept, name: 'status', value: status, texts, all: 'All' })}
${filterBar({ path, label: 'Filter invoices', fields, kept: { status, ...(apps.length <= 1 && { appId: kept.appId }) } })}
${dataTable<ListedInvoice>({
  ...{ id: 'invoices', caption: 'Invoices', rows: page.items },
  ...{ path, kept, after, next: page.next, hasDrawers: true },
  columns: invoiceColumns(side),
  empty: emptyState(
    'No invoices here',
    status === 'REFUNDED'
      ? 'An invoice appears here when the gateway has confirmed its refund.'
      : 'Each period of a paid subscription has an invoice.',
  ),
})}`
      return side.framed(call, { title: 'Invoices', part: 'invoices', main })
    },
  })
}

/** As core/invoice.ts writes numbers. */
const NUMBER = /^(T-)?\d{4}-\d{6,}$/

const numberCell = (side: Side, one: ListedInvoice) =>
  html`<a href="${pathOfSubscription(side, one)}">${one.number}</a>`

const APP_TO_STATE: readonly Column<ListedInvoice>[] = [
  { name: 'App', cell: ({ appName }) => appName },
  { name: 'Date', cell: ({ createdAt }) => day(createdAt) },
  { name: 'Amount', isNumber: true, cell: moneyWords },
  { name: 'State', cell: stateOf },
]

/** For a table of the invoices of one subscription or merchant. */
export const DATE_TO_STATE: readonly Column<Invoice>[] = [
  { name: 'Date', cell: ({ createdAt }) => day(createdAt) },
  { name: 'Amount', isNumber: true, cell: moneyWords },
  {
    name: 'Refunded',
    isNumber: true,
    cell: ({ amountRefunded: amount, currency }) => (amount === 0 ? '' : moneyWords({ amount, currency })),
  },
  { name: 'State', cell: ({ status }) => invoiceBadge(status) },
]

const invoiceColumns = (side: Side): readonly Column<ListedInvoice>[] => [
  { name: 'Number', cell: one => numberCell(side, one) },
  {
    name: 'Merchant',
    cell: one => html`<a href="${`${side.paths.merchants}/${one.businessId}`}">${one.businessName}</a>`,
  },
  ...APP_TO_STATE,
  { name: 'File', cell: one => fileCell(side, one) },
]

/** For a table beside the facts of one merchant. */
export const invoiceColumnsOfMerchant = (side: Side): readonly Column<ListedInvoice>[] => [
  {
    name: 'Number',
    cell: one =>
      html`<span class="stack"><span class="amount">${numberCell(side, one)}</span><span class="fine">${fileCell(side, one)}</span></span>`,
  },
  ...APP_TO_STATE,
]

function stateOf({ status, amountPaid, amountRefunded, amountChargedBack, ...of }: ListedInvoice): Html {
  if (amountChargedBack > 0) return badge('Charged back', 'bad')
  if (amountRefunded === 0) return invoiceBadge(status)
  if (amountRefunded === amountPaid) return badge('Refunded')
  return badge(`${moneyWords({ ...of, amount: amountRefunded })} refunded`)
}

/** The invoice as the merchant gets it, without the merchant's card. */
export function invoiceFilePage(side: Side): AnyPage {
  return side.page({
    ...{ method: 'GET', path: `${side.paths.invoices}/:invoiceId.pdf`, name: side.nameOf('saveDeveloperInvoice') },
    operation: 'moneyLists.read',
    params: Type.Object({ invoiceId: Uuid }),
    async handle(call, { organizationId }) {
      const { sql } = call.db
      const invoice = await findInvoice(sql, call.params.invoiceId)
      const isVisible = organizationId === undefined || invoice?.organizationId === organizationId
      const [buyer] = invoice && isVisible ? await findBusinesses(sql, [invoice.businessId]) : []
      if (invoice === null || buyer === undefined) {
        return reject('INVOICE_NOT_FOUND', 'There is no invoice with this id.')
      }
      const brand = await documentBrand(sql, call.brand)
      const file = await invoiceFile(sql, invoice, { buyer, brand, namesCard: false })
      return bytes('application/pdf', file.bytes, file.name)
    },
  })
}

export const fileCell = ({ paths }: Side, { invoiceId, number }: Pick<Invoice, 'invoiceId' | 'number'>): Html =>
  html`<a href="${`${paths.invoices}/${invoiceId}.pdf`}">PDF<span class="unseen"> of invoice ${number}</span></a>`
