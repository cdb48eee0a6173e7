import type { Brand } from '../../core/brand.ts'
import type { PersonRole } from '../../core/membership.ts'
import type { Message } from '../../platform/mail/mail.ts'
import type { Invitation } from './store.ts'

/** Name of a workspace as invited people read it. */
export function nameOfWorkspace(
  { workspaceName }: { readonly workspaceName: string | null },
  { name }: Pick<Brand, 'name'>,
): string {
  return workspaceName ?? `the operator of ${name}`
}

const ROLE_WORDS: Readonly<Record<PersonRole, string>> = {
  OWNER: 'owner',
  ADMIN: 'administrator',
  MANAGER: 'manager',
  MEMBER: 'member',
  VIEWER: 'viewer',
}

export function wordOfRole(role: PersonRole): string {
  return ROLE_WORDS[role]
}

export function invitationMail(invitation: Invitation, link: string, brand: Brand): Message {
  const workspace = nameOfWorkspace(invitation, brand)
  return {
    to: invitation.email,
    subject: `You are invited to ${workspace}`,
    text: [
      `You are invited to join ${workspace} as ${wordOfRole(invitation.role)}.`,
      '',
      'Open this link to accept. It is good once, and for seven days:',
      link,
      '',
      'If you did not expect this, do nothing.',
      '',
    ].join('\n'),
  }
}
