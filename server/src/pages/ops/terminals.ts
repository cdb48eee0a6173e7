import { Type } from 'typebox'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { getBusiness } from '../../merchants/businesses/get.ts'
import { findStore } from '../../merchants/businesses/store.ts'
import { modeOf } from '../../platform/http/mode.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState, facts, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { buttons, confirmation, linkButton, press } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, filterBy } from '../../platform/web/components/table.ts'
import { moment, shortMoment } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { closeDevice, closeStore } from '../../terminals/terminal-api/close.ts'
import { type ListedTerminal, pageOfTerminals } from '../../terminals/terminal-lists/list.ts'
import { keepingStoreOpen, ofTerminal, subscriptionLinks } from '../subscription-links.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'
import { framed, merchantLink, ON_A_PAGE, OPS_SIDE, opsPage, searched, searchField } from './ops-page.ts'
import { deviceBadge } from './words.ts'

const path = OPERATOR_PATHS.terminals
const STATES = { ACTIVE: 'Activated', NEW: 'Not activated', CLOSED: 'Closed' } as const
type State = keyof typeof STATES
const params = Type.Object({ deviceId: Uuid })

type ClosePorts = Parameters<typeof closeDevice>[0]

/** The terminals of all merchants, and one with its activation code. */
export function terminalPages(ports: ClosePorts): AnyPage[] {
  return [listPage(), onePage(), ...closePages(ports)]
}

function listPage(): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showTerminals', operation: 'terminals.read' },
    query: Type.Object({
      q: Type.Optional(Text(200, 0)),
      status: Type.Optional(Type.Enum(Object.keys(STATES) as State[])),
      after: Type.Optional(Uuid),
    }),
    async handle(call) {
      const { status, after, q } = call.query
      const merchantType = modeOf(call) === 'test' ? 'TEST_MERCHANT' : 'MERCHANT'
      const asked = { ...searched(q), ...(status && { status }) }
      const slice = { limit: ON_A_PAGE, ...(after && { after }) }
      const page = await pageOfTerminals(call, { ...asked, merchantType }, slice)
      if (isRejection(page)) return page
      const kept = { q: q || undefined, status }
      const main = html`${pageHead({ title: 'Terminals', lead: 'The terminals of all merchants, newest first.' })}
${filterBy('Filter by state', { path, kept, name: 'status', value: status, texts: STATES, all: 'All' })}
${filterBar({ path, label: 'Search terminals', fields: [searchField('Name, serial number or ID', q)], kept: { status } })}
${dataTable<ListedTerminal>({
  ...{ id: 'terminals', caption: 'Terminals', rows: page.items, path, kept, after, next: page.next },
  hasDrawers: true,
  columns: [
    { name: 'Terminal', cell: one => html`<a href="${pathOf(one)}">${one.name}</a>` },
    { name: 'Serial number', cell: ({ serialNumber }) => html`<code>${serialNumber}</code>` },
    { name: 'Merchant', cell: merchantLink },
    { name: 'Store', cell: ({ storeName }) => storeName },
    { name: 'State', cell: deviceBadge },
    { name: 'Last seen (UTC)', cell: ({ lastSeenAt }) => (lastSeenAt ? shortMoment(lastSeenAt) : 'Never') },
  ],
  empty: emptyState('No terminals found', 'Add a terminal on the page of its merchant, or through the API.'),
})}`
      return framed(call, { title: 'Terminals', part: 'terminals', main })
    },
  })
}

function onePage(): AnyPage {
  return opsPage({
    ...{ method: 'GET', path: `${path}/:deviceId`, name: 'showOneTerminal', operation: 'terminals.read' },
    params,
    query: Type.Object({ done: Type.Optional(Type.Enum(['closed'])) }),
    async handle(call, desk) {
      const terminal = await findTerminal(call, call.params)
      if (isRejection(terminal)) return terminal
      const { businessId, deviceId, name, serialNumber, storeName, lastSeenAt, createdAt, status } = terminal
      const found = await getBusiness({ db: call.db }, { businessId, within: {} })
      if (isRejection(found)) return found
      const activate = `${OPERATOR_PATHS.merchants}/${businessId}/terminals/${deviceId}/activate`
      const isOpen = status !== 'CLOSED' && desk.may('businesses.write')
      const head = { title: name, badge: deviceBadge(terminal), above: [{ text: 'Terminals', href: path }] }
      const close = isOpen && linkButton('Close the terminal', `${pathOf(terminal)}/close`)
      const main = html`${pageHead({ ...head, actions: close })}
${call.query.done && toast('Terminal closed')}
<div class="section">${facts([
        ['Serial number', html`<code>${serialNumber}</code>`],
        ['Merchant', merchantLink(terminal)],
        ['Store', storeName],
        ['Last seen', lastSeenAt ? moment(lastSeenAt) : 'Never'],
        ['Created', moment(createdAt)],
        ['ID', copyId('terminal', deviceId, 'the terminal ID')],
      ])}
${isOpen && buttons(press(activate, call.csrf, 'New activation code', `for ${name}`))}</div>
${isOpen && html`<p class="fine">The next page shows the code as a QR code. The previous code no longer works, and a new activation replaces the terminal’s key.</p>`}`
      return framed(call, { title: name, part: 'terminals', main })
    },
  })
}

function closePages(ports: ClosePorts): AnyPage[] {
  const definition = { path: `${path}/:deviceId/close`, params, operation: 'businesses.write' } as const
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeClosingTerminalOfMerchant' },
      async handle(call) {
        const terminal = await findTerminal(call, call.params)
        if (isRejection(terminal)) return terminal
        const { name } = terminal
        if (terminal.status === 'CLOSED') return redirect(pathOf(terminal))
        const own = await ofTerminal(call.db.sql, terminal)
        const links =
          own.length > 0 && (await subscriptionLinks(call.db.sql, own, one => pathOfSubscription(OPS_SIDE, one)))
        const title = `Close ${name}?`
        const main = confirmation(call, {
          ...{ title, verb: 'Close the terminal', isDangerous: true, backHref: pathOf(terminal) },
          words: html`<ul>
<li>The key, the activation code and the tokens of the terminal stop working at once.</li>
<li>Everyone is signed out of the terminal, and its open purchases are cancelled.</li>
<li>${links ? html`These subscriptions go on and are still charged. Cancel them, or let the merchant move them to another terminal:${links}` : 'No subscription is for this terminal alone.'}</li>
<li>A closed terminal cannot be opened again. To use the device again, add it as a new terminal.</li></ul>`,
        })
        return framed(call, { title, part: 'terminals', main, width: 'narrow' })
      },
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'closeTerminalOfMerchant' },
      async handle(call) {
        const terminal = await findTerminal(call, call.params)
        if (isRejection(terminal)) return terminal
        const closed = await closeDevice({ ...ports, db: call.db }, terminal)
        return isRejection(closed) ? closed : redirect(addressOf(pathOf(terminal), { done: 'closed' }))
      },
    }),
  ]
}

async function findTerminal(
  call: Parameters<typeof pageOfTerminals>[0],
  { deviceId }: { readonly deviceId: string },
): Promise<ListedTerminal | Rejection> {
  const page = await pageOfTerminals(call, { deviceId }, { limit: 1 })
  if (isRejection(page)) return page
  return page.items[0] ?? reject('DEVICE_NOT_FOUND', 'There is no terminal with this id.')
}

const pathOf = ({ deviceId }: Pick<ListedTerminal, 'deviceId'>) => `${path}/${deviceId}`

interface StoreId {
  readonly businessId: string
  readonly storeId: string
}

/** Closes a store of a merchant with its terminals, after the same page as for the merchant (`merchant/terminals.ts`). */
export function closeStorePages(ports: Parameters<typeof closeStore>[0]): AnyPage[] {
  const definition = {
    path: `${OPERATOR_PATHS.merchants}/:businessId/stores/:storeId/close`,
    params: Type.Object({ businessId: Uuid, storeId: Uuid }),
    operation: 'businesses.write',
  } as const
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeClosingStoreOfMerchant' },
      handle: call => ask(call, idOf(call.params)),
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'closeStoreOfMerchant' },
      async handle(call) {
        const id = idOf(call.params)
        const closed = await closeStore({ ...ports, db: call.db }, id)
        if (!isRejection(closed)) return redirect(addressOf(merchantOf(id), { done: 'storeClosed' }))
        return closed.rejected === 'STORE_IN_USE' ? ask(call, id, PROBLEMS.STORE_IN_USE.status) : closed
      },
    }),
  ]
}

/** A store with subscriptions has no button: the subscriptions are moved or cancelled first. */
async function ask(call: PageCall, id: StoreId, status = 200): Promise<PageAnswer | Rejection> {
  const { sql } = call.db
  const backHref = merchantOf(id)
  const store = await findStore(sql, id.businessId, id.storeId)
  if (store === null) return reject('STORE_NOT_FOUND', 'The merchant has no store with this id.')
  if (store.status === 'CLOSED') return redirect(backHref)
  const own = await keepingStoreOpen(sql, id)
  const title = `Close ${store.displayName}?`
  const frame = { title, part: 'merchants', width: 'narrow' } as const
  if (own.length > 0) {
    const main = html`<h1>${title}</h1>
${notice('warn', 'This store still has subscriptions. Cancel them, or let the merchant move them to another store, first:')}
${await subscriptionLinks(sql, own, one => pathOfSubscription(OPS_SIDE, one))}
${buttons(linkButton('Go back', backHref))}`
    return framed(call, { ...frame, main }, { status })
  }
  const main = confirmation(call, {
    ...{ title, verb: 'Close the store', isDangerous: true, backHref },
    words: html`<ul>
<li>All its terminals stop working at once. Everyone is signed out, and open purchases are cancelled.</li>
<li>A closed store cannot be opened again.</li>
<li>Orders and invoices stay.</li></ul>`,
  })
  return framed(call, { ...frame, main })
}

const idOf = ({ businessId, storeId }: StoreId): StoreId => ({
  businessId,
  storeId,
})

const merchantOf = ({ businessId }: StoreId) => `${OPERATOR_PATHS.merchants}/${businessId}`
