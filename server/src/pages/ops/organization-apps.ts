import { Type } from 'typebox'
import { listApps } from '../../catalog/apps/store.ts'
import { isReached, updateAppsOf } from '../../catalog/apps/update.ts'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { confirmation } from '../../platform/web/components/form.ts'
import { addressOf } from '../../platform/web/components/table.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { OPERATOR_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { framed, opsPage } from './ops-page.ts'

/** More than any organization has. The page names them all. */
const MOST_APPS = 1_000
const pathOf = (organizationId: string) => `${OPERATOR_PATHS.organizations}/${organizationId}`

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
          if (apps.length === 0) return redirect(pathOf(organizationId))
          const heading = `${title} all apps of ${name}?`
          const main = confirmation({
            ...{ title: heading, verb, isDangerous: change === 'disable', csrf: call.csrf },
            words: html`<p>${apps.map((app, i) => html`${i > 0 && ', '}<strong>${app.name}</strong>`)}</p>
<ul>${words.map(word => html`<li>${word}</li>`)}</ul>`,
            backHref: pathOf(organizationId),
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
          return redirect(addressOf(pathOf(organizationId), { done }))
        },
      }),
    ]
  })
}

/** The way to disable all apps, or to enable them where the operator has disabled all. False without apps. */
export async function appsLink(sql: Sql, organizationId: string): Promise<Html | false> {
  const apps = await listApps(sql, { organizationId }, { limit: MOST_APPS })
  if (apps.length === 0) return false
  const change = apps.some(app => isReached(app, 'DISABLED')) ? 'disable' : 'enable'
  return html`<a href="${`${pathOf(organizationId)}/${change}`}">${CHANGES[change].verb}</a>`
}
