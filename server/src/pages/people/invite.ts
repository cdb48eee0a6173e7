import { Type } from 'typebox'
import { invite } from '../../access/invitations/invite.ts'
import { problemsOf } from '../../access/users/form-words.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { button, buttons, linkButton } from '../../platform/web/components/button.ts'
import { choices } from '../../platform/web/components/choice.ts'
import { textField } from '../../platform/web/components/field.ts'
import { form, type Problems } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { PEOPLE_PATH } from '../../platform/web/navigation.ts'
import { pathAfter } from './list-people.ts'
import { framed, type OwnPlace, placePage } from './own-place.ts'
import { humblestRole, roleChoices, roleOf } from './words.ts'

const path = `${PEOPLE_PATH}/invite`

interface Entered {
  /** What makes the form, sent twice, one invitation. */
  readonly invitationId: string
  readonly email: string
  readonly role: string
}

/** Lets somebody in, by a link that only their mailbox is told. */
export function invitePages(ports: Parameters<typeof invite>[0]): AnyPage[] {
  return [
    placePage({
      ...{ method: 'GET', path, name: 'showInvite', operation: 'people.manage' },
      handle: async (call, own) =>
        show(call, own, { invitationId: ports.newId(), email: '', role: humblestRole(own.place) }),
    }),
    placePage({
      ...{ method: 'POST', path, name: 'sendInvite', operation: 'people.manage' },
      form: Type.Object({ invitationId: Uuid, email: Text(254, 0), role: Text(20, 0) }),
      async handle(call, own) {
        const email = call.form.email.trim()
        const role = roleOf(own.place, call.form.role)
        const again = (problems: Problems, status = 400) =>
          show(call, own, { ...call.form, email }, { problems, status })
        if (!/^[^\s@]+@[^\s@]+$/.test(email)) return again({ email: 'Enter an e-mail address.' })
        if (role === null) return again({ role: 'Choose one of these.' })
        const asked = { place: own.place, email, role, invitedBy: own.userId }
        const invitationId = call.form.invitationId.toLowerCase()
        const made = await invite({ ...ports, db: call.db }, { ...asked, invitationId })
        if (!isRejection(made)) return redirect(pathAfter('invited'))
        if (made.rejected !== 'ALREADY_MEMBER') return again(problemsOf(made), PROBLEMS[made.rejected].status)
        return again({ email: 'Somebody with this address is a member already.' }, 409)
      },
    }),
  ]
}

function show(
  call: PageCall<unknown, unknown, unknown>,
  { place, name }: OwnPlace,
  { invitationId, email, role }: Entered,
  { problems = {}, status = 200 }: { readonly problems?: Problems; readonly status?: number } = {},
) {
  const main = html`<h1>Invite somebody</h1>
<p>They get a link by e-mail, good once and for seven days, and choose a password of their own to sign in for ${name}.</p>
${form({
  csrf: call.csrf,
  action: path,
  hidden: { invitationId },
  problems,
  body: html`${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'off', maxlength: 254, value: email, problem: problems.email })}
${choices({ name: 'role', legend: 'Role', value: role, options: roleChoices(place), problem: problems.role })}
${buttons(button('Send the invitation', { kind: 'primary' }), linkButton('Go back', PEOPLE_PATH))}`,
})}`
  return framed(call, { title: 'Invite somebody', main }, { status })
}
