import type { Static } from 'typebox'
import { Type } from 'typebox'
import { invite } from '../../access/invitations/invite.ts'
import { problemsOf } from '../../access/users/form-words.ts'
import { pageOfApps } from '../../catalog/apps/list.ts'
import { listApps } from '../../catalog/apps/store.ts'
import { isReached, updateAppsOf } from '../../catalog/apps/update.ts'
import { createOrganization } from '../../catalog/organizations/create.ts'
import { pageOfOrganizations } from '../../catalog/organizations/list.ts'
import { findSeller } from '../../catalog/organizations/seller-store.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import type { Organization } from '../../core/organization.ts'
import { signedIn } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { emptyState, facts, nothingFound, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { filterBar } from '../../platform/web/components/filter-bar.ts'
import {
  button,
  buttons,
  choices,
  confirmation,
  EMAIL,
  form,
  linkButton,
  type Problems,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead, withDetails } from '../../platform/web/components/page-head.ts'
import { addressOf, pager, table } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { appTable } from './apps.ts'
import { notesOf } from './notes.ts'
import { auditLink, framed, ON_A_PAGE, opsPage, searched, searchField } from './ops-page.ts'
import { peopleTables } from './people-tables.ts'
import { seeAsButton } from './see-as.ts'

const path = OPERATOR_PATHS.organizations
const params = Type.Object({ organizationId: Uuid })
const pathOf = ({ organizationId }: Pick<Organization, 'organizationId'>) => `${path}/${organizationId}`

/** The developers of apps: search, one, a new one, and an invitation. */
export function organizationPages(ports: Parameters<typeof invite>[0]): AnyPage[] {
  return [listPage(), ...newPages(ports), onePage(ports), ...invitePages(ports)]
}

function listPage(): AnyPage {
  return opsPage({
    ...{ method: 'GET', path, name: 'showOrganizations', operation: 'organizations.read' },
    query: Type.Object({ q: Type.Optional(Text(200, 0)), after: Type.Optional(Uuid) }),
    async handle(call, desk) {
      const { after } = call.query
      const asked = searched(call.query.q)
      const slice = { limit: ON_A_PAGE, ...(after !== undefined && { after }) }
      const found = await pageOfOrganizations({ db: call.db }, asked, slice)
      if (isRejection(found)) return found
      const add = desk.may('organizations.create') && linkButton('New organization', `${path}/new`, { kind: 'primary' })
      const main = html`${pageHead({ title: 'Organizations', lead: 'The developers who sell apps.', actions: add })}
${filterBar({ path, label: 'Search organizations', fields: [searchField('Name, e-mail or ID', asked.q)] })}
${
  found.items.length === 0
    ? asked.q === undefined
      ? emptyState('No organizations found', 'Create one and invite its people.')
      : nothingFound(asked.q)
    : table<Organization>({
        caption: 'Organizations, newest first',
        rows: found.items,
        columns: [
          { name: 'Name', cell: one => html`<a href="${pathOf(one)}">${one.name}</a>` },
          { name: 'E-mail', cell: ({ email }) => email },
          { name: 'Created', cell: ({ createdAt }) => day(createdAt) },
        ],
      })
}
${pager('More organizations', { path, kept: asked, after, next: found.next })}`
      return framed(call, { title: 'Organizations', part: 'organizations', main })
    },
  })
}

/** A form that is sent twice creates one organization. */
const NewOrganization = Type.Object({ organizationId: Uuid, name: Text(255, 0), email: Text(254, 0) })

function newPages(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyPage[] {
  const operation = 'organizations.create'
  return [
    opsPage({
      ...{ method: 'GET', path: `${path}/new`, name: 'showNewOrganization', operation },
      handle: async call => newForm(call, { organizationId: ports.newId(), name: '', email: '' }),
    }),
    opsPage({
      ...{ method: 'POST', path: `${path}/new`, name: 'sendNewOrganization', operation },
      form: NewOrganization,
      async handle(call) {
        const entered = { ...call.form, name: call.form.name.trim(), email: call.form.email.trim() }
        const problems: Problems = {
          ...(entered.name === '' && { name: 'Enter the name of the organization.' }),
          ...(!EMAIL.test(entered.email) && { email: 'Enter an e-mail address.' }),
        }
        if (Object.keys(problems).length > 0) return newForm(call, entered, problems)
        const organizationId = entered.organizationId
        await createOrganization({ ...ports, db: call.db }, { ...entered, organizationId })
        return redirect(addressOf(pathOf({ organizationId }), { done: 'created' }))
      },
    }),
  ]
}

function newForm(call: PageCall, entered: Static<typeof NewOrganization>, problems: Problems = {}) {
  const { organizationId, name, email } = entered
  const main = html`${pageHead({ title: 'New organization', above: [{ text: 'Organizations', href: path }] })}
<p>The organization owns apps and test merchants. Invite its people afterwards.</p>
${form({
  csrf: call.csrf,
  action: `${path}/new`,
  hidden: { organizationId },
  problems,
  body: html`${textField({ name: 'name', label: 'Name', maxlength: 255, autocomplete: 'off', value: name, problem: problems.name })}
${textField({ name: 'email', label: 'E-mail', type: 'email', hint: 'Notices about failing webhooks go there.', maxlength: 254, autocomplete: 'off', value: email, problem: problems.email })}
${buttons(button('Create the organization', { kind: 'primary' }), linkButton('Go back', path))}`,
})}`
  return framed(call, { title: 'New organization', part: 'organizations', main, width: 'narrow', problems })
}

const DONE = {
  created: 'Organization created',
  invited: 'Invitation sent',
  disabled: 'All apps disabled',
  enabled: 'Apps enabled',
} as const

function onePage({ clock }: Pick<Ports, 'clock'>): AnyPage {
  return opsPage({
    ...{
      method: 'GET',
      path: `${path}/:organizationId`,
      params,
      name: 'showOrganization',
      operation: 'organizations.read',
    },
    query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])) }),
    async handle(call, desk) {
      const { sql } = call.db
      const organization = await findOrganization(sql, call.params.organizationId)
      if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
      const { organizationId } = organization
      const apps = await pageOfApps({ db: call.db }, { organizationId }, { limit: ON_A_PAGE })
      if (isRejection(apps)) return apps
      const seller = await findSeller(sql, organizationId)
      const { done } = call.query
      const add = desk.may('people.manage') && linkButton('Invite a member', `${pathOf(organization)}/invite`)
      const seeAs = seeAsButton(desk, pathOf(organization), call.csrf)
      const details = facts([
        ['E-mail', organization.email],
        ['Named on invoices', seller?.legalName ?? organization.name],
        ['Created', day(organization.createdAt)],
        ['ID', copyId('organization', organizationId, 'the organization ID')],
        ['History', auditLink(organizationId)],
      ])
      const content = html`
${apps.items.length === 0 ? html`<h2>Apps</h2><p>The organization has no apps yet.</p>` : appTable(apps.items)}
${apps.next && html`<p><a href="${addressOf(OPERATOR_PATHS.apps, { organizationId })}">All its apps</a></p>`}
${await peopleTables(sql, { kind: 'DEVELOPER', organizationId }, { caption: 'Members', nobody: 'No person has joined yet.', now: clock.now() })}`
      const notes = await notesOf(call, desk, { subject: 'ORGANIZATION', subjectId: organizationId })
      const main = html`${pageHead({
        ...{ title: organization.name, above: [{ text: 'Organizations', href: path }] },
        actions: html`${linkButton('Payouts', `${pathOf(organization)}/payouts`)}${add}`,
        more: [seeAs, desk.may('apps.manage') && (await appsLink(sql, organizationId))].filter(item => item !== false),
      })}
${done && toast(DONE[done])}
${withDetails(html`${content}${notes}`, details)}`
      return framed(call, { title: organization.name, part: 'organizations', main })
    },
  })
}

const ROLES = [
  { value: 'ADMIN', text: 'Administrator', detail: 'Manages apps, keys, refunds and people' },
  { value: 'MEMBER', text: 'Member', detail: 'Manages apps and webhooks' },
  { value: 'VIEWER', text: 'Viewer', detail: 'Sees everything and changes nothing' },
] as const

const Invitation = Type.Object({ invitationId: Uuid, email: Text(254, 0), role: Text(20, 0) })

function invitePages(ports: Parameters<typeof invite>[0]): AnyPage[] {
  const definition = { path: `${path}/:organizationId/invite`, params, operation: 'people.manage' } as const
  return [
    opsPage({
      ...{ ...definition, method: 'GET', name: 'showInviteDeveloper' },
      handle: (call): ReturnType<typeof inviteForm> =>
        inviteForm(call, call.params, { invitationId: ports.newId(), email: '', role: 'ADMIN' }),
    }),
    opsPage({
      ...{ ...definition, method: 'POST', name: 'inviteDeveloper' },
      form: Invitation,
      async handle(call) {
        const entered = { ...call.form, email: call.form.email.trim() }
        const again = (problems: Problems, status?: number) => inviteForm(call, call.params, entered, problems, status)
        const role = ROLES.find(({ value }) => value === entered.role)?.value
        if (!EMAIL.test(entered.email)) return again({ email: 'Enter an e-mail address.' })
        if (role === undefined) return again({ role: 'Choose a role.' })
        const organizationId = call.params.organizationId
        const invitedBy = signedIn(call.principal)?.userId
        const invitation = {
          ...{ workspace: { kind: 'DEVELOPER', organizationId } as const, email: entered.email, role },
          ...{ invitationId: entered.invitationId, ...(invitedBy !== undefined && { invitedBy }) },
        }
        const made = await invite({ ...ports, db: call.db }, invitation)
        if (!isRejection(made)) return redirect(addressOf(pathOf({ organizationId }), { done: 'invited' }))
        if (made.rejected === 'ORGANIZATION_NOT_FOUND') return made
        if (made.rejected === 'ALREADY_MEMBER') return again({ email: 'This person is already a member.' }, 409)
        return again(problemsOf(made), PROBLEMS[made.rejected].status)
      },
    }),
  ]
}

async function inviteForm(
  call: PageCall,
  { organizationId }: { readonly organizationId: string },
  { invitationId, email, role }: Static<typeof Invitation>,
  problems: Problems = {},
  status?: number,
) {
  const organization = await findOrganization(call.db.sql, organizationId)
  if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
  const main = html`${pageHead({
    ...{ title: 'Invite a member' },
    above: [
      { text: 'Organizations', href: path },
      { text: organization.name, href: pathOf(organization) },
    ],
  })}
<p>We e-mail them a link to join. The link works once and expires after seven days.</p>
${form({
  csrf: call.csrf,
  action: `${pathOf(organization)}/invite`,
  hidden: { invitationId },
  problems,
  body: html`${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'off', maxlength: 254, value: email, problem: problems.email })}
${choices({ name: 'role', legend: 'Role', value: role, options: ROLES, problem: problems.role })}
${buttons(button('Send the invitation', { kind: 'primary' }), linkButton('Go back', pathOf(organization)))}`,
})}`
  return framed(call, { title: 'Invite a member', part: 'organizations', main, width: 'narrow', problems }, { status })
}

/** More than any organization has. The page names them all. */
const MOST_APPS = 1_000

const CHANGES = {
  disable: {
    status: 'DISABLED',
    done: 'disabled',
    title: 'Disable',
    verb: 'Disable all apps',
    words: [
      'The apps get no tokens, and their tokens stop working at once.',
      'Nobody subscribes, and nobody is charged: renewals, retries and grace periods wait until the apps are enabled again.',
      'Only the operator can enable the apps again.',
      'The people of the organization still sign in, read their statements and refund payments.',
    ],
  },
  enable: {
    status: 'ACTIVE',
    done: 'enabled',
    title: 'Enable',
    verb: 'Enable all apps',
    words: [
      'The apps get tokens again, and their plans are on sale again.',
      'Subscriptions continue. A period that was due while the apps were disabled begins now and is charged now. The time in between is free.',
    ],
  },
} as const

/** The operator disables all apps of a developer at once, and enables them again. */
export function organizationAppsPages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  return (['disable', 'enable'] as const).flatMap(change => {
    const { status, done, title, words, verb } = CHANGES[change]
    const definition = {
      path: `${OPERATOR_PATHS.organizations}/:organizationId/${change}`,
      params: Type.Object({ organizationId: Uuid }),
      operation: 'apps.manage',
    } as const
    return [
      opsPage({
        ...{ ...definition, method: 'GET', name: `askBefore${title}AppsOfOrganization` },
        async handle(call) {
          const { sql } = call.db
          const organization = await findOrganization(sql, call.params.organizationId)
          if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
          const { organizationId, name } = organization
          const apps = (await listApps(sql, { organizationId }, { limit: MOST_APPS })).filter(app =>
            isReached(app, status),
          )
          if (apps.length === 0) return redirect(pathOf({ organizationId }))
          const heading = `${title} all apps of ${name}?`
          const main = confirmation(call, {
            ...{ title: heading, verb, isDangerous: change === 'disable' },
            words: html`<p>${apps.map((app, i) => html`${i > 0 && ', '}<strong>${app.name}</strong>`)}</p>
<ul>${words.map(word => html`<li>${word}</li>`)}</ul>`,
            backHref: pathOf({ organizationId }),
          })
          return framed(call, { title: heading, part: 'organizations', main, width: 'narrow' })
        },
      }),
      opsPage({
        ...{ ...definition, method: 'POST', name: `${change}AppsOfOrganization` },
        async handle(call) {
          const organization = await findOrganization(call.db.sql, call.params.organizationId)
          if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
          const { organizationId } = organization
          await updateAppsOf({ ...ports, db: call.db }, { organizationId, status })
          return redirect(addressOf(pathOf({ organizationId }), { done }))
        },
      }),
    ]
  })
}

/** The way to disable all apps, or to enable them where the operator has disabled all. False without apps. */
async function appsLink(sql: Sql, organizationId: string): Promise<Html | false> {
  const apps = await listApps(sql, { organizationId }, { limit: MOST_APPS })
  if (apps.length === 0) return false
  const change = apps.some(app => isReached(app, 'DISABLED')) ? 'disable' : 'enable'
  return html`<a href="${`${pathOf({ organizationId })}/${change}`}">${CHANGES[change].verb}</a>`
}
