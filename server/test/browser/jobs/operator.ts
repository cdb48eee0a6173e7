import type { Job } from './job.ts'

/** Portal 4: "Organizations, Apps, Merchants → one" and "Terminals". */
export const ORGANIZATION_JOBS: readonly Job[] = [
  [
    'create an organization and invite a member',
    async (who, { tag }) => {
      await who.go('Organizations')
      await who.press('New organization')
      await who.fill('Name', `Orchard ${tag}`)
      await who.fill('E-mail', 'dev@orchard.example')
      await who.press('Create the organization')
      await who.see('Organization created')
      await who.press('Invite a member')
      await who.fill('E-mail', `amy@${tag}.example`)
      await who.check(/^Member/)
      await who.press('Send the invitation')
      await who.see(/invit/i)
    },
  ],
  [
    'see as the organization, and stop',
    async (who, { tag }) => {
      await who.press('See as')
      await who.see('Nothing can be changed')
      await who.press('Stop seeing as')
      await who.see(`Orchard ${tag}`)
    },
  ],
]
