import type { Job } from './job.ts'

/** Portal 3 and 4: "People", and portal 2: the header. */
export const SHELL_JOBS: readonly Job[] = [
  [
    'change the role of a colleague, and remove them',
    async (who, given) => {
      const name = await given.colleague()
      await who.go('People')
      await who.press(`Change role of ${name}`)
      await who.check(/^(Administrator|Manager)/)
      await who.press('Change the role')
      await who.see('Role changed')
      await who.press(`Remove ${name}`)
      await who.press('Remove')
      await who.see('Member removed')
    },
  ],
  [
    'invite a person, send the invitation again, and revoke it',
    async (who, { tag }) => {
      const email = `bob@${tag}.example`
      await who.go('People')
      await who.press('Invite a member')
      await who.fill('E-mail', email)
      await who.press('Send the invitation')
      await who.see('Invitation sent')
      await who.press(`Send again to ${email}`)
      await who.see('A new link was sent')
      await who.press(`Revoke the invitation of ${email}`)
      await who.see('Invitation revoked')
    },
  ],
  [
    'choose a theme',
    async who => {
      await who.press(/^Account menu/)
      await who.press('Auto')
    },
  ],
  [
    'sign out',
    async who => {
      await who.press(/^Account menu/)
      await who.press('Sign out')
      await who.see('Sign in')
    },
  ],
]
