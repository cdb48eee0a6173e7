import type { Device, Store } from '../../core/business-record.ts'
import { isRejection } from '../../core/rejection.ts'
import { getBusiness } from '../../merchants/businesses/get.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { say, sayHtml } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { framed, ownPage, PATHS } from './own-page.ts'

/** The stores of the business and their terminals. */
export function terminalPages(ports: Pick<Ports, 'clock'>): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path: PATHS.terminals, name: 'showOwnTerminals', operation: 'businesses.read' },
      async handle(call, shop) {
        const found = await getBusiness({ db: call.db }, { businessId: shop.businessId, within: {} })
        if (isRejection(found)) return found
        const { stores, devices } = found
        const main = html`<h1>${say`Terminals`}</h1>
<p class="lead">${sayHtml`Your staff sign in on the terminals with a user ID and a passcode: ${html`<a href="${PATHS.staff}">${say`Staff`}</a>`}.`}</p>
${
  stores.length === 0
    ? emptyState(say`No stores yet`, say`The platform sets up your stores and their terminals.`)
    : stores.map(store =>
        storeTable(
          store,
          devices.filter(({ storeId }) => storeId === store.storeId),
        ),
      )
}`
        return framed(call, shop, { title: say`Terminals`, part: 'terminals', main })
      },
    }),
  ]
}

function storeTable({ displayName, status }: Store, devices: readonly Device[]): Html {
  const name = status === 'CLOSED' ? say`${displayName} (closed)` : displayName
  if (devices.length === 0) return html`<h2>${name}</h2><p>${say`No terminals.`}</p>`
  return table<Device>({
    caption: name,
    rows: devices,
    columns: [
      { name: say`Terminal`, cell: device => device.name },
      { name: say`Serial number`, cell: ({ serialNumber }) => html`<code>${serialNumber}</code>` },
      { name: say`State`, cell: stateOf },
      { name: say`Last seen`, cell: ({ lastSeenAt }) => (lastSeenAt ? moment(lastSeenAt) : say`Never`) },
    ],
  })
}

function stateOf({ status }: Device): Html {
  if (status === 'ACTIVE') return badge(say`Activated`, 'good')
  return status === 'NEW' ? badge(say`Not activated`, 'warn') : badge(say`Closed`)
}
