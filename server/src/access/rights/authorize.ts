import { findApp } from '../../catalog/apps/store.ts'
import { assert } from '../../core/assert.ts'
import { authorize, type Facts, type Verdict } from '../../core/authorize.ts'
import type { Principal } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { findApproval } from '../../merchants/approvals/store.ts'
import { findBusiness } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Authorizer } from '../../platform/http/ports.ts'
import type { Ports } from '../../ports.ts'
import { isRelatedToApp, isRelatedToOrganization } from './store.ts'

/** Decides each request by the table in Decisions 3. Looks up the facts that the decision asks for, one at a time. */
export function createAuthorizer({ db }: Pick<Ports, 'db'>): Authorizer {
  return {
    async authorize(principal, operation, subject) {
      let facts: Facts = {}
      for (;;) {
        const verdict = authorize(principal, operation, subject, facts)
        if (typeof verdict === 'string') return outcomeOf(verdict)
        assert(!(verdict.ask in facts), `authorize asks twice for ${verdict.ask}`)
        facts = { ...facts, ...(await factOf(db.sql, verdict.ask, principal, subject)) }
      }
    },
  }
}

async function factOf(sql: Sql, ask: keyof Facts, principal: Principal, subject: Subject): Promise<Facts> {
  const { appId, businessId } = subject
  switch (ask) {
    case 'app':
      return { app: appId === undefined ? null : await findApp(sql, appId) }
    case 'business':
      return { business: businessId === undefined ? null : await findBusiness(sql, businessId) }
    case 'isRelated':
      return { isRelated: businessId !== undefined && (await isRelated(sql, businessId, principal, appId)) }
    case 'approvedRights': {
      assert(principal.kind === 'app', 'only an app has approved rights')
      const approving = principal.businessId ?? businessId
      const approval = approving === undefined ? null : await findApproval(sql, approving, principal.appId)
      return { approvedRights: approval?.rights ?? [] }
    }
  }
}

async function isRelated(sql: Sql, businessId: string, principal: Principal, appId?: string): Promise<boolean> {
  const own = principal.kind === 'app' ? principal.appId : appId
  if (own !== undefined) return isRelatedToApp(sql, { businessId, appId: own })
  assert(principal.kind === 'developer', 'without an app, only a developer is related to a business')
  return isRelatedToOrganization(sql, { businessId, organizationId: principal.organizationId })
}

function outcomeOf(verdict: Extract<Verdict, string>): 'granted' | Rejection {
  switch (verdict) {
    case 'granted':
      return 'granted'
    case 'unauthenticated':
      return reject('INVALID_ACCESS_TOKEN', 'Send an access token: Authorization: Bearer <token>.')
    case 'hidden app':
      return reject('APPLICATION_NOT_FOUND', 'You have no app with this id.')
    case 'unknown business':
      return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    case 'forbidden':
      return reject('FORBIDDEN', 'The token is valid, but its holder has no right to this operation.')
  }
}
