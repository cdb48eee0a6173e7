import type { PersonRole } from '../../core/membership.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Invitation } from './store.ts'

/** Name of a workspace as invited people read it. */
export function nameOfWorkspace({ workspaceName }: { readonly workspaceName: string | null }): string {
  return workspaceName ?? say`the operator`
}

const ROLE_WORDS: Readonly<Record<PersonRole, string>> = {
  OWNER: english('owner'),
  ADMIN: english('administrator'),
  MANAGER: english('manager'),
  MEMBER: english('member'),
  VIEWER: english('viewer'),
}

export function wordOfRole(role: PersonRole): string {
  return sayText(ROLE_WORDS[role])
}

export function invitationMail(invitation: Invitation, link: string): Message {
  const workspace = nameOfWorkspace(invitation)
  return {
    to: invitation.email,
    subject: say`You are invited to ${workspace}`,
    text: [
      say`You are invited to join ${workspace} as ${wordOfRole(invitation.role)}.`,
      '',
      say`Open this link to accept. It works once, within seven days:`,
      link,
      '',
      say`If you did not expect this, do nothing.`,
      '',
    ].join('\n'),
  }
}
