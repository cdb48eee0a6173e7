import type { Static } from 'typebox'
import { Type } from 'typebox'
import { findOrganization } from '../../catalog/organizations/store.ts'
import { updateOrganization } from '../../catalog/organizations/update.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text } from '../../platform/http/wire.ts'
import { facts, toast } from '../../platform/web/components/content.ts'
import { copyId } from '../../platform/web/components/copy-id.ts'
import { button, EMAIL, form, type Problems, textField } from '../../platform/web/components/form.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { DEVELOPER_PATHS } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { devPage, framed, type Own } from './dev-page.ts'

const path = DEVELOPER_PATHS.organization

const Entered = Type.Object({ name: Text(255, 0), email: Text(254, 0) })

/** The name and the e-mail of the organization. */
export function organizationPages(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyPage[] {
  return [
    devPage({
      ...{ method: 'GET', path, name: 'showOwnOrganization', operation: 'apps.read' },
      query: Type.Object({ done: Type.Optional(Type.Literal('saved')) }),
      async handle(call, own) {
        const organization = await findOrganization(call.db.sql, own.organizationId)
        if (organization === null) return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
        const said = call.query.done && toast('Organization saved')
        return shownFor(call, own, organization, said ? { said } : {})
      },
    }),
    devPage({
      ...{ method: 'POST', path, name: 'saveOwnOrganization', operation: 'organizations.manage' },
      form: Entered,
      async handle(call, own) {
        const [name, email] = [call.form.name.trim(), call.form.email.trim()]
        const problems: Problems = {
          ...(name === '' && { name: 'Enter a name.' }),
          ...(!EMAIL.test(email) && { email: 'Enter an e-mail address.' }),
        }
        if (Object.keys(problems).length > 0) return shownFor(call, own, { name, email }, { problems })
        const { organizationId } = own
        const saved = await updateOrganization({ ...ports, db: call.db }, { organizationId, name, email })
        return isRejection(saved) ? saved : redirect(`${path}?done=saved`)
      },
    }),
  ]
}

function shownFor(
  call: PageCall,
  { organizationId, may }: Own,
  { name, email }: Static<typeof Entered>,
  { problems, said }: { readonly problems?: Problems; readonly said?: Html },
) {
  const entries = form({
    ...{ csrf: call.csrf, action: path, ...(problems && { problems }) },
    body: html`${textField({ name: 'name', label: 'Name', hint: 'Merchants see this name beside your apps.', maxlength: 255, autocomplete: 'organization', value: name, problem: problems?.name })}
${textField({ name: 'email', label: 'E-mail', type: 'email', hint: 'On new invoices. Receives the mails about endpoints, reviews, disputes and payouts.', maxlength: 254, autocomplete: 'email', value: email, problem: problems?.email })}
${button('Save', { kind: 'primary' })}`,
  })
  const id = ['ID', copyId('organization-id', organizationId, 'the organization’s id')] as const
  const main = html`<h1>Organization</h1>
${said}
${may('organizations.manage') && html`<div class="section">${entries}</div>`}
<div class="section">${facts(may('organizations.manage') ? [id] : [['Name', name], ['E-mail', email], id])}</div>
<p>Invoices also name the <a href="${DEVELOPER_PATHS.tax}">seller</a>. Issued invoices never change.</p>`
  return framed(call, { title: 'Organization', part: 'organization', main, width: 'narrow', problems })
}
