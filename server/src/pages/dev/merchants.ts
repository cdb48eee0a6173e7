import { Type } from 'typebox'
import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import { isRelatedToOrganization } from '../../access/rights/store.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import { ORDER_EVENT_TYPES, type OrderEventType } from '../../core/event.ts'
import type { Order, OrderStatus } from '../../core/order.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findBusinesses } from '../../merchants/businesses/store.ts'
import { type ListedInvoice, pageOfInvoices } from '../../money/lists/invoices.ts'
import { type NamedSubscription, pageOfSubscriptions } from '../../money/lists/subscriptions.ts'
import { findLifetimeValue } from '../../money/lists/summaries.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { badge, emptyState, facts, type Tone } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { stats } from '../../platform/web/components/stat.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { day, moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { listDeliveries } from '../../webhooks/notifications/history.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'
import { findOrders } from '../../webhooks/orders/store.ts'
import { countryName } from '../countries.ts'
import { invoiceColumnsOfMerchant } from '../subscriptions/invoices.ts'
import { PRICE_COLUMN, STATE_AND_SINCE } from '../subscriptions/list.ts'
import { eventTypeOf } from '../webhooks/deliveries.ts'
import { pathOfEvent, pathOfHook } from '../webhooks/hook-page.ts'
import { pathOf } from './apps.ts'
import type { Own } from './dev-page.ts'
import { DEV_SIDE, devPage, framed } from './dev-page.ts'

const path = DEVELOPER_PATHS.merchants
const ON_A_PAGE = 50
const LATEST_INVOICES = 20

/** The merchants that the organization's apps may read, and one with everything about it. */
export function merchantPages(ports: Pick<Ports, 'clock'>): AnyPage[] {
  return [listPage(), onePage(ports)]
}

function listPage(): AnyPage {
  return devPage({
    ...{ method: 'GET', path, name: 'showDeveloperMerchants', operation: 'businessLists.read' },
    query: Type.Object({ q: Type.Optional(Text(200, 0)), after: Type.Optional(Uuid) }),
    async handle(call, { organizationId, merchantType }) {
      const { q, after } = call.query
      const search = q !== undefined && /[\p{L}\p{N}]/u.test(q) ? { q } : {}
      const asked = { organizationId, type: merchantType, ...search }
      const page = await pageOfBusinesses(call, asked, { limit: ON_A_PAGE, ...(after && { after }) })
      if (isRejection(page)) return page
      const kept = { q: q || undefined }
      const field = { kind: 'search', name: 'q', label: 'Name, e-mail or ID', value: q } as const
      const main = html`${pageHead({ title: 'Merchants', lead: 'Merchants that approved one of your apps or subscribed.' })}
${filterBar({ path, label: 'Find a merchant', fields: [field] })}
${dataTable<BusinessRecord>({
  ...{ id: 'merchants', caption: 'Merchants, newest first', rows: page.items, path, kept, after, next: page.next },
  columns: [
    { name: 'Name', cell: one => html`<a href="${`${path}/${one.businessId}`}">${nameOf(one)}</a>` },
    { name: 'Legal name', cell: ({ legalName }) => legalName },
    { name: 'E-mail', cell: ({ emailAddress }) => emailAddress },
    { name: 'Country', cell: ({ country }) => countryName(country) },
    { name: 'Created', cell: ({ createdAt }) => day(createdAt) },
  ],
  empty: emptyState('No merchants here', 'A merchant appears here when it approves one of your apps or subscribes.'),
})}`
      return framed(call, { title: 'Merchants', part: 'merchants', main })
    },
  })
}

function onePage(ports: Pick<Ports, 'clock'>): AnyPage {
  return devPage({
    ...{ method: 'GET', path: `${path}/:businessId`, name: 'showDeveloperMerchant', operation: 'businessLists.read' },
    params: Type.Object({ businessId: Uuid }),
    async handle(call, own) {
      const { organizationId } = own
      const { sql } = call.db
      const businessId = call.params.businessId
      const [merchant] = await findBusinesses(sql, [businessId])
      const isOwn = merchant?.organizationId === organizationId
      const isVisible = isOwn || (await isRelatedToOrganization(sql, { businessId, organizationId }))
      if (merchant === undefined || !isVisible) {
        return reject('BUSINESS_NOT_FOUND', 'There is no merchant with this id that your apps may read.')
      }
      const scope = { organizationId, businessId, seenFrom: {} }
      const subscriptions = await pageOfSubscriptions(call, { scope }, { limit: ON_A_PAGE })
      const invoices = await pageOfInvoices(call, { scope }, { limit: LATEST_INVOICES })
      const { since, paid } = await findLifetimeValue(sql, { organizationId, businessId })
      const orders = await latestOrders(ports, call, merchant, own)
      if (isRejection(orders)) return orders
      const active = subscriptions.items.filter(({ subscription }) => subscription.status === 'ACTIVE').length
      const main = html`${pageHead({
        above: [{ href: path, text: 'Merchants' }],
        title: nameOf(merchant),
        badge: merchant.type === 'TEST_MERCHANT' && badge('Test', 'warn'),
      })}
${stats([
  ...paid.map(one => ({ label: `Lifetime value, ${one.currency}`, value: moneyWords(one) })),
  { label: 'Active subscriptions', value: String(active) },
  { label: 'Customer since', value: since === null ? 'Not yet' : day(since) },
])}
${withDetails(
  html`${
    subscriptions.items.length === 0
      ? html`<h2>Subscriptions</h2><p>None yet.</p>`
      : table<NamedSubscription>({
          caption: 'Subscriptions, newest first',
          rows: subscriptions.items,
          columns: [
            {
              name: 'App',
              cell: ({ subscription, appName }) =>
                html`<a href="${`${pathOf(subscription)}/subscriptions/${subscription.subscriptionId}`}">${appName}</a>`,
            },
            { name: 'Plan', cell: ({ planName }) => planName },
            PRICE_COLUMN,
            ...STATE_AND_SINCE,
          ],
        })
  }
${
  invoices.items.length === 0
    ? html`<h2>Invoices</h2><p>No invoice was issued.</p>`
    : table<ListedInvoice>({
        caption: 'Latest invoices',
        rows: invoices.items,
        columns: invoiceColumnsOfMerchant(DEV_SIDE),
      })
}
${orders}`,
  facts([
    ['Legal name', merchant.legalName],
    ['E-mail', merchant.emailAddress],
    ['Country', countryName(merchant.country)],
    ['ID', copyId('merchant-id', businessId, 'the merchant’s id')],
  ]),
)}`
      return framed(call, { title: nameOf(merchant), part: 'merchants', main })
    },
  })
}

const nameOf = ({ doingBusinessAs, legalName }: BusinessRecord) => doingBusinessAs || legalName

/** The orders among the merchant's latest deliveries. */
const MOST_DELIVERIES = '100'
const MOST_ORDERS = 10

interface NotifiedOrder {
  /** The newest event. */
  readonly entry: HistoryEntry
  readonly appId: string
  readonly orderId: string
  readonly occurredAt: Date
  readonly eventType: OrderEventType
  /** Absent: the developer may not read the order. */
  readonly order?: Order | undefined
}

/**
 * The latest orders of a merchant that endpoints of the organization were notified of. Decisions 3 gives the orders themselves to the app, and
 * to the developer for own test merchants only. For other merchants, the page shows only the events.
 */
async function latestOrders(
  { clock }: Pick<Ports, 'clock'>,
  { db, principal }: Pick<PageCall, 'db' | 'principal'>,
  { businessId, type, organizationId }: BusinessRecord,
  own: Own,
): Promise<Html | false | Rejection> {
  const query = { limit: MOST_DELIVERIES }
  const sent = await listDeliveries({ db, clock }, { of: { businessId }, principal, query })
  if (isRejection(sent)) return sent
  const mayRead = type === 'TEST_MERCHANT' && organizationId === own.organizationId
  const latest = latestByOrder(sent.entries)
  const orders = mayRead
    ? await findOrders(
        db.sql,
        businessId,
        latest.map(({ orderId }) => orderId),
      )
    : []
  const byId = new Map(orders.map(order => [order.orderId, order]))
  const rows = latest.map(one => ({ ...one, order: byId.get(one.orderId) }))
  return rows.length > 0 && orderTable(rows, mayRead)
}

/** The newest event of each order. An event that was sent to another endpoint later is older than its delivery. */
function latestByOrder(entries: readonly HistoryEntry[]): NotifiedOrder[] {
  const latest = new Map<string, NotifiedOrder>()
  for (const entry of entries) {
    const eventType = eventTypeOf(entry)
    if (entry.isTest || !isOrderEvent(eventType)) continue
    const { resourceId: orderId, createdAt, applicationId } = JSON.parse(entry.body)
    const occurredAt = new Date(createdAt)
    const known = latest.get(orderId)
    if (known !== undefined && occurredAt <= known.occurredAt) continue
    latest.set(orderId, { entry, appId: applicationId.replace(/^urn:aid:/, ''), orderId, occurredAt, eventType })
  }
  return [...latest.values()].slice(0, MOST_ORDERS)
}

const isOrderEvent = (type: string): type is OrderEventType => (ORDER_EVENT_TYPES as readonly string[]).includes(type)

function orderTable(rows: readonly NotifiedOrder[], mayRead: boolean): Html {
  return html`${table<NotifiedOrder>({
    caption: 'Latest orders',
    rows,
    columns: [
      { name: 'Order', cell: orderCell },
      ...(mayRead
        ? [
            { name: 'State', cell: ({ order }: NotifiedOrder) => order && badge(...STATES[order.status]) },
            { name: 'Amount', isNumber: true, cell: amountCell },
          ]
        : []),
      {
        name: 'Last event',
        cell: ({ entry, appId, occurredAt, eventType }) =>
          html`<a href="${pathOfEvent(appId, entry.notificationId)}">${breakable(eventType)}</a> <span class="fine">${moment(occurredAt)}</span>`,
      },
    ],
  })}
<p class="fine">Orders of the last 30 days that your endpoints were notified of.${!mayRead && ' Your server gets the amount of an order by the link in its event, while the merchant’s approval is in force.'}</p>`
}

/** The link shows all deliveries of the order. */
function orderCell({ entry, orderId, order }: NotifiedOrder): Html {
  return html`<a href="${addressOf(pathOfHook(entry), { id: orderId })}">${order?.reference ?? html`<code>…${orderId.slice(-12)}</code>`}</a>`
}

const STATES: Readonly<Record<OrderStatus, readonly [word: string, tone: Tone]>> = {
  OPENED: ['Open', 'warn'],
  COMPLETED: ['Completed', 'good'],
  CANCELLED: ['Cancelled', 'plain'],
}

function amountCell({ order }: NotifiedOrder): string {
  const { amount, currency } = order ?? {}
  return amount === undefined || currency === undefined ? '' : moneyWords({ amount, currency })
}
