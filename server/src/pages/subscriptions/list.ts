import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { pageOfApps } from '../../catalog/apps/list.ts'
import { listPlans } from '../../catalog/plans/store.ts'
import type { App } from '../../core/app.ts'
import { type CsvValue, csvOf } from '../../core/csv.ts'
import { decimalOf } from '../../core/money.ts'
import type { Plan } from '../../core/plan.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { parseSearch } from '../../core/search.ts'
import { namedSubscriptionToJson } from '../../money/lists/schema.ts'
import type { Scope } from '../../money/lists/scope.ts'
import {
  type NamedSubscription,
  pageOfSubscriptions,
  type SubscriptionsFilter,
} from '../../money/lists/subscriptions.ts'
import { countSubscriptions, type SubscriptionCounts } from '../../money/lists/summaries.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { type FilterField, filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import type { Column } from '../../platform/web/components/table.ts'
import { addressOf, filterBy } from '../../platform/web/components/table.ts'
import { day, moneyWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import { stateBadge } from '../state-badges.ts'
import { pathOfSubscription, type Side, type Viewer } from './side.ts'

const ON_A_PAGE = 50
const ROWS_AT_ONCE = 1_000

const STATES = {
  ACTIVE: { text: 'All active', filter: { status: 'ACTIVE' } },
  TRIAL: { text: 'On trial', filter: { status: 'ACTIVE', phase: 'TRIAL' } },
  PAST_DUE: { text: 'Past due', filter: { status: 'ACTIVE', paymentStatus: 'PAST_DUE' } },
  PENDING: { text: 'Pending', filter: { status: 'PENDING' } },
  ENDED: { text: 'Ended', filter: { status: 'ENDED' } },
} as const satisfies Record<keyof SubscriptionCounts, { text: string; filter: Omit<SubscriptionsFilter, 'scope'> }>
type State = keyof typeof STATES

const query = Type.Object({
  state: Type.Optional(Type.Enum(Object.keys(STATES) as State[])),
  appId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
  planId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
  q: Type.Optional(Text(200, 0)),
  after: Type.Optional(Uuid),
})

interface Query {
  readonly state?: State
  readonly appId?: string
  readonly planId?: string | undefined
  readonly q?: string
  readonly after?: string
}

/** The subscriptions of all apps, on a page and as CSV. */
export function subscriptionPages(side: Side): AnyPage[] {
  return [listPage(side), csvPage(side)]
}

function listPage(side: Side): AnyPage {
  const path = side.paths.subscriptions
  return side.page({
    ...{ method: 'GET', path, query, name: side.nameOf('showAllSubscriptions'), operation: 'moneyLists.read' },
    async handle(call, viewer) {
      const { organizationId, merchantType } = viewer
      const { state = 'ACTIVE', appId, q, after } = call.query
      const apps = await appsOf(call.db, organizationId)
      if (isRejection(apps)) return apps
      const plans = await plansOf(call.db, apps, appId)
      // A plan of the previously selected app does not filter the new app.
      const planId =
        plans.length === 0 ? call.query.planId : plans.find(one => one.planId === call.query.planId)?.planId
      const asked = filterOf(viewer, { ...call.query, planId })
      if (isRejection(asked)) return asked
      const page = await pageOfSubscriptions(call, asked, { limit: ON_A_PAGE, ...(after && { after }) })
      const counts = await countSubscriptions(call.db.sql, {
        organizationId,
        merchantType,
        appId: appId || undefined,
      })
      const kept = { state, appId: appId || undefined, planId: planId || undefined, q: q || undefined }
      const fields = [...fieldsOf(call.query, apps), ...planFields(planId, plans)]
      const hidden = {
        state,
        ...(plans.length <= 1 && { planId: kept.planId }),
        ...(apps.length <= 1 && { appId: kept.appId }),
      }
      const main = html`${pageHead({ title: 'Subscriptions', lead: `The subscriptions of all ${side.whose}, newest first.` })}
${filterBy('Filter by state', { path, kept, name: 'state', value: state, texts: countedStates(counts) })}
${filterBar({ path, label: 'Filter subscriptions', fields, kept: hidden })}
${dataTable<NamedSubscription>({
  ...{ id: 'subscriptions', caption: `${STATES[state].text} subscriptions`, rows: page.items },
  ...{ path, kept, after, next: page.next, hasDrawers: true },
  columns: [
    {
      name: 'Merchant',
      cell: ({ subscription, businessName }) =>
        html`<a href="${pathOfSubscription(side, subscription)}">${businessName}</a>`,
    },
    { name: 'App', cell: ({ appName }) => appName },
    { name: 'Plan', cell: ({ planName }) => planName },
    PRICE_COLUMN,
    ...STATE_AND_SINCE,
  ],
  csv: addressOf(`${path}/file.csv`, kept),
  empty: emptyState(
    'No subscriptions here',
    merchantType === 'MERCHANT' || organizationId === undefined
      ? 'A merchant subscribes on the terminal, on the web, or through the app’s server.'
      : html`Subscribe one of your <a href="${DEVELOPER_PATHS.testMerchants}">test merchants</a>.`,
  ),
})}`
      return side.framed(call, { title: 'Subscriptions', part: 'subscriptions', main })
    },
  })
}

const countedStates = (counts: SubscriptionCounts) =>
  Object.fromEntries(
    Object.entries(STATES).map(([state, { text }]) => [
      state,
      `${text} ${counts[state as State].toLocaleString('en')}`,
    ]),
  )

function csvPage(side: Side): AnyPage {
  const path = `${side.paths.subscriptions}/file.csv`
  return side.page({
    ...{ method: 'GET', path, query, name: side.nameOf('downloadSubscriptions'), operation: 'moneyLists.read' },
    async handle(call, viewer) {
      const asked = filterOf(viewer, call.query)
      if (isRejection(asked)) return asked
      return bytes('text/csv; charset=utf-8', Readable.from(csvChunks(call, asked)), 'subscriptions.csv')
    },
  })
}

async function* csvChunks(ports: { readonly db: Db }, asked: SubscriptionsFilter): AsyncGenerator<Buffer> {
  yield Buffer.from(csvOf([HEAD]))
  for (let after: string | undefined; ; ) {
    const { items, next } = await pageOfSubscriptions(ports, asked, { limit: ROWS_AT_ONCE, ...(after && { after }) })
    if (items.length > 0) yield Buffer.from(csvOf(items.map(csvRow)))
    if (next === undefined) return
    after = next
  }
}

const HEAD = [
  ...['subscriptionId', 'app', 'merchant', 'businessId', 'plan', 'status', 'phase', 'paymentStatus', 'amount'],
  ...['currency', 'createdAt', 'currentPeriodEnd', 'endedAt'],
]

function csvRow(row: NamedSubscription): CsvValue[] {
  const json = namedSubscriptionToJson(row)
  return [
    ...[json.subscriptionId, row.appName, row.businessName, json.businessId, row.planName, json.status, json.phase],
    ...[
      json.paymentStatus,
      { number: decimalOf(json.amount, row.currency) },
      row.currency,
      json.createdAt,
      json.currentPeriodEnd,
    ],
    json.endedAt,
  ]
}

function filterOf(viewer: Viewer, { state = 'ACTIVE', planId, ...of }: Query): SubscriptionsFilter | Rejection {
  const scope = scopeOf(viewer, of)
  return isRejection(scope) ? scope : { scope, ...STATES[state].filter, ...(planId && { planId }) }
}

export const PRICE_COLUMN: Column<NamedSubscription> = {
  ...{ name: 'Price', isNumber: true },
  cell: ({ subscription, currency }) => moneyWords({ amount: subscription.amount, currency }),
}

export const STATE_AND_SINCE: readonly Column<NamedSubscription>[] = [
  { name: 'State', cell: ({ subscription }) => stateBadge(subscription) },
  { name: 'Since', cell: ({ subscription }) => day(new Date(subscription.createdAt)) },
]

/** The rows that a list shows. A search without a letter or digit finds everything. */
export function scopeOf(
  { organizationId, merchantType }: Viewer,
  { appId, q = '' }: Pick<Query, 'appId' | 'q'>,
): Scope | Rejection {
  const search = /[\p{L}\p{N}]/u.test(q) ? parseSearch(q) : undefined
  if (isRejection(search)) return search
  return {
    ...{ merchantType, seenFrom: {} },
    ...(organizationId && { organizationId }),
    ...(appId && { appId }),
    ...(search && { search }),
  }
}

/** The apps to choose from. The operator chooses on the page of an app: a choice of all apps would be long. */
export async function appsOf(db: Db, organizationId: string | undefined): Promise<readonly App[] | Rejection> {
  if (organizationId === undefined) return []
  const apps = await pageOfApps({ db }, { organizationId }, { limit: 100 })
  return isRejection(apps) ? apps : apps.items
}

export function fieldsOf({ q, appId }: Pick<Query, 'q' | 'appId'>, apps: readonly App[]): FilterField[] {
  const options = apps.map(({ appId: value, name: text }) => ({ value, text }))
  return [
    { kind: 'search', name: 'q', label: 'Merchant or ID', value: q, placeholder: 'Name, e-mail or ID' },
    ...(apps.length > 1 ? [{ kind: 'select', name: 'appId', label: 'App', value: appId, options } as const] : []),
  ]
}

/** The plans to choose from: of the app that is chosen, or of the only app. */
export async function plansOf({ sql }: Db, apps: readonly App[], appId = ''): Promise<readonly Plan[]> {
  const app = apps.length === 1 ? apps[0] : apps.find(one => one.appId === appId)
  return app === undefined ? [] : await listPlans(sql, { appId: app.appId, status: 'listed' })
}

export function planFields(planId: string | undefined, plans: readonly Plan[]): FilterField[] {
  if (plans.length <= 1) return []
  const options = plans.map(plan => ({ value: plan.planId, text: plan.name }))
  return [{ kind: 'select', name: 'planId', label: 'Plan', value: planId, options }]
}
