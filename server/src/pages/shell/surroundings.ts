import { listMembershipsOfUser } from '../../access/memberships/store.ts'
import { OPERATOR_WORKSPACE } from '../../access/sessions/web-sessions.ts'
import { pageOfAllReleases } from '../../catalog/releases/list.ts'
import { type Principal, signedIn } from '../../core/principal.ts'
import { listOfBusiness } from '../../money/subscriptions/store.ts'
import { MERCHANT_PATHS, OPERATOR_PATHS, WEBHOOKS_PATH } from '../../platform/web/navigation.ts'
import type { Surroundings } from '../../platform/web/surroundings.ts'
import type { Ports } from '../../ports.ts'
import { listHooks } from '../../webhooks/hooks/list.ts'

/** The badge shows "99+" above. */
const MOST_COUNTED = 100

type Around = Pick<Surroundings, 'workspaces' | 'counts'>

/** Fills the port of the page server: the person's workspaces, and what needs attention. */
export function createSurround({ db }: Pick<Ports, 'db'>): (principal: Principal) => Promise<Around> {
  return async principal => {
    const person = signedIn(principal)
    if (person === null) return { workspaces: [], counts: {} }
    const [memberships, counts] = await Promise.all([
      listMembershipsOfUser(db.sql, person.userId),
      countsOf({ db }, principal),
    ])
    const workspaces = memberships.map(({ membershipId, workspaceName }) => ({
      membershipId,
      name: workspaceName ?? OPERATOR_WORKSPACE,
      isCurrent: membershipId === person.membershipId,
    }))
    return { workspaces, counts }
  }
}

async function countsOf({ db }: Pick<Ports, 'db'>, principal: Principal): Promise<Surroundings['counts']> {
  if (principal.kind === 'operator' && principal.role !== 'MFA_REQUIRED') {
    const { items } = await pageOfAllReleases({ db }, { status: 'SUBMITTED' }, { limit: MOST_COUNTED })
    return { [OPERATOR_PATHS.reviews]: { number: items.length, what: 'to review' } }
  }
  if (principal.kind === 'developer') {
    const { organizationId } = principal
    const hooks = await listHooks(db.sql, { organizationId, active: false }, { limit: MOST_COUNTED })
    const disabled = hooks.filter(({ disabledReason }) => disabledReason !== undefined)
    return { [WEBHOOKS_PATH]: { number: disabled.length, what: 'disabled because they failed' } }
  }
  if (principal.kind === 'merchant') {
    const { businessId } = principal
    const live = await listOfBusiness(db.sql, { businessId, status: 'ACTIVE', limit: MOST_COUNTED })
    const overdue = live.filter(({ paymentStatus }) => paymentStatus === 'PAST_DUE')
    return { [MERCHANT_PATHS.subscriptions]: { number: overdue.length, what: 'need attention' } }
  }
  return {}
}
