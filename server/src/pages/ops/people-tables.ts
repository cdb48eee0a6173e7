import { statusOf } from '../../access/invitations/schema.ts'
import { listInvitations } from '../../access/invitations/store.ts'
import { listPeople } from '../../access/memberships/store.ts'
import type { Workspace } from '../../core/membership.ts'
import type { Sql } from '../../platform/db/db.ts'
import { breakable } from '../../platform/web/components/breakable.ts'
import { table } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { roleWord } from '../people/workspace-page.ts'

/** The people of a workspace and its open invitations. `nobody` stands in place of the people. */
export async function peopleTables(
  sql: Sql,
  workspace: Workspace,
  { caption, nobody, now }: { readonly caption: string; readonly nobody: string; readonly now: Date },
): Promise<Html> {
  const people = await listPeople(sql, workspace)
  const invited = (await listInvitations(sql, workspace)).filter(one => statusOf(one, now) === 'PENDING')
  return html`${
    people.length === 0
      ? html`<h2>${caption}</h2><p>${nobody}</p>`
      : table({
          caption,
          rows: people,
          columns: [
            { name: 'Name', cell: ({ name }) => name },
            { name: 'E-mail', cell: ({ email }) => breakable(email) },
            { name: 'Role', cell: ({ role }) => roleWord(role) },
            { name: 'Since', cell: ({ createdAt }) => day(createdAt) },
          ],
        })
  }
${
  invited.length > 0 &&
  table({
    caption: 'Invitations',
    rows: invited,
    columns: [
      { name: 'E-mail', cell: ({ email }) => breakable(email) },
      { name: 'Role', cell: ({ role }) => roleWord(role) },
      { name: 'Expires', cell: ({ expiresAt }) => day(expiresAt) },
    ],
  })
}`
}
