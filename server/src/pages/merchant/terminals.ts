import { Type } from 'typebox'
import type { Device, Store } from '../../core/business-record.ts'
import { isRejection } from '../../core/rejection.ts'
import { getBusiness } from '../../merchants/businesses/get.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { badge, emptyState, toast } from '../../platform/web/components/content.ts'
import { buttons, linkButton } from '../../platform/web/components/form.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { english, say, sayHtml, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { framed, ownPage, PATHS } from './own-page.ts'

const path = PATHS.terminals
const DONE = { terminal: english('Terminal closed'), store: english('Store closed') } as const

/** The stores of the business and their terminals. */
export function terminalPages(ports: Pick<Ports, 'clock'>): AnyPage[] {
  return [
    ownPage(ports, {
      ...{ method: 'GET', path, name: 'showOwnTerminals', operation: 'businesses.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])) }),
      async handle(call, shop) {
        const found = await getBusiness({ db: call.db }, { businessId: shop.businessId, within: {} })
        if (isRejection(found)) return found
        const { stores, devices } = found
        const { done } = call.query
        const main = html`<h1>${say`Terminals`}</h1>
<p class="lead">${sayHtml`Your staff sign in on the terminals with a user ID and a passcode: ${html`<a href="${PATHS.staff}">${say`Staff`}</a>`}.`}</p>
${done && toast(sayText(DONE[done]))}
${
  stores.length === 0
    ? emptyState(say`No stores yet`, say`The platform sets up your stores and their terminals.`)
    : stores.map(store =>
        storeTable(
          store,
          devices.filter(({ storeId }) => storeId === store.storeId),
          { mayClose: shop.may('businesses.write') },
        ),
      )
}`
        return framed(call, shop, { title: say`Terminals`, part: 'terminals', main })
      },
    }),
  ]
}

function storeTable(
  { displayName, status, storeId }: Store,
  devices: readonly Device[],
  { mayClose }: { readonly mayClose: boolean },
): Html {
  const name = status === 'CLOSED' ? say`${displayName} (closed)` : displayName
  const close =
    mayClose &&
    status !== 'CLOSED' &&
    buttons(linkButton(say`Close the store`, `${path}/stores/${storeId}/close`, { size: 'small', about: displayName }))
  if (devices.length === 0) return html`<h2>${name}</h2><p>${say`No terminals.`}</p>${close}`
  return html`${table<Device>({
    caption: name,
    rows: devices,
    columns: [
      { name: say`Terminal`, cell: device => device.name },
      { name: say`Serial number`, cell: ({ serialNumber }) => html`<code>${serialNumber}</code>` },
      { name: say`State`, cell: stateOf },
      { name: say`Last seen`, cell: ({ lastSeenAt }) => (lastSeenAt ? moment(lastSeenAt) : say`Never`) },
      mayClose && { name: say`Close`, cell: closeButton },
    ],
  })}${close}`
}

function closeButton({ deviceId, name, status }: Device): Html | '' {
  if (status === 'CLOSED') return ''
  return linkButton(say`Close`, `${path}/${deviceId}/close`, { size: 'small', about: name })
}

function stateOf({ status }: Device): Html {
  if (status === 'ACTIVE') return badge(say`Activated`, 'good')
  return status === 'NEW' ? badge(say`Not activated`, 'warn') : badge(say`Closed`)
}
