import type { BusinessUserRole } from './business-user.ts'
import type { Principal } from './principal.ts'
import { type Operation, RIGHTS } from './rights.ts'
import type { DeveloperRole, MerchantRole, OperatorRole } from './roles.ts'

const OPERATIONS = Object.keys(RIGHTS) as Operation[]
const NOTHING: readonly Operation[] = []
const PEOPLE: readonly Operation[] = ['people.manage']
const CHANGES = OPERATIONS.filter(operation => !isReading(operation))
const ALL_BUT_OWN_ACCOUNT = OPERATIONS.filter(operation => operation !== 'account.manage' && operation !== 'public')

const BUYING: readonly Operation[] = [
  'subscriptions.subscribe',
  'subscriptions.cancel',
  'subscriptions.restore',
  'subscriptions.change',
  'terminal.purchase',
  // Approving an app's permissions binds the business, as a purchase does.
  'terminal.approve',
]

/**
 * Operations that a token for a terminal's user never has. Hooks and deliveries show the developer's endpoints and their
 * answers, and a terminal reads neither. A cancellation outlasts the token's hour.
 */
const NOT_AT_A_TERMINAL: readonly Operation[] = [
  'hooks.read',
  'hooks.manage',
  'deliveries.read',
  'deliveries.redeliver',
  'subscriptions.cancel',
]

/** Operations that a role removes from its column of the table of rights (decisions 3). A role never adds any. */
const TAKEN = {
  operator: { ADMIN: NOTHING, VIEWER: CHANGES, MFA_REQUIRED: ALL_BUT_OWN_ACCOUNT },
  developer: {
    ADMIN: NOTHING,
    MEMBER: [...PEOPLE, 'keys.manage', 'invoices.refund', 'organizations.manage', 'tax.manage'],
    VIEWER: CHANGES,
  },
  merchant: {
    OWNER: NOTHING,
    MANAGER: PEOPLE,
    VIEWER: CHANGES,
    CLERK: CHANGES.filter(operation => !operation.startsWith('orders.')),
  },
  terminal: { MANAGER: NOTHING, CLERK: BUYING },
  appOfUser: { MANAGER: NOT_AT_A_TERMINAL, CLERK: [...NOT_AT_A_TERMINAL, ...BUYING, 'purchases.ask'] },
} as const satisfies {
  operator: Record<OperatorRole, readonly Operation[]>
  developer: Record<DeveloperRole, readonly Operation[]>
  merchant: Record<MerchantRole, readonly Operation[]>
  terminal: Record<BusinessUserRole, readonly Operation[]>
  appOfUser: Record<BusinessUserRole, readonly Operation[]>
}

/** Whether the caller's role removes this operation. Callers without a role keep all. */
export function isTakenByRole(principal: Principal, operation: Operation): boolean {
  return takenFrom(principal).includes(operation)
}

function takenFrom(principal: Principal): readonly Operation[] {
  switch (principal.kind) {
    case 'operator':
      return TAKEN.operator[principal.role]
    case 'developer':
      return TAKEN.developer[principal.role]
    case 'merchant':
      return TAKEN.merchant[principal.role]
    case 'terminal':
      // A terminal without a signed-in user has the rights of a clerk.
      return TAKEN.terminal[principal.user?.role ?? 'CLERK']
    case 'app':
      return principal.user === undefined ? NOTHING : TAKEN.appOfUser[principal.user.role]
    default:
      return NOTHING
  }
}

/** Every role may manage the person's own account. */
function isReading(operation: Operation): boolean {
  return operation.endsWith('.read') || operation === 'account.manage' || operation === 'public'
}
