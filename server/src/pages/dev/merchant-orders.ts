import type { BusinessRecord } from '../../core/business-record.ts'
import { ORDER_EVENT_TYPES, type OrderEventType } from '../../core/event.ts'
import type { Order, OrderStatus } from '../../core/order.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { PageCall } from '../../platform/http/page.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { badge, type Tone } from '../../platform/web/components/content.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { moment, moneyWords } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import type { Ports } from '../../ports.ts'
import { listDeliveries } from '../../webhooks/notifications/history.ts'
import type { HistoryEntry } from '../../webhooks/notifications/history-store.ts'
import { findOrders } from '../../webhooks/orders/store.ts'
import { eventTypeOf } from '../webhooks/deliveries.ts'
import { pathOfEvent, pathOfHook } from '../webhooks/hook-page.ts'
import type { Own } from './dev-page.ts'

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
export async function latestOrders(
  { clock }: Pick<Ports, 'clock'>,
  { db, principal }: Pick<PageCall<unknown, unknown, unknown>, 'db' | 'principal'>,
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
