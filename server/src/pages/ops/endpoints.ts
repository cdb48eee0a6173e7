import { findApps } from '../../catalog/apps/store.ts'
import type { App } from '../../core/app.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { countColumn, table } from '../../platform/web/components/table.ts'
import { percentWords } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { findHookHealth } from '../../webhooks/hooks/health.ts'
import { type FailingHook, listFailingHooks } from '../../webhooks/hooks/hours.ts'
import { findHooks } from '../../webhooks/hooks/list.ts'
import { shortUrl, standingBadge, standingOf } from '../webhooks/words.ts'
import { appLink, framed, opsPage } from './ops-page.ts'

const DAY_MS = 24 * 3_600_000
/** The list is for the worst endpoints; all endpoints are under Webhooks. */
const MOST = 100

/** The endpoints with failed attempts in the last 24 hours, worst first. */
export function endpointsPage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return opsPage({
    ...{ method: 'GET', path: OPERATOR_PATHS.endpoints, name: 'showFailingEndpoints', operation: 'operations.read' },
    async handle(call) {
      const { sql } = call.db
      const now = clock.now()
      const failing = await listFailingHooks(sql, { since: new Date(now.getTime() - DAY_MS), limit: MOST })
      const hookIds = failing.map(({ hookId }) => hookId)
      const hooks = await findHooks(sql, hookIds)
      const health = await findHookHealth(sql, hookIds)
      const apps = new Map<string, App>(
        (await findApps(sql, [...new Set([...hooks.values()].map(({ appId }) => appId))])).map(app => [app.appId, app]),
      )
      const rows = failing.flatMap(counts => {
        const hook = hooks.get(counts.hookId)
        return hook === undefined ? [] : [{ ...counts, hook }]
      })
      const main = html`${pageHead({ title: 'Failing endpoints', lead: html`Attempts of the last 24 hours. <a href="${WEBHOOKS_PATH}">All endpoints</a>` })}
${
  rows.length === 0
    ? emptyState('No endpoint failed', 'An endpoint appears here after a failed attempt.')
    : table<(typeof rows)[number]>({
        caption: rows.length === MOST ? `The ${MOST} worst endpoints` : 'Endpoints',
        rows,
        ...(failing.length < MOST && { sortable: 'endpoints' }),
        columns: [
          {
            name: 'Endpoint',
            cell: ({ hook }) =>
              html`<a href="${`${WEBHOOKS_PATH}/${hook.hookId}`}"><code>${breakable(shortUrl(hook.deliveryUrl))}</code></a>`,
          },
          {
            name: 'App',
            cell: ({ hook: { appId } }) => appLink({ appId, appName: apps.get(appId)?.name ?? 'An app' }),
            sort: ({ hook }) => apps.get(hook.appId)?.name,
          },
          { name: 'Failed', isNumber: true, cell: shareOf, sort: ({ failed, attempts }) => failed / attempts },
          countColumn('Attempts', ({ attempts }) => attempts),
          { name: 'State', cell: ({ hook }) => standingBadge(standingOf(hook, health.get(hook.hookId), now)) },
        ],
      })
}`
      return framed(call, { title: 'Failing endpoints', part: 'endpoints', main })
    },
  })
}

function shareOf({ failed, attempts }: FailingHook): string {
  return percentWords(failed / attempts)
}
