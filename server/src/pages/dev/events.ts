import { Type } from 'typebox'
import type { App } from '../../core/app.ts'
import { given } from '../../core/given.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyPage, bytes } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { asset } from '../../platform/web/assets.ts'
import { codeBlock } from '../../platform/web/components/code-block.ts'
import { emptyState } from '../../platform/web/components/content.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import { linkButton } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import { EVENT_STREAM, StreamQuery } from '../../webhooks/event-streams/schema.ts'
import type { EventStreams } from '../../webhooks/event-streams/streams.ts'
import { appsOf } from '../subscriptions/list.ts'
import { pathOfEvent } from '../webhooks/hook-page.ts'
import { devPage, framed } from './dev-page.ts'

const path = DEVELOPER_PATHS.events
/** Stands for the id of the event's app in the links of the script. */
const APP = '-app-'
const AppId = Type.Optional(Type.Union([Uuid, Type.Literal('')]))

/** The events of all apps, or of a chosen app, as they happen. */
export function eventPages({ streams }: { readonly streams: EventStreams }): AnyPage[] {
  return [livePage(), streamPage(streams)]
}

function livePage(): AnyPage {
  return devPage({
    ...{ method: 'GET', path, name: 'showLiveEvents', operation: 'deliveries.read' },
    query: Type.Object({ appId: AppId }),
    async handle(call, { organizationId, merchantType }) {
      const apps = await appsOf(call.db, organizationId)
      if (isRejection(apps)) return apps
      const [first] = apps
      const frame = { title: 'Live events', part: 'events' } as const
      if (first === undefined) {
        const newApp = linkButton('Create an app', `${DEVELOPER_PATHS.apps}/new`)
        const none = emptyState('No apps yet', 'The events of your apps appear here as they happen.', newApp)
        return framed(call, { ...frame, main: html`${pageHead({ title: frame.title })}${none}` })
      }
      const chosen = chosenOf(apps, call.query.appId)
      if (chosen.length === 0) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
      const appId = call.query.appId || undefined
      const isTest = merchantType === 'TEST_MERCHANT'
      const urn = `urn:aid:${(chosen[0] ?? first).appId}`
      const options = apps.map(app => ({ value: app.appId, text: app.name }))
      const list = {
        ...{ id: 'live-events', class: 'live-events' },
        'data-stream': addressOf(`${path}/stream`, { merchantType, appId }),
        'data-apps': apps.length > 1 && JSON.stringify(Object.fromEntries(apps.map(app => [app.appId, app.name]))),
        'data-subscription': `${DEVELOPER_PATHS.apps}/${APP}/subscriptions/`,
        'data-event': pathOfEvent(APP, ''),
      }
      const lead = html`Events of ${isTest ? 'test' : 'live'} merchants from now on, also without an endpoint.`
      const main = html`${pageHead({ title: frame.title, lead })}
${apps.length > 1 && filterBar({ path, label: 'Filter events', fields: [{ kind: 'select', name: 'appId', label: 'App', value: appId, options }] })}
<noscript>${emptyState('This page needs JavaScript', html`In a terminal, <code>tillhook events tail</code> shows the same events.`)}</noscript>
<div class="live" hidden>
<div class="live-bar"><span id="live-state" role="status">Connecting…</span> <button type="button" class="button plain small" id="live-pause" aria-pressed="false">Pause</button></div>
<div class="live-panes"><p class="fine live-hint">Select an event to see its payload.</p>
<ol ${list}></ol></div>
<div id="live-none">${isTest ? trySomething(urn) : html`<p>Nothing has happened yet. An event appears here when a merchant subscribes, pays or cancels. Switch to <strong>Test</strong> to try your apps with test merchants.</p>`}</div>
<section class="section"><h2>On your computer</h2>
<p>A listener on your computer receives the same events. <a href="/guides/cli">The command line</a> has the details.</p>
${codeBlock('live-listen', `tillhook listen --forward-to localhost:3000/webhooks --app ${urn}`, 'the command')}</section>
</div>
<template id="live-event"><li><details name="event"><summary><span class="live-line"><strong></strong> <time></time></span><span class="fine live-line"><code></code> <span></span></span></summary><div class="live-event"><p><a>Endpoints of this event</a> <span hidden>· <a>Open the subscription</a></span></p><pre class="listing"></pre></div></details></li></template>
<script type="module" src="${asset('live-events.js')}"></script>`
      return framed(call, { ...frame, main })
    },
  })
}

function trySomething(urn: string) {
  return html`<p>Nothing has happened yet. <a href="${DEVELOPER_PATHS.testMerchants}">Subscribe a test merchant</a>, or trigger an event:</p>
${codeBlock('live-trigger', `tillhook trigger APPLICATION_SUBSCRIPTION_START --app ${urn}`, 'the command')}`
}

/** All apps, or the chosen one. None: the id is not an app of the organization. */
function chosenOf(apps: readonly App[], appId = ''): readonly App[] {
  return appId === '' ? apps : apps.filter(app => app.appId === appId)
}

/** The address names the type of the merchants: a reconnection after the person switched to the other type continues the same stream. */
function streamPage(streams: EventStreams): AnyPage {
  return devPage({
    ...{ method: 'GET', path: `${path}/stream`, name: 'streamOwnEvents', operation: 'deliveries.read' },
    query: Type.Object({
      ...StreamQuery.properties,
      appId: AppId,
      merchantType: Type.Optional(Type.Enum(['MERCHANT', 'TEST_MERCHANT'])),
    }),
    async handle({ db, query, headers }, own) {
      const apps = await appsOf(db, own.organizationId)
      if (isRejection(apps)) return apps
      const appIds = chosenOf(apps, query.appId).map(({ appId }) => appId)
      if (appIds.length === 0) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
      const lastId = headers['last-event-id']
      const after = typeof lastId === 'string' ? lastId : query.after
      const isLive = String(headers.accept ?? '').includes(EVENT_STREAM)
      const { merchantType = own.merchantType } = query
      const messages = await streams.open({ appIds, merchantType }, given({ isLive, after }))
      return isRejection(messages) ? messages : bytes(EVENT_STREAM, messages)
    },
  })
}
