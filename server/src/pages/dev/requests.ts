import { Type } from 'typebox'
import { isRejection, reject } from '../../core/rejection.ts'
import { pageOfRequests } from '../../platform/api-log/list.ts'
import { METHODS } from '../../platform/api-log/schema.ts'
import type { ApiRequest } from '../../platform/api-log/store.ts'
import type { AnyPage } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { badge, emptyState } from '../../platform/web/components/content.ts'
import { dataTable } from '../../platform/web/components/data-table.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { filterBy } from '../../platform/web/components/table.ts'
import { shortMoment } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { appsOf } from '../subscriptions/list.ts'
import { devPage, framed } from './dev-page.ts'

const path = DEVELOPER_PATHS.requests
const ON_A_PAGE = '50'
const CLASSES = { '2xx': 'Succeeded', '4xx': 'Rejected', '5xx': 'Failed' } as const
type Class = keyof typeof CLASSES

/** The requests that an app made in the last 7 days. */
export function requestPages({ settings }: Pick<Ports, 'settings'>): AnyPage[] {
  return [
    devPage({
      ...{ method: 'GET', path, name: 'showApiLog', operation: 'apps.read' },
      query: Type.Object({
        appId: Type.Optional(Type.Union([Uuid, Type.Literal('')])),
        status: Type.Optional(Type.Enum(Object.keys(CLASSES) as Class[])),
        method: Type.Optional(Type.Union([Type.Enum(METHODS), Type.Literal('')])),
        requestId: Type.Optional(Text(128, 0)),
        after: Type.Optional(Uuid),
      }),
      async handle(call, { organizationId }) {
        const apps = await appsOf(call.db, organizationId)
        if (isRejection(apps)) return apps
        const { status, after } = call.query
        const [method, requestId] = [call.query.method || undefined, call.query.requestId?.trim() || undefined]
        const appId = call.query.appId
        const app = appId ? apps.find(one => one.appId === appId) : apps[0]
        if (appId && app === undefined) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
        const exact = {
          ...(status && { httpStatus: status }),
          ...(method && { method }),
          ...(requestId && { requestId }),
        }
        const asked = { ...exact, limit: ON_A_PAGE, ...(after && { after }) }
        const page = app === undefined ? { items: [] } : await pageOfRequests(call, app.appId, asked)
        if (isRejection(page)) return page
        const kept = { appId: appId || undefined, status, method, requestId }
        const choices = apps.map(({ appId: value, name: text }) => ({ value, text }))
        const methods = METHODS.map(value => ({ value, text: value }))
        const fields = [
          ...(apps.length > 1
            ? [
                {
                  kind: 'select',
                  name: 'appId',
                  label: 'App',
                  value: app?.appId,
                  options: choices,
                  isRequired: true,
                } as const,
              ]
            : []),
          { kind: 'select', name: 'method', label: 'Method', value: method, options: methods } as const,
          { kind: 'text', name: 'requestId', label: 'Request ID', value: requestId } as const,
        ]
        const isOff = settings.hasApiLog === false
        const main = html`${pageHead({ title: 'API log', lead: 'Requests that your app made with its tokens in the last 7 days.' })}
${filterBy('Filter by outcome', { path, kept, name: 'status', value: status, texts: CLASSES, all: 'All' })}
${filterBar({ path, label: 'Filter requests', fields, kept: { status } })}
${dataTable<ApiRequest>({
  ...{ id: 'requests', caption: 'Requests, newest first', rows: page.items, path, kept, after, next: page.next },
  columns: [
    {
      name: 'Request',
      cell: ({ method, route, requestId }) =>
        html`<span class="stack"><code>${method} ${breakable(route)}</code><span class="fine"><code>${requestId}</code></span></span>`,
    },
    { name: 'Status', cell: ({ status }) => badge(String(status), toneOf(status)) },
    { name: 'Duration', isNumber: true, cell: ({ durationMs }) => `${durationMs} ms` },
    { name: 'Time (UTC)', cell: ({ at }) => shortMoment(at) },
  ],
  empty: isOff
    ? emptyState('The API log is off', 'The operator of this platform does not keep requests.')
    : emptyState('No requests here', 'A request appears here about a second after its answer.'),
})}`
        return framed(call, { title: 'API log', part: 'requests', main })
      },
    }),
  ]
}

function toneOf(status: number) {
  if (status < 400) return 'good'
  return status < 500 ? 'warn' : 'bad'
}
