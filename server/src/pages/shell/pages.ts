import { Type } from 'typebox'
import { pageOfBusinesses } from '../../access/business-lists/list.ts'
import { pageOfApps } from '../../catalog/apps/list.ts'
import { pageOfOrganizations } from '../../catalog/organizations/list.ts'
import type { App } from '../../core/app.ts'
import type { BusinessRecord } from '../../core/business-record.ts'
import type { Principal } from '../../core/principal.ts'
import { signedIn } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { parseSearch } from '../../core/search.ts'
import { pageOfInvoices } from '../../money/lists/invoices.ts'
import { scopeOf } from '../../money/lists/scope.ts'
import { pageOfSubscriptions } from '../../money/lists/subscriptions.ts'
import { framedAt } from '../../platform/http/framed.ts'
import { ownPath } from '../../platform/http/links.ts'
import { modeCookie, themeCookie } from '../../platform/http/mode.ts'
import { type AnyPage, page, redirect, shown } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { nothingFound } from '../../platform/web/components/content.ts'
import { button, buttons, linkButton } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { layout } from '../../platform/web/layout.ts'
import { DEVELOPER_PATHS, HOME, MERCHANT_PATHS, navigationOf, OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { pageOfTerminals } from '../../terminals/terminal-lists/list.ts'
import { MAILS_PATH } from '../mails/pages.ts'
import { FIND_APPS_PATH } from '../merchant/find-apps.ts'
import { MONEY_PATHS } from '../ops/money-parts.ts'
import { pathOfSubscription } from '../subscriptions/side.ts'
import { COLLECTED_TAX_PATH } from '../tax/ops.ts'

const Next = Type.Optional(Type.String({ maxLength: 8_000 }))

/** Search, and the switches of the frame. */
export function shellPages(ports: Pick<Ports, 'db'>): AnyPage[] {
  return [
    searchPage(ports),
    keysPage(),
    page({
      ...{ method: 'POST', path: '/mode', name: 'chooseMode', operation: 'account.manage', signIn: 'required' },
      form: Type.Object({ mode: Type.Enum(['live', 'test']), next: Next }),
      // The request changes only a cookie.
      audited: false,
      async handle({ form, principal }) {
        const person = signedIn(principal)
        if (person === null || (principal.kind !== 'developer' && principal.kind !== 'operator')) {
          return reject('RESOURCE_NOT_FOUND', 'Only developers and operators see test data.')
        }
        return redirect(ownPath(form.next) ?? HOME, [modeCookie(form.mode, person.membershipId)])
      },
    }),
    page({
      ...{ method: 'POST', path: '/theme', name: 'chooseTheme', operation: 'account.manage', signIn: 'required' },
      form: Type.Object({ theme: Type.Enum(['light', 'dark', 'auto']), next: Next }),
      // The request changes only a cookie.
      audited: false,
      handle: async ({ form }) => redirect(ownPath(form.next) ?? HOME, [themeCookie(form.theme)]),
    }),
  ]
}

/** The keys of the portal's scripts. The key ? shows this page above another page. */
function keysPage(): AnyPage {
  return page({
    ...{ method: 'GET', path: '/keys', name: 'showKeys', operation: 'account.manage', signIn: 'required' },
    duringViewing: 'open',
    async handle({ principal, session, csrf }) {
      const keys = [
        ['/', say`Search`],
        [say`Ctrl K or ⌘ K`, say`Search, also while typing`],
        ['j', say`Next row of a list`],
        ['k', say`Previous row of a list`],
        ['o', say`Open the row`],
        ['?', say`Show the keys`],
      ]
      const main = html`<h1>${say`Keys`}</h1>
<dl class="facts">${keys.map(([key, meaning]) => html`<dt><kbd>${key}</kbd></dt><dd>${meaning}</dd>`)}</dl>`
      const signedIn = session && { ...session, csrf }
      return shown(layout({ title: say`Keys`, main, signedIn, links: navigationOf(principal, '/keys') }))
    },
  })
}

/** Results of each kind. The lists behind the results show more. */
const MOST = 5

/** An invoice number: letters, digits and hyphens, with a digit. */
const NUMBER = /^[A-Za-z0-9][A-Za-z0-9-]*\d[A-Za-z0-9-]*$/

interface Result {
  readonly href: string
  readonly text: string
  readonly detail?: string
}

interface Group {
  readonly name: string
  readonly results: readonly Result[]
}

/** Search over pages, names, ids and numbers. The palette shows the element `results` of this page above another page. */
function searchPage(ports: Pick<Ports, 'db'>): AnyPage {
  return page({
    ...{ method: 'GET', path: '/search', name: 'search', operation: 'account.manage', signIn: 'required' },
    duringViewing: 'open',
    query: Type.Object({ q: Type.Optional(Text(200, 0)) }),
    async handle(call) {
      const { query, principal } = call
      const q = query.q?.trim() ?? ''
      const groups = [pagesOf(principal, q), ...(q === '' ? [] : await found(ports, principal, q))]
      const main = html`<h1>${say`Search`}</h1>
<search><form method="get" action="/search" class="search-page"><label class="unseen" for="q">${say`Search`}</label><input ${{ class: 'input', type: 'search', id: 'q', name: 'q', value: q, maxlength: 200, placeholder: placeholderOf(principal) }}>${button(say`Search`, { kind: 'primary' })}</form></search>
<div id="results" class="results">${resultsOf(groups, q)}</div>
${buttons(linkButton(say`Show the keys`, '/keys', { kind: 'quiet', size: 'small' }))}`
      return framedAt('/search', call, { title: say`Search`, main })
    },
  })
}

function placeholderOf({ kind }: Principal): string {
  return kind === 'merchant' ? say`Invoice number, app` : say`Name, e-mail, id, invoice number`
}

function resultsOf(groups: readonly Group[], q: string): Html {
  const some = groups.filter(({ results }) => results.length > 0)
  if (some.length === 0) return nothingFound(q)
  return html`${some.map(
    ({ name, results }) => html`<h2>${name}</h2>
<ul>${results.map(({ href, text, detail }) => html`<li><a href="${href}"><span>${text}</span>${detail !== undefined && html`<small>${detail}</small>`}</a></li>`)}</ul>`,
  )}`
}

function pagesOf(principal: Principal, q: string): Group {
  const wanted = q.toLowerCase()
  const lines = navigationOf(principal, '')
  const below = Object.entries(BELOW).flatMap(([above, pages]) =>
    lines.some(({ href }) => href === above) ? pages : [],
  )
  const all = [...lines, ...below.map(({ href, text }) => ({ href, text: sayText(text) }))]
  const pages = all.filter(({ text }) => text.toLowerCase().includes(wanted))
  return { name: say`Pages`, results: pages.map(({ href, text }) => ({ href, text })) }
}

/** Pages without a line in the sidebar, by the line above them. */
const BELOW: Readonly<Record<string, readonly { readonly href: string; readonly text: string }[]>> = {
  [OPERATOR_PATHS.money]: [
    { href: MONEY_PATHS.pastDue, text: english('Past due') },
    { href: MONEY_PATHS.disputes, text: english('Disputes') },
    { href: MONEY_PATHS.upcoming, text: english('Upcoming') },
    { href: MONEY_PATHS.missed, text: english('Missed charges') },
  ],
  [OPERATOR_PATHS.tax]: [{ href: COLLECTED_TAX_PATH, text: english('Collected tax') }],
  [OPERATOR_PATHS.system]: [{ href: MAILS_PATH, text: english('Mails') }],
  [MERCHANT_PATHS.apps]: [{ href: FIND_APPS_PATH, text: english('Find apps') }],
}

async function found({ db }: Pick<Ports, 'db'>, principal: Principal, q: string): Promise<Group[]> {
  // A search without a letter or digit finds nothing.
  if (isRejection(parseSearch(q))) return []
  if (principal.kind === 'operator') return principal.role === 'MFA_REQUIRED' ? [] : ofOperator({ db }, principal, q)
  if (principal.kind === 'developer') return ofDeveloper({ db }, principal, q)
  return principal.kind === 'merchant' ? ofMerchant({ db }, principal, q) : []
}

async function ofOperator(ports: Pick<Ports, 'db'>, principal: Principal, q: string): Promise<Group[]> {
  const [organizations, apps, merchants, terminals, money] = await Promise.all([
    pageOfOrganizations(ports, { q }, { limit: MOST }),
    pageOfApps(ports, { q }, { limit: MOST }),
    pageOfBusinesses(ports, { q }, { limit: MOST }),
    pageOfTerminals(ports, { q }, { limit: MOST }),
    findMoney(ports, principal, q),
  ])
  const pathOf = (one: Owned) => pathOfSubscription({ paths: OPERATOR_PATHS }, one)
  return [
    group(say`Organizations`, organizations, ({ organizationId, name }) => ({
      href: `${OPERATOR_PATHS.organizations}/${organizationId}`,
      text: name,
    })),
    group(say`Apps`, apps, appUnder(OPERATOR_PATHS.apps)),
    group(say`Merchants`, merchants, merchantUnder(OPERATOR_PATHS.merchants)),
    group(say`Terminals`, terminals, ({ deviceId, name, serialNumber, businessName }) => ({
      href: `${OPERATOR_PATHS.terminals}/${deviceId}`,
      text: `${name}, ${businessName}`,
      detail: serialNumber,
    })),
    ...moneyGroups(money, { subscription: pathOf, invoice: pathOf }),
  ]
}

async function ofDeveloper(
  ports: Pick<Ports, 'db'>,
  principal: Principal & { readonly kind: 'developer' },
  q: string,
): Promise<Group[]> {
  const { organizationId } = principal
  const [apps, merchants, testMerchants, money] = await Promise.all([
    pageOfApps(ports, { organizationId, q }, { limit: MOST }),
    pageOfBusinesses(ports, { organizationId, type: 'MERCHANT', q }, { limit: MOST }),
    pageOfBusinesses(ports, { organizationId, type: 'TEST_MERCHANT', q }, { limit: MOST }),
    findMoney(ports, principal, q),
  ])
  const pathOf = (one: Owned) => pathOfSubscription({ paths: DEVELOPER_PATHS }, one)
  return [
    group(say`Apps`, apps, appUnder(DEVELOPER_PATHS.apps)),
    group(say`Merchants`, merchants, merchantUnder(DEVELOPER_PATHS.merchants)),
    group(say`Test merchants`, testMerchants, ({ businessId, doingBusinessAs }) => ({
      href: `${DEVELOPER_PATHS.testMerchants}/${businessId}`,
      text: doingBusinessAs,
    })),
    ...moneyGroups(money, { subscription: pathOf, invoice: pathOf }),
  ]
}

const appUnder = (path: string) => (app: App) => ({
  ...{ href: `${path}/${app.appId}`, text: app.name, detail: app.packageName },
})

const merchantUnder = (path: string) => (merchant: BusinessRecord) => ({
  ...{ href: `${path}/${merchant.businessId}`, text: merchant.doingBusinessAs, detail: merchant.emailAddress },
})

async function ofMerchant(ports: Pick<Ports, 'db'>, principal: Principal, q: string): Promise<Group[]> {
  return moneyGroups(await findMoney(ports, principal, q), {
    subscription: one => `${MERCHANT_PATHS.subscriptions}/${one.subscriptionId}`,
    invoice: one => `${MERCHANT_PATHS.invoices}/${one.invoiceId}`,
  })
}

type FoundSubscription = Awaited<ReturnType<typeof pageOfSubscriptions>>['items'][number]
type FoundInvoice = Awaited<ReturnType<typeof pageOfInvoices>>['items'][number]

interface Money {
  readonly subscriptions: readonly FoundSubscription[]
  readonly invoices: readonly FoundInvoice[]
}

interface Owned {
  readonly appId: string
  readonly businessId: string
  readonly subscriptionId: string
}

/** Subscriptions and invoices by id, number or the merchant's name, within the scope of the person's workspace. */
async function findMoney(ports: Pick<Ports, 'db'>, principal: Principal, q: string): Promise<Money> {
  const [all, named] = [scopeOf(principal, {}), scopeOf(principal, { q })]
  if (isRejection(all) || isRejection(named)) return { subscriptions: [], invoices: [] }
  const slice = { limit: MOST }
  const isNumber = NUMBER.test(q) && q.length <= 32
  const [subscriptions, invoices, byNumber] = await Promise.all([
    pageOfSubscriptions(ports, { scope: named }, slice),
    pageOfInvoices(ports, { scope: named }, slice),
    isNumber ? pageOfInvoices(ports, { scope: all, number: q.toUpperCase() }, slice) : { items: [] },
  ])
  const once = new Map([...byNumber.items, ...invoices.items].map(invoice => [invoice.invoiceId, invoice]))
  return { subscriptions: subscriptions.items, invoices: [...once.values()].slice(0, MOST) }
}

interface Paths {
  subscription(one: Owned): string
  invoice(one: Owned & { readonly invoiceId: string }): string
}

function moneyGroups({ subscriptions, invoices }: Money, paths: Paths): Group[] {
  return [
    {
      name: say`Subscriptions`,
      results: subscriptions.map(({ subscription, appName, planName, businessName }) => ({
        href: paths.subscription(subscription),
        text: `${businessName}: ${planName}, ${appName}`,
        detail: subscription.subscriptionId,
      })),
    },
    {
      name: say`Invoices`,
      results: invoices.map(invoice => ({
        href: paths.invoice(invoice),
        text: `${invoice.number}, ${invoice.businessName}`,
        detail: invoice.appName,
      })),
    },
  ]
}

function group<T>(
  name: string,
  page: { readonly items: readonly T[] } | { readonly rejected: string },
  resultOf: (one: T) => Result,
): Group {
  return { name, results: 'items' in page ? page.items.map(resultOf) : [] }
}
