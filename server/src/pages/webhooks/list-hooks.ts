import { Type } from 'typebox'
import { findApps } from '../../catalog/apps/store.ts'
import type { App } from '../../core/app.ts'
import type { Hook } from '../../core/hook.ts'
import type { HookHealth } from '../../core/hook-health.ts'
import { reject } from '../../core/rejection.ts'
import { type AnyPage, page } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { linkButton } from '../../platform/web/components/button.ts'
import { emptyState } from '../../platform/web/components/notice.ts'
import { table } from '../../platform/web/components/table.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { boundsOf } from '../../webhooks/hooks/bounds.ts'
import { findHookHealth } from '../../webhooks/hooks/health.ts'
import { listHooks } from '../../webhooks/hooks/list.ts'
import { framed, pathOfHook, refuseOthers } from './hook-page.ts'
import { eventWords, shortUrl, standingBadge, standingOf } from './hook-words.ts'
import { addressOf, pager } from './pager.ts'

const ON_A_PAGE = 25

/** The hooks of the organization's apps, or all: where they are, what they hear, and how they stand. */
export function listHooksPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return page({
    ...{ method: 'GET', path: WEBHOOKS_PATH, name: 'showHooks', operation: 'hooks.read', signIn: 'required' },
    query: Type.Object({ app: Type.Optional(Uuid), after: Type.Optional(Uuid) }),
    subject({ principal, query }) {
      const appId = query.app?.toLowerCase()
      return (
        refuseOthers(principal) ?? {
          ...(appId === undefined ? {} : { appId }),
          ...(principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}),
        }
      )
    },
    async handle(call) {
      const { sql } = call.db
      const { after } = call.query
      const appId = call.query.app?.toLowerCase()
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
      const main = html`<h1>Webhooks</h1>
<p class="lead">Where apps are told what happens, and how that goes.</p>
${only && html`<p>Only those of <strong>${only.name}</strong>. <a href="${WEBHOOKS_PATH}">Show those of all apps</a></p>`}
${hooks.length === 0 ? nothing(after !== undefined, appId) : hookTable(hooks, { apps, health, now: clock.now() })}
${pager('More webhooks', {
  first: after && addressOf(WEBHOOKS_PATH, { app: appId }),
  next: next && addressOf(WEBHOOKS_PATH, { app: appId, after: next }),
})}`
      return framed(call, { title: 'Webhooks', main })
    },
  })
}

function hookTable(
  hooks: readonly Hook[],
  {
    apps,
    health,
    now,
  }: {
    readonly apps: ReadonlyMap<string, App>
    readonly health: ReadonlyMap<string, HookHealth>
    readonly now: Date
  },
): Html {
  return table<Hook>({
    caption: 'In the order in which they were made',
    rows: hooks,
    columns: [
      { name: 'Address', cell: addressCell },
      { name: 'App', cell: ({ appId }) => appCell(appId, apps.get(appId)) },
      { name: 'Events', cell: ({ eventTypes }) => html`<span class="fine">${eventWords(eventTypes)}</span>` },
      { name: 'State', cell: hook => stateCell(hook, health.get(hook.hookId), now) },
    ],
  })
}

function addressCell(hook: Hook): Html {
  const of = hook.businessId === undefined ? 'All businesses' : html`Business <code>${hook.businessId}</code>`
  return html`<span class="stack"><a href="${pathOfHook(hook)}"><code>${shortUrl(hook.deliveryUrl)}</code></a><span class="fine">${of}</span></span>`
}

function appCell(appId: string, app: App | undefined): Html {
  const href = addressOf(WEBHOOKS_PATH, { app: appId })
  return html`<a href="${href}"><span class="unseen">Only webhooks of </span>${app?.name ?? 'An app'}</a>`
}

function stateCell(hook: Hook, health: HookHealth | undefined, now: Date): Html {
  const standing = standingOf(hook, health, now)
  return html`<span class="stack"><span>${standingBadge(standing)}</span>${standing.sentences.map(
    sentence => html`<span class="fine">${sentence}</span>`,
  )}</span>`
}

function nothing(isFurther: boolean, appId: string | undefined): Html {
  if (isFurther || appId !== undefined) {
    return emptyState(
      'No webhooks here',
      isFurther ? 'There are not that many.' : 'This app has none yet.',
      linkButton('All webhooks', WEBHOOKS_PATH),
    )
  }
  return emptyState(
    'No webhooks yet',
    html`An app makes one with its own token: <code>POST /hooks</code>, as the <a href="/docs">API reference</a> says.`,
  )
}
