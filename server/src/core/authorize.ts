import type { ApprovalRight } from './approval.ts'
import type { MerchantType } from './business.ts'
import { isSeenFrom } from './location.ts'
import { locationOfCaller, type Principal, signedIn } from './principal.ts'
import { columnOf, type Operation, RIGHTS, type Subject } from './rights.ts'
import { isTakenByRole } from './taken-by-role.ts'

/** The known facts about the subject. An absent fact was not looked up; null means that the resource does not exist. */
export interface Facts {
  readonly app?: { readonly organizationId: string } | null
  readonly business?: { readonly organizationId?: string; readonly type: MerchantType } | null
  /** The business approved the app, or has or had a subscription to it. Without an app: to any app of the organization. */
  readonly isRelated?: boolean
  /** The rights of the approval in force, empty without an approval. */
  readonly approvedRights?: readonly ApprovalRight[]
}

export type Verdict =
  | 'granted'
  /** 403: for a business without relation to the caller, the same whether or not it exists. */
  | 'forbidden'
  /** 401. */
  | 'unauthenticated'
  /** 404 for another developer's app, as for an unknown app. */
  | 'hidden app'
  | 'unknown business'
  /** Look up this fact and call again. */
  | { readonly ask: keyof Facts }

type Caller = Exclude<Principal, { kind: 'anonymous' }>
type Of<Kind extends Principal['kind']> = Extract<Principal, { kind: Kind }>

/**
 * Decides by the table of decisions 3 and the caller's role whether the caller may perform an operation on a subject. Asks for one
 * relevant fact at a time: an app's own resources cost no query. An id that the right depends on must be named by the subject.
 */
export function authorize(principal: Principal, operation: Operation, subject: Subject, facts: Facts): Verdict {
  if (operation === 'public') return 'granted'
  if (principal.kind === 'anonymous') return 'unauthenticated'
  if (isTakenByRole(principal, operation)) return 'forbidden'
  const right = RIGHTS[operation][columnOf(principal)]
  switch (right) {
    case 'public':
      return 'granted'
    case 'none':
      return 'forbidden'
    case 'all':
      return all(principal, subject, facts)
    case 'own app':
      return is(principal, 'app') ? ownApp(principal, subject, facts) : 'forbidden'
    case 'own app, own business':
      return is(principal, 'app') ? ownAppAndBusiness(principal, subject) : 'forbidden'
    case 'related business':
      return is(principal, 'app') ? relatedBusiness(principal, subject, facts) : 'forbidden'
    case 'approving business':
      return is(principal, 'app') ? approvingBusiness(principal, subject, facts) : 'forbidden'
    case 'with SUBSCRIBE':
      return is(principal, 'app') ? withSubscribe(principal, subject, facts) : 'forbidden'
    case 'own business':
      return ownBusiness(principal, subject, facts)
    case 'own store':
      return is(principal, 'terminal') ? ownStore(principal, subject, facts) : 'forbidden'
    case 'own terminal':
      return is(principal, 'terminal') ? 'granted' : 'forbidden'
    case 'own organization':
      return is(principal, 'developer') ? ownOrganization(principal, subject, facts) : 'forbidden'
    case 'own test merchants':
      return is(principal, 'developer') ? ownTestMerchants(principal, subject, facts) : 'forbidden'
    case 'own account':
      return signedIn(principal) === null ? 'forbidden' : 'granted'
  }
}

/** Every resource. Callers with this right learn that a resource does not exist; for businesses, only the operator does. */
function all(principal: Caller, subject: Subject, facts: Facts): Verdict {
  const app = existingApp(subject, facts)
  if (app !== 'granted') return app
  if (subject.businessId === undefined || !is(principal, 'operator')) return 'granted'
  if (facts.business === undefined) return { ask: 'business' }
  return facts.business === null ? 'unknown business' : 'granted'
}

function ownApp(principal: Of<'app'>, subject: Subject, facts: Facts): Verdict {
  if (isForeignApp(principal, subject)) return 'hidden app'
  return subject.businessId === undefined ? 'granted' : relatedBusiness(principal, subject, facts)
}

/** The token names the business, so nothing is left to look up. */
function ownAppAndBusiness(principal: Of<'app'>, subject: Subject): Verdict {
  if (isForeignApp(principal, subject)) return 'hidden app'
  if (subject.businessId !== undefined && subject.businessId !== principal.businessId) return 'forbidden'
  return isForeignLocation(principal, subject) ? 'forbidden' : 'granted'
}

function relatedBusiness(principal: Of<'app'>, subject: Subject, facts: Facts): Verdict {
  if (isForeignApp(principal, subject)) return 'hidden app'
  if (subject.businessId === undefined) return 'forbidden'
  if (facts.isRelated === undefined) return { ask: 'isRelated' }
  return facts.isRelated ? 'granted' : 'forbidden'
}

/** Decisions 7, Orders: "to apps the merchant approved". A subscription alone gives no access to orders. */
function approvingBusiness(principal: Of<'app'>, subject: Subject, facts: Facts): Verdict {
  if (isForeignApp(principal, subject)) return 'hidden app'
  if (subject.businessId === undefined) return 'forbidden'
  if (facts.approvedRights === undefined) return { ask: 'approvedRights' }
  return facts.approvedRights.length > 0 ? 'granted' : 'forbidden'
}

/** The business of the token, named by the subject or not: the slice narrows to it. */
function withSubscribe(principal: Of<'app'>, subject: Subject, facts: Facts): Verdict {
  const own = ownAppAndBusiness(principal, subject)
  if (own !== 'granted') return own
  if (facts.approvedRights === undefined) return { ask: 'approvedRights' }
  return facts.approvedRights.includes('SUBSCRIBE') ? 'granted' : 'forbidden'
}

/** The business of a merchant's user or of a terminal; for a terminal, without the resources of other stores and terminals. */
function ownBusiness(principal: Caller, subject: Subject, facts: Facts): Verdict {
  return isForeignLocation(principal, subject) ? 'forbidden' : ofOwnBusiness(principal, subject, facts)
}

function ofOwnBusiness(principal: Caller, subject: Subject, facts: Facts): Verdict {
  const own = 'businessId' in principal ? principal.businessId : undefined
  if (own === undefined || subject.businessId !== own) return 'forbidden'
  return existingApp(subject, facts)
}

function ownStore(principal: Of<'terminal'>, subject: Subject, facts: Facts): Verdict {
  return subject.storeId === principal.storeId ? ofOwnBusiness(principal, subject, facts) : 'forbidden'
}

/** The organization's apps, businesses related to them, and own test merchants. */
function ownOrganization(principal: Of<'developer'>, subject: Subject, facts: Facts): Verdict {
  const { appId, businessId, organizationId } = subject
  if (organizationId !== undefined && organizationId !== principal.organizationId) return 'forbidden'
  const app = appOfOrganization(principal, subject, facts)
  if (app !== 'granted') return app
  if (businessId === undefined) return (appId ?? organizationId) ? 'granted' : 'forbidden'
  if (facts.isRelated === undefined) return { ask: 'isRelated' }
  return facts.isRelated ? 'granted' : ownTestMerchants(principal, subject, facts)
}

/** An existing test merchant, or one about to be created for the organization. */
function ownTestMerchants(principal: Of<'developer'>, subject: Subject, facts: Facts): Verdict {
  const app = appOfOrganization(principal, subject, facts)
  if (app !== 'granted') return app
  if (subject.businessId === undefined) {
    return subject.organizationId === principal.organizationId ? 'granted' : 'forbidden'
  }
  if (facts.business === undefined) return { ask: 'business' }
  const isOwn = facts.business?.type === 'TEST_MERCHANT' && facts.business.organizationId === principal.organizationId
  return isOwn ? 'granted' : 'forbidden'
}

function appOfOrganization(principal: Of<'developer'>, subject: Subject, facts: Facts): Verdict {
  if (subject.appId === undefined) return 'granted'
  if (facts.app === undefined) return { ask: 'app' }
  return facts.app?.organizationId === principal.organizationId ? 'granted' : 'hidden app'
}

function existingApp(subject: Subject, facts: Facts): Verdict {
  if (subject.appId === undefined) return 'granted'
  if (facts.app === undefined) return { ask: 'app' }
  return facts.app === null ? 'hidden app' : 'granted'
}

/** A subject without an app concerns the caller's own app; the slice narrows to it. */
function isForeignApp(principal: Of<'app'>, subject: Subject): boolean {
  return subject.appId !== undefined && subject.appId !== principal.appId
}

function isForeignLocation(principal: Caller, subject: Subject): boolean {
  return !isSeenFrom(locationOfCaller(principal), subject)
}

function is<Kind extends Principal['kind']>(principal: Principal, kind: Kind): principal is Of<Kind> {
  return principal.kind === kind
}
