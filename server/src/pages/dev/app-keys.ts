import { Type } from 'typebox'
import { revokeAppKey } from '../../access/tokens/revoke-app-key.ts'
import type { TokenMemory } from '../../access/tokens/token-memory.ts'
import { addKey } from '../../catalog/apps/add-key.ts'
import { type ActiveKey, findActiveKeys, findApp } from '../../catalog/apps/store.ts'
import { type App, MAX_ACTIVE_KEYS } from '../../core/app.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { emptyState, toast } from '../../platform/web/components/content.ts'
import { confirmation, confirmLink, press } from '../../platform/web/components/form.ts'
import { relativeTime } from '../../platform/web/components/relative-time.ts'
import { addressOf, table } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { appHead, noApp } from './app-page.ts'
import { AppParams, keyShown, pathOf } from './apps.ts'
import { devPage, framed } from './dev-page.ts'

type KeyPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'> & Pick<TokenMemory, 'revocations'>

const path = `${DEVELOPER_PATHS.apps}/:appId/keys`
const KeyParams = Type.Object({ ...AppParams.properties, kid: Text(128) })
const pathOfKeys = (of: Pick<App, 'appId'>) => `${pathOf(of)}/keys`

/** The keys of an app: create and revoke. */
export function appKeyPages(ports: KeyPorts): AnyPage[] {
  return [keysPage(ports), newKeyPage(ports), ...revocationPages(ports)]
}

function keysPage({ clock }: KeyPorts): AnyPage {
  return devPage({
    ...{ method: 'GET', path, params: AppParams, name: 'showOwnKeys', operation: 'apps.read' },
    query: Type.Object({ done: Type.Optional(Type.Literal('revoked')) }),
    async handle(call, own) {
      const app = await findApp(call.db.sql, call.params.appId)
      if (app === null) return noApp()
      const keys = await findActiveKeys(call.db.sql, app.appId)
      const mayManage = own.may('keys.manage')
      const main = html`${appHead(app, own, 'keys')}
<p>Your server signs assertions with a private key and exchanges them for access tokens: <a href="/guides/api">Calling the API</a>. To replace a key, create a new one, deploy it, and revoke the old one when it is no longer used. An app has at most ${String(MAX_ACTIVE_KEYS)} active keys.</p>
${call.query.done !== undefined && toast('Key revoked', 'Its tokens stop working within a second.')}
${keys.length === 0 ? emptyState('No active keys', 'Your server needs a key to get access tokens.') : keyTable(app, keys, { now: clock.now(), mayManage })}
${mayManage && keys.length < MAX_ACTIVE_KEYS && press(pathOfKeys(app), call.csrf, 'Create a key')}`
      return framed(call, { title: `Keys of ${app.name}`, part: 'apps', main })
    },
  })
}

function keyTable(
  app: App,
  keys: readonly ActiveKey[],
  { now, mayManage }: { readonly now: Date; readonly mayManage: boolean },
): Html {
  const revoke = ({ kid }: ActiveKey) =>
    confirmLink('Revoke', `${pathOfKeys(app)}/${encodeURIComponent(kid)}/revoke`, { size: 'small', about: kid })
  return table<ActiveKey>({
    caption: 'Active keys',
    rows: keys,
    sortable: 'keys',
    columns: [
      { name: 'Key ID (kid)', cell: ({ kid }) => html`<code>${kid}</code>` },
      { name: 'Created', cell: ({ createdAt }) => day(createdAt), sort: ({ createdAt }) => createdAt },
      { name: 'Last used', cell: key => lastUse(key, now), sort: ({ lastUsedAt }) => lastUsedAt ?? undefined },
      mayManage && { name: 'Action', cell: revoke },
    ],
  })
}

function lastUse({ lastUsedAt, lastUsedFrom }: ActiveKey, now: Date) {
  if (lastUsedAt === null) return 'Never'
  const from = lastUsedFrom !== null && html` <span class="fine">from <code>${lastUsedFrom}</code></span>`
  return html`<span class="stack"><span>${relativeTime(lastUsedAt, now)}</span>${from}</span>`
}

function newKeyPage(ports: KeyPorts): AnyPage {
  return devPage({
    ...{ method: 'POST', path, params: AppParams, name: 'createAppKey', operation: 'keys.manage' },
    async handle(call) {
      const appId = call.params.appId
      const app = await findApp(call.db.sql, appId)
      if (app === null) return noApp()
      const key = await addKey({ ...ports, db: call.db }, { appId })
      return isRejection(key) ? key : keyShown(call, ports.settings, { app, key, title: 'Key created' })
    },
  })
}

function revocationPages(ports: KeyPorts): AnyPage[] {
  const definition = { path: `${path}/:kid/revoke`, params: KeyParams, operation: 'keys.manage' } as const
  return [
    devPage({
      ...{ ...definition, method: 'GET', name: 'askBeforeRevokingKey' },
      async handle(call) {
        const [appId, { kid }] = [call.params.appId, call.params]
        const key = (await findActiveKeys(call.db.sql, appId)).find(one => one.kid === kid)
        if (key === undefined) return reject('KEY_NOT_FOUND', 'The app has no active key with this id.')
        const main = confirmation({
          title: 'Revoke the key?',
          words: html`<p><code>${kid}</code></p>
<ul><li>Last used: ${lastUse(key, ports.clock.now())}.</li><li>Access and refresh tokens from this key stop working within a second.</li><li>A revoked key stays revoked.</li></ul>`,
          verb: 'Revoke the key',
          isDangerous: true,
          backHref: pathOfKeys({ appId }),
          csrf: call.csrf,
        })
        return framed(call, { title: 'Revoke a key', part: 'apps', main, width: 'narrow' })
      },
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'revokeOwnKey' },
      async handle(call) {
        const of = { appId: call.params.appId, kid: call.params.kid }
        const rejected = await revokeAppKey({ ...ports, db: call.db }, of)
        // A second press finds the key revoked already.
        if (rejected !== null && rejected.rejected !== 'KEY_NOT_FOUND') return rejected
        return redirect(addressOf(pathOfKeys(of), { done: 'revoked' }))
      },
    }),
  ]
}
