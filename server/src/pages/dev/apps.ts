import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { NewKey } from '../../catalog/apps/add-key.ts'
import { createApp } from '../../catalog/apps/create.ts'
import { pageOfApps } from '../../catalog/apps/list.ts'
import { type App, PACKAGE_NAME_PATTERN } from '../../core/app.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Release } from '../../core/release.ts'
import type { AnyPage, PageCall } from '../../platform/http/page.ts'
import { appUrn, Text, Uuid } from '../../platform/http/wire.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { codeBlock } from '../../platform/web/components/code-block.ts'
import { emptyState, notice } from '../../platform/web/components/content.ts'
import { button, buttons, form, linkButton, type Problems, textField } from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { addressOf, pager, table } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/format.ts'
import { html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { appBadge } from '../ops/words.ts'
import { problemWords } from '../problem-words.ts'
import { tokenCode } from '../snippets.ts'
import { devPage, framed } from './dev-page.ts'

const ON_A_PAGE = 25
const path = DEVELOPER_PATHS.apps
export const AppParams = Type.Object({ appId: Uuid })
export const pathOf = ({ appId }: Pick<App, 'appId'>) => `${path}/${appId}`
/** The list of all apps' subscriptions, for one app. */
export const subscriptionsOf = ({ appId }: Pick<App, 'appId'>) => addressOf(DEVELOPER_PATHS.subscriptions, { appId })
export const pathOfRelease = ({ appId, releaseId }: Pick<Release, 'appId' | 'releaseId'>) =>
  `${pathOf({ appId })}/releases/${releaseId}`

type AppPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'settings'>

/** The apps of the organization, and a new one. */
export function appPages(ports: AppPorts): AnyPage[] {
  return [listAppsPage(), ...newAppPages(ports)]
}

function listAppsPage(): AnyPage {
  return devPage({
    ...{ method: 'GET', path, name: 'showOwnApps', operation: 'apps.read' },
    query: Type.Object({ after: Type.Optional(Uuid) }),
    async handle(call, { organizationId, may }) {
      const { after } = call.query
      const found = await pageOfApps({ db: call.db }, { organizationId }, { limit: ON_A_PAGE, ...(after && { after }) })
      if (isRejection(found)) return found
      const add = may('apps.manage') && linkButton('Create an app', `${path}/new`, { kind: 'primary' })
      const main = html`${pageHead({ title: 'Apps', actions: add })}
${
  found.items.length === 0
    ? emptyState('No apps yet', 'An app has a package name, plans that merchants buy, and keys for your server.')
    : table<App>({
        caption: 'Apps, newest first',
        rows: found.items,
        columns: [
          { name: 'Name', cell: app => html`<a href="${pathOf(app)}">${app.name}</a>` },
          { name: 'Package name', cell: ({ packageName }) => html`<code>${breakable(packageName)}</code>` },
          { name: 'State', cell: appBadge },
          { name: 'Created', cell: ({ createdAt }) => day(createdAt) },
        ],
      })
}
${pager('More apps', { path, after, next: found.next })}`
      return framed(call, { title: 'Apps', part: 'apps', main })
    },
  })
}

const NewApp = Type.Object({ name: Text(255, 0), packageName: Text(255, 0) })

function newAppPages(ports: AppPorts): AnyPage[] {
  const definition = { path: `${path}/new`, operation: 'apps.manage' } as const
  return [
    devPage({
      ...{ ...definition, method: 'GET', name: 'showNewApp' },
      handle: async call => newAppForm(call, { name: '', packageName: '' }),
    }),
    devPage({
      ...{ ...definition, method: 'POST', name: 'sendNewApp' },
      form: NewApp,
      async handle(call, { organizationId }) {
        const entered = { name: call.form.name.trim(), packageName: call.form.packageName.trim() }
        const problems: Problems = {
          ...(entered.name === '' && { name: 'Enter the name that merchants see.' }),
          ...(!isPackageName(entered.packageName) && {
            packageName: 'Enter a package name such as com.example.planner.',
          }),
        }
        if (Object.keys(problems).length > 0) return newAppForm(call, entered, problems)
        const made = await createApp({ ...ports, db: call.db }, { ...entered, organizationId })
        if (isRejection(made)) return newAppForm(call, entered, { packageName: problemWords(made, 'The package name') })
        return keyShown(call, ports.settings, { app: made.app, key: made.newKey, title: 'App created' })
      },
    }),
  ]
}

const PACKAGE_NAME = new RegExp(PACKAGE_NAME_PATTERN)
const isPackageName = (text: string) => text.length <= 255 && PACKAGE_NAME.test(text)

function newAppForm(call: PageCall, entered: Static<typeof NewApp>, problems: Problems = {}) {
  const main = html`<h1>New app</h1>
<p>A package name belongs to one app forever. The app gets its first key pair at once.</p>
${form({
  csrf: call.csrf,
  action: `${path}/new`,
  problems,
  body: html`${textField({ name: 'name', label: 'Name', hint: 'Merchants see this name.', maxlength: 255, autocomplete: 'off', value: entered.name, problem: problems.name })}
${textField({ name: 'packageName', label: 'Package name', hint: 'The application id of the Android package.', isCode: true, maxlength: 255, autocomplete: 'off', value: entered.packageName, problem: problems.packageName })}
${buttons(button('Create the app', { kind: 'primary' }), linkButton('Go back', path))}`,
})}`
  return framed(call, { title: 'New app', part: 'apps', main, width: 'narrow', problems })
}

interface ShownKey {
  readonly app: App
  readonly key: Pick<NewKey, 'kid' | 'privateKey'>
  readonly title: string
}

const KEY_FILE = 'private-key.pem'

/** The private key appears in this answer only. */
export function keyShown(
  call: PageCall,
  { baseUrl }: Pick<Ports['settings'], 'baseUrl'>,
  { app, key, title }: ShownKey,
) {
  const pem = key.privateKey ?? ''
  const env = [
    ...[`TILLHOOK_URL=${baseUrl}`, `TILLHOOK_APP_ID=${appUrn(app.appId)}`, `TILLHOOK_KEY_ID=${key.kid}`],
    `TILLHOOK_PRIVATE_KEY=${KEY_FILE}`,
  ]
  const file = `data:application/x-pem-file;base64,${Buffer.from(pem).toString('base64')}`
  const main = html`<h1>${title}</h1>
${notice('warn', 'Save the private key now', 'This page shows the key once. Tillhook keeps the public key only.')}
<section class="section"><h2>Private key</h2>
${codeBlock('private-key', pem, 'the private key')}
<p><a ${{ class: 'button plain', href: file, download: KEY_FILE }}>Download ${KEY_FILE}</a></p></section>
<section class="section"><h2>Settings of your server (.env)</h2>
${codeBlock('env', env.join('\n'), 'the settings')}</section>
<section class="section"><h2>First call</h2>
<p>Your server signs a JWT with the private key and exchanges it for an access token. The <a href="/guides/sdks">SDKs</a> do both; <a href="/guides/api">Calling the API</a> explains the token.</p>
${tokenCode()}</section>
${buttons(linkButton(`Go to ${app.name}`, pathOf(app), { kind: 'primary' }))}`
  return framed(call, { title, part: 'apps', main })
}
