import { Type } from 'typebox'
import type { Device, Store } from '../../core/business-record.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { getBusiness } from '../../merchants/businesses/get.ts'
import { findDevice, findStore } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { badge, emptyState, notice, toast } from '../../platform/web/components/content.ts'
import { buttons, confirmation, linkButton } from '../../platform/web/components/form.ts'
import { table } from '../../platform/web/components/table.ts'
import { moment } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { english, say, sayHtml, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { closeDevice, closeStore } from '../../terminals/terminal-api/close.ts'
import { keepingStoreOpen, ofTerminal, subscriptionLinks } from '../subscription-links.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'

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

type ClosePorts = Parameters<typeof closeDevice>[0]

/** Closes a terminal or a store of the business permanently, after a page that says what ends and what goes on. */
export function closeLocationPages(ports: ClosePorts): AnyPage[] {
  return [...closeTerminalPages(ports), ...closeStorePages(ports)]
}

function closeTerminalPages(ports: ClosePorts): AnyPage[] {
  const definition = {
    path: `${path}/:deviceId/close`,
    params: Type.Object({ deviceId: Uuid }),
    operation: 'businesses.write',
  } as const
  return [
    ownPage(ports, {
      ...{ ...definition, method: 'GET', name: 'askBeforeClosingTerminal' },
      async handle(call, shop) {
        const { sql } = call.db
        const { businessId } = shop
        const deviceId = call.params.deviceId
        const device = await findDevice(sql, businessId, deviceId)
        if (device === null) return reject('DEVICE_NOT_FOUND', 'The business has no terminal with this id.')
        if (device.status === 'CLOSED') return redirect(path)
        const own = await ofTerminal(sql, { businessId, deviceId })
        const title = say`Close ${device.name}?`
        const main = confirmation(call, {
          ...{ title, verb: say`Close the terminal`, isDangerous: true, backHref: path },
          words: html`<ul>
<li>${say`The terminal stops working at once. Everyone is signed out, and open purchases are cancelled.`}</li>
<li>${say`A closed terminal cannot be opened again. To use the device again, add it as a new terminal.`}</li>
<li>${say`Orders and invoices stay.`}</li>
<li>${own.length === 0 ? say`No subscription is for this terminal alone.` : say`These subscriptions go on, and you keep paying for them. Move them to another terminal, or cancel them:`}${own.length > 0 && (await linksTo(sql, own))}</li></ul>`,
        })
        return framed(call, shop, { title, part: 'terminals', width: 'narrow', main })
      },
    }),
    ownPage(ports, {
      ...{ ...definition, method: 'POST', name: 'closeOwnTerminal' },
      async handle(call, { businessId }) {
        const deviceId = call.params.deviceId
        const closed = await closeDevice({ ...ports, db: call.db }, { businessId, deviceId })
        return isRejection(closed) ? closed : redirect(`${path}?done=terminal`)
      },
    }),
  ]
}

function closeStorePages(ports: ClosePorts): AnyPage[] {
  const definition = {
    path: `${path}/stores/:storeId/close`,
    params: Type.Object({ storeId: Uuid }),
    operation: 'businesses.write',
  } as const
  return [
    ownPage(ports, {
      ...{ ...definition, method: 'GET', name: 'askBeforeClosingStore' },
      handle: (call, shop) => askAboutStore(call, shop, { storeId: call.params.storeId }),
    }),
    ownPage(ports, {
      ...{ ...definition, method: 'POST', name: 'closeOwnStore' },
      async handle(call, shop) {
        const { businessId } = shop
        const storeId = call.params.storeId
        const closed = await closeStore({ ...ports, db: call.db }, { businessId, storeId })
        if (!isRejection(closed)) return redirect(`${path}?done=store`)
        if (closed.rejected !== 'STORE_IN_USE') return closed
        return askAboutStore(call, shop, { storeId, status: PROBLEMS.STORE_IN_USE.status })
      },
    }),
  ]
}

/** A store with subscriptions has no button: they are moved or cancelled first. */
async function askAboutStore(
  call: PageCall,
  shop: Shop,
  { storeId, status = 200 }: { readonly storeId: string; readonly status?: number },
): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const { businessId } = shop
  const store = await findStore(sql, businessId, storeId)
  if (store === null) return reject('STORE_NOT_FOUND', 'The business has no store with this id.')
  if (store.status === 'CLOSED') return redirect(path)
  const own = await keepingStoreOpen(sql, { businessId, storeId })
  const title = say`Close ${store.displayName}?`
  if (own.length > 0) {
    const main = html`<h1>${title}</h1>
${notice('warn', sayText(PROBLEMS.STORE_IN_USE.message))}
${await linksTo(sql, own)}
${buttons(linkButton(say`Go back`, path))}`
    return framed(call, shop, { title, part: 'terminals', width: 'narrow', main }, { status })
  }
  const main = confirmation(call, {
    ...{ title, verb: say`Close the store`, isDangerous: true, backHref: path },
    words: html`<ul>
<li>${say`All its terminals stop working at once. Everyone is signed out, and open purchases are cancelled.`}</li>
<li>${say`A closed store cannot be opened again.`}</li>
<li>${say`Orders and invoices stay.`}</li></ul>`,
  })
  return framed(call, shop, { title, part: 'terminals', width: 'narrow', main })
}

function linksTo(sql: Sql, subscriptions: readonly Subscription[]): Promise<Html> {
  return subscriptionLinks(sql, subscriptions, ({ subscriptionId }) => `${PATHS.subscriptions}/${subscriptionId}`)
}
