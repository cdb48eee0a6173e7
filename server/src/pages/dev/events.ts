import { findApp, listApps } from '../../catalog/apps/store.ts'
import type { App } from '../../core/app.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyPage, bytes, redirect } from '../../platform/http/page.ts'
import { asset } from '../../platform/web/assets.ts'
import { codeBlock } from '../../platform/web/components/code-block.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import { EVENT_STREAM, StreamQuery } from '../../webhooks/event-streams/schema.ts'
import type { EventStreams } from '../../webhooks/event-streams/streams.ts'
import { pathOfEvent } from '../webhooks/hook-page.ts'
import { AppParams, pathOf } from './apps.ts'
import { devPage, framed } from './dev-page.ts'

const path = DEVELOPER_PATHS.events
/** The choice of apps. An organization with more has the CLI. */
const MOST_APPS = 20

/** An app's events as they happen. */
export function eventPages({ streams }: { readonly streams: EventStreams }): AnyPage[] {
  return [firstAppPage(), livePage(), streamPage(streams)]
}

function firstAppPage(): AnyPage {
  return devPage({
    ...{ method: 'GET', path, name: 'showEventsOfFirstApp', operation: 'apps.read' },
    async handle(call, { organizationId }) {
      const [first] = await listApps(call.db.sql, { organizationId }, { limit: 1 })
      if (first !== undefined) return redirect(`${path}/${first.appId}`)
      const main = html`<h1>Live events</h1>
${emptyState('No apps yet', 'The events of your apps appear here as they happen.', linkButton('Create an app', `${DEVELOPER_PATHS.apps}/new`))}`
      return framed(call, { title: 'Live events', part: 'events', main })
    },
  })
}

function livePage(): AnyPage {
  return devPage({
    ...{
      method: 'GET',
      path: `${path}/:appId`,
      params: AppParams,
      name: 'showLiveEvents',
      operation: 'deliveries.read',
    },
    async handle(call, { organizationId }) {
      const { sql } = call.db
      const app = await findApp(sql, call.params.appId.toLowerCase())
      if (app === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
      const apps = await listApps(sql, { organizationId }, { limit: MOST_APPS })
      const main = html`<h1>Live events</h1>
<p class="lead">Every event of ${app.name} from now on, also without an endpoint.</p>
${apps.length > 1 && choiceOf(apps, app)}
<noscript>${emptyState('This page needs JavaScript', html`In a terminal, <code>tillhook events tail</code> shows the same events.`)}</noscript>
<div class="live" hidden>
<div class="live-bar"><span id="live-state" role="status">Connecting…</span> <button type="button" class="button plain small" id="live-pause" aria-pressed="false">Pause</button></div>
<ol ${{ id: 'live-events', class: 'live-events', 'data-stream': `${path}/${app.appId}/stream`, 'data-subscriptions': `${pathOf(app)}/subscriptions`, 'data-events': pathOfEvent(app.appId, '') }}></ol>
<div id="live-none"><p>Nothing has happened yet. <a href="${DEVELOPER_PATHS.testMerchants}">Subscribe a test merchant</a>, or trigger an event:</p>
${codeBlock('live-trigger', `tillhook trigger APPLICATION_SUBSCRIPTION_START --app urn:aid:${app.appId}`, 'the command')}</div>
<p>To receive the same events in a listener on your machine:</p>
${codeBlock('live-listen', `tillhook listen --forward-to localhost:3000/webhooks --app urn:aid:${app.appId}`, 'the command')}
<p><a href="/guides/cli">The command line</a> has the details.</p>
</div>
<template id="live-event"><li><details><summary><time></time> <strong></strong> <code></code></summary><p><a>Endpoints of this event</a> <span hidden>· <a>Open the subscription</a></span></p><pre class="listing"></pre></details></li></template>
<script type="module" src="${asset('live-events.js')}"></script>`
      return framed(call, { title: 'Live events', part: 'events', main })
    },
  })
}

function choiceOf(apps: readonly App[], chosen: App) {
  return html`<nav class="filter" aria-label="Apps"><ul>${apps.map(
    ({ appId, name }) =>
      html`<li><a ${{ href: `${path}/${appId}`, 'aria-current': appId === chosen.appId ? 'page' : undefined }}>${name}</a></li>`,
  )}</ul></nav>`
}

function streamPage(streams: EventStreams): AnyPage {
  return devPage({
    ...{ method: 'GET', path: `${path}/:appId/stream`, params: AppParams, name: 'streamOwnEvents' },
    operation: 'deliveries.read',
    query: StreamQuery,
    async handle({ params, query, headers }) {
      const lastId = headers['last-event-id']
      const after = typeof lastId === 'string' ? lastId : query.after
      const isLive = String(headers.accept ?? '').includes(EVENT_STREAM)
      const of = { appId: params.appId.toLowerCase() }
      const messages = await streams.open(of, { isLive, ...(after !== undefined && { after }) })
      return isRejection(messages) ? messages : bytes(EVENT_STREAM, messages)
    },
  })
}
