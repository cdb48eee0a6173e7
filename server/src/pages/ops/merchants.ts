import { Type } from 'typebox'
import { renderSVG } from 'uqr'
import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import { findApps } from '../../catalog/apps/store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { findPlans } from '../../catalog/plans/store.ts'
import type { BusinessRecord, Device, Store } from '../../core/business-record.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { renewActivationCode } from '../../merchants/businesses/devices.ts'
import { type BusinessWithStores, getBusiness } from '../../merchants/businesses/get.ts'
import { findDevice } from '../../merchants/businesses/store.ts'
import { type Invoice, listInvoices } from '../../money/invoices/store.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { modeOf } from '../../platform/http/mode.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { copyable, emptyState, facts, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { buttons, linkButton, press } from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { pager, table } from '../../platform/web/components/table.ts'
import { day, instant, moment, moneyWords, shortMoment } from '../../platform/web/format.ts'
import { type Html, html, trusted } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countryName } from '../countries.ts'
import { stateBadge, taxIdBadge } from '../state-badges.ts'
import { DATE_TO_STATE, fileCell } from '../subscriptions/invoices.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'
import { notesOf } from './notes.ts'
import {
  auditLink,
  type Desk,
  framed,
  ON_A_PAGE,
  OPS_SIDE,
  opsPage,
  organizationLink,
  searched,
  searchField,
} from './ops-page.ts'
import { peopleTables } from './people-tables.ts'
import { seeAsButton } from './see-as.ts'
import { businessBadge, deviceBadge } from './words.ts'

const path = OPERATOR_PATHS.merchants
const params = Type.Object({ businessId: Uuid })
const pathOf = ({ businessId }: Pick<BusinessRecord, 'businessId'>) => `${path}/${businessId}`

/** The list of merchants, the page of one merchant, and activation codes for its terminals. */
export function merchantPages(ports: Pick<Ports, 'db' | 'clock' | 'taxIds'>): AnyPage[] {
  return [listMerchantsPage(), onePage(ports), ...activationPages(ports)]
}

function listMerchantsPage(): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showMerchants', operation: 'businessLists.read' },
    query: Type.Object({
      q: Type.Optional(Text(200, 0)),
      after: Type.Optional(Uuid),
    }),
    async handle(call, desk) {
      const { after } = call.query
      const asked = searched(call.query.q)
      const isTest = modeOf(call) === 'test'
      const filter = { ...asked, type: isTest ? 'TEST_MERCHANT' : 'MERCHANT' } as const
      const found = await pageOfBusinesses({ db: call.db }, filter, { limit: ON_A_PAGE, ...(after && { after }) })
      if (isRejection(found)) return found
      const add = desk.may('businesses.create') && linkButton('New merchant', `${path}/new`, { kind: 'primary' })
      const main = html`${pageHead({
        ...{ title: 'Merchants', lead: 'The businesses that subscribe to apps, newest first.' },
        actions: add,
      })}
${filterBar({ path, label: 'Search merchants', fields: [searchField('Name, e-mail or ID', asked.q)] })}
${
  found.items.length === 0
    ? emptyState('No merchants found', isTest ? 'Live merchants are under Live.' : 'Test merchants are under Test.')
    : table<BusinessRecord>({
        caption: 'Merchants, newest first',
        rows: found.items,
        columns: [
          {
            name: 'Name',
            cell: one => html`<a href="${pathOf(one)}">${one.doingBusinessAs}</a> ${businessBadge(one)}`,
          },
          { name: 'Legal name', cell: ({ legalName }) => legalName },
          { name: 'E-mail', cell: ({ emailAddress }) => emailAddress },
          { name: 'Country', cell: ({ country }) => countryName(country) },
          { name: 'Created', cell: ({ createdAt }) => day(createdAt) },
        ],
      })
}
${pager('More merchants', { path, kept: asked, after, next: found.next })}`
      return framed(call, { title: 'Merchants', part: 'merchants', main })
    },
  })
}

const DONE = {
  created: 'Merchant created',
  store: 'Store added',
  storeClosed: 'Store closed',
  invited: 'Invitation sent',
} as const

function onePage({ clock, taxIds }: Pick<Ports, 'clock' | 'taxIds'>): AnyPage {
  const tax = { verifies: taxIds !== undefined }
  return opsPage({
    ...{ method: 'GET', path: `${path}/:businessId`, params, name: 'showMerchant', operation: 'businesses.read' },
    query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])) }),
    async handle(call, desk) {
      const { sql } = call.db
      const found = await getBusiness({ db: call.db }, { businessId: call.params.businessId, within: {} })
      if (isRejection(found)) return found
      const { business } = found
      const { businessId } = business
      const subscriptions = [
        ...(await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: ON_A_PAGE })),
        ...(await listOfBusiness(sql, { businessId, status: 'ENDED', limit: ON_A_PAGE })),
      ]
      const { invoices, total } = await listInvoices(sql, { businessId, first: 'newest', offset: 0, limit: ON_A_PAGE })
      const seeAs = seeAsButton(desk, pathOf(business), call.csrf)
      const invite = desk.may('people.manage') && linkButton('Invite a person', `${pathOf(business)}/invite`)
      const add = desk.may('businesses.write') && linkButton('Add a store', `${pathOf(business)}/stores/new`)
      const { done } = call.query
      const state = businessBadge(business)
      const content = html`${await subscriptionTable(sql, subscriptions)}
${invoices.length === 0 ? html`<h2>Invoices</h2><p>No invoice was issued yet.</p>` : await invoiceTable(sql, invoices, total)}
${terminals(found, desk, call.csrf)}
${await peopleTables(sql, { kind: 'MERCHANT', businessId }, { caption: 'People', nobody: 'Nobody signs in for this merchant yet.', now: clock.now() })}`
      const notes = await notesOf(call, desk, { subject: 'BUSINESS', subjectId: businessId })
      const main = html`${pageHead({
        ...{ title: business.doingBusinessAs, above: [{ text: 'Merchants', href: path }] },
        badge: state,
        actions: (invite || add || seeAs) && html`${invite}${add}${seeAs}`,
      })}
${done && toast(DONE[done])}
${withDetails(html`${content}${notes}`, facts(await factsOf(sql, business, tax)))}`
      return framed(call, { title: business.doingBusinessAs, part: 'merchants', main })
    },
  })
}

async function factsOf(sql: Sql, business: BusinessRecord, tax: { readonly verifies: boolean }): Promise<Fact[]> {
  const { organizationId, address = {}, clock } = business
  const owner = organizationId === undefined ? null : await findOrganization(sql, organizationId)
  const lines = [address.line1, address.line2, address.postalCode, address.city, address.territory, address.countryCode]
  const written = lines.filter(line => line !== undefined).join(', ')
  return [
    ['Legal name', business.legalName],
    ['E-mail', business.emailAddress],
    ['Country', countryName(business.country)],
    written !== '' && ['Address', written],
    business.taxId !== undefined && ['Tax ID', html`${business.taxId} ${taxIdBadge(business, tax)}`],
    ['Time zone', business.timezone],
    owner && ['Test merchant of', organizationLink(owner)],
    clock && ['Test clock', moment(clock.now)],
    ['Created', moment(business.createdAt)],
    ['ID', copyId('business', business.businessId, 'the merchant ID')],
    ['History', auditLink(business.businessId)],
  ]
}

async function subscriptionTable(sql: Sql, subscriptions: readonly Subscription[]): Promise<Html> {
  if (subscriptions.length === 0) return html`<h2>Subscriptions</h2><p>The merchant has never subscribed.</p>`
  const apps = await findApps(sql, [...new Set(subscriptions.map(({ appId }) => appId))])
  const plans = await findPlans(sql, [...new Set(subscriptions.map(({ planId }) => planId))])
  const appName = (id: string) => apps.find(({ appId }) => appId === id)?.name ?? 'An app'
  const planName = (id: string) => plans.find(({ planId }) => planId === id)?.name ?? 'A plan'
  return table<Subscription>({
    caption: 'Subscriptions',
    rows: subscriptions,
    columns: [
      {
        name: 'App and plan',
        cell: ({ appId, planId, subscriptionId }) =>
          html`<a href="${pathOfSubscription(OPS_SIDE, { appId, subscriptionId })}">${appName(appId)}, ${planName(planId)}</a>`,
      },
      { name: 'Price', isNumber: true, cell: moneyWords },
      { name: 'State', cell: stateBadge },
      {
        name: 'Period ends',
        cell: ({ currentPeriodEnd, endedAt }) => (endedAt === undefined ? day(currentPeriodEnd) : ''),
      },
    ],
  })
}

async function invoiceTable(sql: Sql, invoices: readonly Invoice[], total: number): Promise<Html> {
  const apps = await findApps(sql, [...new Set(invoices.map(({ appId }) => appId))])
  return table<Invoice>({
    caption: total > invoices.length ? `Invoices, the latest ${invoices.length} of ${total}` : 'Invoices, newest first',
    rows: invoices,
    columns: [
      {
        name: 'Number',
        cell: one =>
          html`<span class="stack"><a class="amount" href="${pathOfSubscription(OPS_SIDE, one)}">${one.number}</a><span class="fine">${fileCell(OPS_SIDE, one)}</span></span>`,
      },
      { name: 'App', cell: one => apps.find(({ appId }) => appId === one.appId)?.name },
      ...DATE_TO_STATE,
    ],
  })
}

function terminals({ business, stores, devices }: BusinessWithStores, desk: Desk, csrf: string): Html {
  if (stores.length === 0) return html`<h2>Stores and terminals</h2><p>The merchant has no store yet.</p>`
  return html`<h2>Stores and terminals</h2>
${stores.map(store =>
  storeTable(
    store,
    devices.filter(({ storeId }) => storeId === store.storeId),
    { business, desk, csrf },
  ),
)}`
}

function storeTable(
  store: Store,
  devices: readonly Device[],
  { business, desk, csrf }: { readonly business: BusinessRecord; readonly desk: Desk; readonly csrf: string },
): Html {
  const isClosed = store.status === 'CLOSED'
  const name = isClosed ? `${store.displayName} (closed)` : store.displayName
  const path = `${pathOf(business)}/stores/${store.storeId}`
  const change =
    !isClosed &&
    desk.may('businesses.write') &&
    buttons(
      linkButton('Add a terminal', `${path}/terminals/new`, { size: 'small', about: `to ${store.displayName}` }),
      linkButton('Close the store', `${path}/close`, { size: 'small', about: store.displayName }),
    )
  if (devices.length === 0) return html`<h3>${name}</h3><p>No terminals.</p>${change}`
  const codeButton = ({ deviceId, name, status }: Device) =>
    status !== 'CLOSED' &&
    press(`${pathOf(business)}/terminals/${deviceId}/activate`, csrf, 'New activation code', `for ${name}`)
  return html`${table<Device>({
    caption: name,
    rows: devices,
    columns: [
      {
        name: 'Terminal',
        cell: ({ deviceId, name }) => html`<a href="${`${OPERATOR_PATHS.terminals}/${deviceId}`}">${name}</a>`,
      },
      { name: 'Serial number', cell: ({ serialNumber }) => html`<code>${serialNumber}</code>` },
      { name: 'State', cell: deviceBadge },
      { name: 'Last seen (UTC)', cell: ({ lastSeenAt }) => (lastSeenAt ? shortMoment(lastSeenAt) : 'Never') },
      desk.may('businesses.write') && { name: 'Activate', cell: codeButton },
    ],
  })}${change}`
}

/** The code is shown in the response to the form, because only its hash is stored. Sending the form again replaces the first code. */
function activationPages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  const definition = {
    path: `${path}/:businessId/terminals/:deviceId/activate`,
    params: Type.Object({ businessId: Uuid, deviceId: Uuid }),
    operation: 'businesses.write',
  } as const
  return [
    // A reload after the session has ended arrives here by GET.
    opsPage({
      ...{ ...definition, method: 'GET', name: 'showTerminal' },
      handle: async call => {
        const found = await getBusiness({ db: call.db }, { businessId: call.params.businessId, within: {} })
        return isRejection(found) ? found : redirect(pathOf(found.business))
      },
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'makeActivationCode' },
      async handle(call) {
        const businessId = call.params.businessId
        const deviceId = call.params.deviceId
        const made = await renewActivationCode({ ...ports, db: call.db }, { businessId, deviceId })
        if (isRejection(made)) return made
        const { activationCode, activationExpiresAt } = made
        const device = await findDevice(call.db.sql, businessId, deviceId)
        // The terminal's camera opens the store app, which fills in the code (android/README.md).
        const qrCode = renderSVG(`service-store:activate?code=${activationCode}`)
        const main = html`<h1>Activation code</h1>
<p class="lead">${device?.name}, serial number <code>${device?.serialNumber}</code></p>
<p>Scan the QR code with the terminal, or type the code. The code works once, until ${instant(activationExpiresAt)} UTC. The previous code no longer works.</p>
<div class="qr" role="img" aria-label="QR code that holds the activation code below">${trusted(qrCode)}</div>
${copyable('code', activationCode, 'the activation code')}
${buttons(linkButton('Back to the merchant', pathOf({ businessId })))}`
        return framed(call, { title: 'Activation code', part: 'merchants', main, width: 'narrow' })
      },
    }),
  ]
}
