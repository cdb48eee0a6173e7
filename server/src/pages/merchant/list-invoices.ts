import { Type } from 'typebox'
import { listInvoices } from '../../money/invoices/store.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { emptyState } from '../../platform/web/components/notice.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { framed, PATHS } from './frame.ts'
import { invoiceTable } from './invoice-table.ts'
import { ownPage } from './own-page.ts'
import { appFaces } from './own-subscriptions.ts'

/** Two years of months. */
const ON_A_PAGE = 24

/** All invoices of the merchant, the newest first. */
export function listInvoicesPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return ownPage(ports, {
    method: 'GET',
    path: PATHS.invoices,
    name: 'showOwnInvoices',
    operation: 'invoices.read',
    query: Type.Object({ page: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,6}$' })) }),
    async handle(call, shop) {
      const { sql } = call.db
      const page = Number(call.query.page ?? 1)
      const offset = (page - 1) * ON_A_PAGE
      const { invoices, total } = await listInvoices(sql, {
        ...{ businessId: shop.businessId, first: 'newest', offset, limit: ON_A_PAGE },
      })
      const faces = await appFaces(
        sql,
        invoices.map(({ appId }) => appId),
      )
      const appNames = new Map([...faces].map(([appId, { name }]) => [appId, name]))
      const caption = total > ON_A_PAGE ? `${total} invoices, page ${page}` : 'All invoices, the newest first'
      const main = html`<h1>Invoices</h1>
${invoices.length === 0 ? nothing(page) : invoiceTable(invoices, { caption, appNames })}
${pager(page, total)}`
      return framed(call, shop, { title: 'Invoices', part: 'invoices', main })
    },
  })
}

function nothing(page: number): Html {
  if (page > 1)
    return emptyState(
      'No invoices on this page',
      'There are not that many.',
      linkButton('Newest invoices', PATHS.invoices),
    )
  return emptyState('No invoices yet', 'An invoice is made for each payment. It is shown here, to be printed or saved.')
}

function pager(page: number, total: number): Html | false {
  const hasNewer = page > 1
  const hasOlder = page * ON_A_PAGE < total
  if (!hasNewer && !hasOlder) return false
  return html`<nav class="pager" aria-label="More invoices">
${hasNewer ? linkButton('Newer', `${PATHS.invoices}?page=${page - 1}`) : html`<span></span>`}
${hasOlder && linkButton('Older', `${PATHS.invoices}?page=${page + 1}`)}
</nav>`
}
