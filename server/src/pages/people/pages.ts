import type { AnyPage } from '../../platform/http/page.ts'
import type { Ports } from '../../ports.ts'
import { changeRolePages } from './change-role.ts'
import { disablePages } from './disable.ts'
import { invitePages } from './invite.ts'
import { listPeoplePages } from './list-people.ts'
import { removePages } from './remove.ts'

/** Who signs in for a place, and who may. */
export function peoplePages(ports: Ports): AnyPage[] {
  return [
    ...listPeoplePages(ports),
    ...invitePages(ports),
    ...changeRolePages(ports),
    ...removePages(ports),
    ...disablePages(ports),
  ]
}
