import { Type } from 'typebox'
import { findApp, findApps, listApps } from '../../catalog/apps/store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import type { App } from '../../core/app.ts'
import type { Hook } from '../../core/hook.ts'
import type { HookHealth } from '../../core/hook-health.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import { type AnyPage, type PageCall, page } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import type { Fact } from '../../platform/web/components/content.ts'
import { emptyState, facts, notice, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { menu } from '../../platform/web/components/menu.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { sparkline } from '../../platform/web/components/sparkline.ts'
import { addressOf, pager, table } from '../../platform/web/components/table.ts'
import { moment, percentWords } from '../../platform/web/format.ts'
import { type Html, html, type Part } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS, OPERATOR_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { countQueued, MOST_COUNTED } from '../../webhooks/deliveries/store.ts'
import { boundsOf } from '../../webhooks/hooks/get.ts'
import { findHookHealth } from '../../webhooks/hooks/health.ts'
import { findAttempts, type RecentAttempts } from '../../webhooks/hooks/hours.ts'
import { listHooks } from '../../webhooks/hooks/list.ts'
import type { HookTests } from '../../webhooks/notifications/test-hook.ts'
import { deletePages, editPages, rotatePages, switchOffPages, switchOnPages, testPages } from './change.ts'
import { sendAgainPage, showNotificationPage } from './deliveries.ts'
import { eventPages } from './event.ts'
import { DeliveryFilters, hookCharts, hookDeliveries } from './hook-deliveries.ts'
import { framed, HookParams, hookPage, pathOfHook, rejectOthers, type ShownHook } from './hook-page.ts'
import { resendPages } from './resend.ts'
import { eventWords, type Standing, shortType, shortUrl, standingBadge, standingOf } from './words.ts'

/** Pages about webhooks for developers and operators. */
export function webhookPages(ports: Ports & HookTests): AnyPage[] {
  return [
    listHooksPage(ports),
    showHookPage(ports),
    ...testPages(ports),
    ...editPages(ports),
    ...rotatePages(ports),
    ...switchOffPages(ports),
    ...switchOnPages(ports),
    ...resendPages(ports),
    showNotificationPage(ports),
    sendAgainPage(ports),
    ...eventPages(ports),
    ...deletePages(ports),
  ]
}

const ON_A_PAGE = 25
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The hour under way and the 24 before. */
const HOURS_SHOWN = 25

/** The hooks of the organization's apps, or all: their URLs, event types and health. */
function listHooksPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return page({
    ...{ method: 'GET', path: WEBHOOKS_PATH, name: 'showHooks', operation: 'hooks.read', signIn: 'required' },
    query: Type.Object({
      app: Type.Optional(Uuid),
      after: Type.Optional(Uuid),
      done: Type.Optional(Type.Literal('deleted')),
    }),
    subject({ principal, query }) {
      const appId = query.app
      return (
        rejectOthers(principal) ?? {
          ...(appId === undefined ? {} : { appId }),
          ...(principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}),
        }
      )
    },
    async handle(call) {
      const { sql } = call.db
      const { after } = call.query
      const appId = call.query.app
      const filter = { ...boundsOf(call.principal), ...(appId === undefined ? {} : { appId }) }
      const found = await listHooks(sql, filter, { limit: ON_A_PAGE + 1, ...(after === undefined ? {} : { after }) })
      const hooks = found.slice(0, ON_A_PAGE)
      const appIds = new Set([...hooks.map(hook => hook.appId), ...(appId === undefined ? [] : [appId])])
      const apps = new Map((await findApps(sql, [...appIds])).map(app => [app.appId, app]))
      const only = appId === undefined ? undefined : apps.get(appId)
      if (appId !== undefined && only === undefined) {
        return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
      }
      const hookIds = hooks.map(({ hookId }) => hookId)
      const health = await findHookHealth(sql, hookIds)
      const next = found.length > ON_A_PAGE ? hookIds.at(-1) : undefined
      const now = clock.now()
      const attempts = await findAttempts(sql, hookIds, new Date(now.getTime() - DAY_MS))
      const queued = await countQueued(sql, hookIds)
      const main = html`${pageHead({
        title: 'Webhooks',
        lead: 'Endpoints that receive events from apps, and their health.',
        ...(await addActions(call, only)),
      })}
${call.query.done && toast('Endpoint deleted')}
${only && html`<p>Showing endpoints of <strong>${only.name}</strong>. <a href="${WEBHOOKS_PATH}">Show all apps</a></p>`}
${hooks.length === 0 ? nothing(call.principal, after !== undefined, appId) : hookTable(hooks, { apps, health, attempts, queued, now, isWhole: !after && !next })}
${pager('More webhooks', { path: WEBHOOKS_PATH, kept: { app: appId }, after, next })}`
      return framed(call, { title: 'Webhooks', main })
    },
  })
}

function hookTable(
  hooks: readonly Hook[],
  {
    apps,
    health,
    attempts,
    queued,
    now,
    isWhole,
  }: {
    readonly apps: ReadonlyMap<string, App>
    readonly health: ReadonlyMap<string, HookHealth>
    readonly attempts: ReadonlyMap<string, RecentAttempts>
    readonly queued: ReadonlyMap<string, number>
    readonly now: Date
    readonly isWhole: boolean
  },
): Html {
  return table<Hook>({
    caption: 'Endpoints',
    rows: hooks,
    ...(isWhole && { sortable: 'endpoints' }),
    columns: [
      {
        name: 'Endpoint',
        cell: hook => addressCell(hook, apps.get(hook.appId)),
        sort: ({ deliveryUrl }) => shortUrl(deliveryUrl),
      },
      { name: 'Events', cell: ({ eventTypes }) => html`<span class="fine">${eventWords(eventTypes)}</span>` },
      {
        name: 'Last 24 hours',
        cell: ({ hookId }) => attemptsCell(attempts.get(hookId), now),
        sort: ({ hookId }) => attempts.get(hookId)?.hours.reduce((sum, hour) => sum + hour.attempts, 0),
      },
      {
        name: `${percentWords(0.95)} within`,
        isNumber: true,
        cell: ({ hookId }) => p95Words(attempts.get(hookId)),
        sort: ({ hookId }) => attempts.get(hookId)?.p95Ms,
      },
      {
        ...{ name: 'Queued', isNumber: true, cell: ({ hookId }) => queuedWords(queued.get(hookId) ?? 0) },
        sort: ({ hookId }) => queued.get(hookId) ?? 0,
      },
      { name: 'State', cell: hook => stateCell(hook, health.get(hook.hookId), now) },
    ],
  })
}

/** The developer's way to a new endpoint: of the only app, or of one of the newest apps. */
async function addActions({ principal, db }: PageCall, only: App | undefined): Promise<{ readonly actions?: Html }> {
  if (principal.kind !== 'developer' || isTakenByRole(principal, 'hooks.manage')) return {}
  const { organizationId } = principal
  const apps = only ? [only] : await listApps(db.sql, { organizationId }, { limit: ON_A_PAGE })
  const [app] = apps
  if (app === undefined) return {}
  const pathOfNew = ({ appId }: App) => `${DEVELOPER_PATHS.apps}/${appId}/endpoint`
  const listen = linkButton('Listen on this computer', DEVELOPER_PATHS.events)
  if (apps.length === 1) {
    return { actions: html`${linkButton('Add an endpoint', pathOfNew(app), { kind: 'primary' })}${listen}` }
  }
  const items = apps.map(one => html`<a href="${pathOfNew(one)}">${one.name}</a>`)
  return { actions: html`${menu({ summary: 'Add an endpoint', summaryLook: 'button primary', items })}${listen}` }
}

function p95Words(recent: RecentAttempts | undefined): string {
  return recent === undefined ? '' : `${recent.p95Ms.toLocaleString('en')} ms`
}

function queuedWords(count: number): string {
  return count > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString('en')}+` : count.toLocaleString('en')
}

/** The attempts of each hour as a line, and the share of acknowledged attempts. */
function attemptsCell(recent: RecentAttempts | undefined, now: Date): Html {
  if (recent === undefined) return html`<span class="fine">No attempts</span>`
  const { hours } = recent
  const counts = Array.from({ length: HOURS_SHOWN }, () => 0)
  for (const { hour, attempts } of hours) {
    const ago = Math.floor(now.getTime() / HOUR_MS) - hour.getTime() / HOUR_MS
    counts[HOURS_SHOWN - 1 - ago] = attempts
  }
  const sum = (of: (hour: (typeof hours)[number]) => number) => hours.reduce((all, hour) => all + of(hour), 0)
  const [attempts, failed] = [sum(hour => hour.attempts), sum(hour => hour.failed)]
  // Rounded down: 100% means that no attempt failed.
  const share = Math.floor((1_000 * (attempts - failed)) / attempts) / 1_000
  return html`<span class="stack">${sparkline('Attempts by hour', counts)}<span class="fine">${percentWords(share)} of ${attempts.toLocaleString('en')} acknowledged</span></span>`
}

function addressCell(hook: Hook, app: App | undefined): Html {
  const whose = hook.businessId === undefined ? 'all merchants' : html`merchant <code>${hook.businessId}</code>`
  const of = html`${appCell(hook.appId, app)}, ${whose}`
  return html`<span class="stack"><a class="url" href="${pathOfHook(hook)}"><code>${breakable(shortUrl(hook.deliveryUrl))}</code></a><span class="fine">${of}</span></span>`
}

function appCell(appId: string, app: App | undefined): Html {
  const href = addressOf(WEBHOOKS_PATH, { app: appId })
  return html`<a href="${href}"><span class="unseen">Only webhooks of </span>${app?.name ?? 'An app'}</a>`
}

function stateCell(hook: Hook, health: HookHealth | undefined, now: Date): Html {
  const standing = standingOf(hook, health, now)
  return html`<span class="stack"><span>${standingBadge(standing)}</span>${standing.sentences.map(
    sentence => html`<span class="fine sentences">${sentence}</span>`,
  )}</span>`
}

function nothing({ kind }: Principal, isFurther: boolean, appId: string | undefined): Html {
  if (isFurther || appId !== undefined) {
    return emptyState(
      'No webhooks here',
      isFurther ? 'This page is past the end of the list.' : 'This app has no endpoints yet.',
      linkButton('All webhooks', WEBHOOKS_PATH),
    )
  }
  if (kind === 'operator') {
    return emptyState('No webhooks yet', 'An endpoint appears here when a developer adds one to an app.')
  }
  return emptyState('No webhooks yet', html`The <a href="/guides/quickstart">quickstart</a> shows how to add one.`)
}

/** The action just done, named in the address. */
const DONE = {
  off: 'Endpoint disabled',
  on: 'Endpoint enabled',
  edited: 'Endpoint saved',
  resent: 'Endpoint enabled. Missed events are being resent.',
} as const

type Outcome = keyof typeof DONE

export function pathAfter(hook: Pick<Hook, 'hookId'>, outcome: Outcome): string {
  return `${pathOfHook(hook)}?done=${outcome}`
}

/** One hook: state, event types, latest deliveries and actions. Never the secret. */
function showHookPage(ports: Pick<Ports, 'clock'>): AnyPage {
  return hookPage({
    ...{ method: 'GET', path: `${WEBHOOKS_PATH}/:hookId`, name: 'showHook', operation: 'hooks.read' },
    params: HookParams,
    query: Type.Object({
      done: Type.Optional(Type.Enum(Object.keys(DONE) as Outcome[])),
      ...{ sent: Type.Optional(Text(4, 0)), skipped: Type.Optional(Text(4, 0)) },
      ...DeliveryFilters,
    }),
    async handle(call, shownHook) {
      const { hook } = shownHook
      const { done, sent, skipped, ...asked } = call.query
      const deliveries = await hookDeliveries(ports, call, hook, asked)
      if (isRejection(deliveries)) return deliveries
      const health = (await findHookHealth(call.db.sql, [hook.hookId])).get(hook.hookId)
      const standing = standingOf(hook, health, ports.clock.now())
      const main = html`${pageHead({
        title: shortUrl(hook.deliveryUrl),
        above: [{ href: WEBHOOKS_PATH, text: 'Webhooks' }],
        badge: standingBadge(standing),
        lead: `Endpoint of ${shownHook.appName}`,
        ...actionsOf(call, hook),
      })}
${done !== undefined && toast(DONE[done])}
${sent !== undefined && chosenNotice(Number(sent), Number(skipped ?? 0))}
${warningOf(standing)}
${withDetails(html`${await hookCharts(call.db.sql, hook, ports.clock.now())}${deliveries}`, facts(await factsOf(call, shownHook)))}`
      return framed(call, { title: `Webhook of ${shownHook.appName}`, main })
    },
  })
}

/** The result of sending chosen deliveries again. */
function chosenNotice(sent: number, skipped: number): Html {
  const words =
    skipped > 0 && `${skipped} cannot be sent again: a test, or an order of a merchant that revoked its approval.`
  if (sent === 0) return notice('warn', 'Nothing was sent again', words || 'Choose deliveries first.')
  return toast(`${sent} ${sent === 1 ? 'delivery is' : 'deliveries are'} sent again`, words)
}

function warningOf({ word, tone, sentences }: Standing): Html | false {
  if (sentences.length === 0) return false
  const words = sentences.map((sentence, i) => html`${i > 0 && html`<br>`}${sentence}`)
  return notice(tone === 'bad' ? 'bad' : 'warn', word, words)
}

async function factsOf(call: PageCall, { hook }: ShownHook): Promise<Fact[]> {
  return [
    ['URL', html`<code>${breakable(hook.deliveryUrl)}</code>`],
    ...(await developerOf(call, hook)),
    ['Merchants', await businessWords(call, hook)],
    [
      'Events',
      hook.eventTypes.map((type, i) => html`${i > 0 && html`<br>`}<code>${breakable(shortType(type))}</code>`),
    ],
    ['Secret', 'Shown once, when it is created'],
    ['Created', moment(hook.createdAt)],
    ['Updated', moment(hook.updatedAt)],
    ['ID', copyId('endpoint-id', hook.hookId, 'the endpoint’s id')],
  ]
}

/** Whom a person of the operator tells about a failing endpoint. */
async function developerOf({ principal, db }: PageCall, { appId }: Hook): Promise<Fact[]> {
  const app = principal.kind === 'operator' ? await findApp(db.sql, appId) : null
  const owner = app && (await findOrganization(db.sql, app.organizationId))
  if (owner === null) return []
  const { name, email, organizationId } = owner
  const page = `${OPERATOR_PATHS.organizations}/${organizationId}`
  return [['Developer', html`<a href="${page}">${name}</a><br><a href="${`mailto:${email}`}">${email}</a>`]]
}

/** Decisions 3: the operator reads a merchant's record; a developer sees its id. */
async function businessWords({ principal, db }: PageCall, { businessId }: Hook): Promise<Part> {
  if (businessId === undefined) return 'All merchants of the app'
  const business = principal.kind === 'operator' ? await findBusiness(db.sql, businessId) : null
  return html`${business && `${business.doingBusinessAs}, `}<code>${businessId}</code>`
}

/** The actions that the person's role allows. */
function actionsOf({ principal }: PageCall, hook: Hook): { readonly actions?: Html; readonly more?: readonly Html[] } {
  const may = (operation: Operation) => !isTakenByRole(principal, operation)
  if (!may('hooks.manage')) return {}
  const path = pathOfHook(hook)
  const more = [
    html`<a href="${`${path}/edit`}">Edit</a>`,
    html`<a href="${`${path}/secret`}">Replace the secret</a>`,
    ...(hook.active ? [html`<a href="${`${path}/off`}">Switch off</a>`] : []),
    html`<a ${{ href: `${path}/delete`, 'data-opens': 'dialog' }}>Delete</a>`,
  ]
  const test = linkButton('Send a test', `${path}/test`)
  if (!hook.active) {
    return { actions: html`${linkButton('Switch on', `${path}/on`, { kind: 'primary' })}${test}`, more }
  }
  const again = may('deliveries.redeliver') && linkButton('Send deliveries again', `${path}/resend`)
  return { actions: html`${test}${again}`, more }
}
