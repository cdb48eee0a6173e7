import type { MerchantType } from '../../core/business.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import { parseSearch, type Search } from '../../core/search.ts'
import type { Location } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { matching } from '../../platform/db/search.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'

/** The exact filters that every list has. The page of a list names them too. */
export interface ScopeQuery {
  readonly organizationId?: string
  /** URN. */
  readonly appId?: string
  readonly businessId?: string
  readonly merchantType?: MerchantType
  /** An id, or words that begin words of the merchant's name or e-mail. */
  readonly q?: string
}

/** The rows that a caller asks for and may see. An absent field does not filter. */
export interface Scope {
  readonly organizationId?: string
  readonly appId?: string
  readonly businessId?: string
  readonly merchantType?: MerchantType
  readonly search?: Search
  /** Only rows of subscriptions that are visible from this location. */
  readonly seenFrom: Location
}

/** The filters of every list. */
export interface ListFilter {
  readonly scope: Scope
  /** Recorded at or after, in real time. */
  readonly startAt?: Date
  /** Recorded before, in real time. */
  readonly endAt?: Date
}

/** The fields of every row that belongs to an invoice. */
export interface OfInvoice {
  readonly number: string
  readonly appId: string
  readonly appName: string
  readonly businessId: string
  readonly businessName: string
  readonly subscriptionId: string
  readonly merchantType: MerchantType
  readonly currency: string
}

/** The subject of a list, for the rights: the caller's own organization, app or business unless the query names another. */
export function subjectOf(principal: Principal, { organizationId, appId, businessId }: ScopeQuery): Subject {
  const own = ownOf(principal)
  const organization = organizationId?.toLowerCase() ?? own.organizationId
  const business = businessId?.toLowerCase() ?? own.businessId
  return {
    ...(organization !== undefined && { organizationId: organization }),
    ...(appId !== undefined && { appId: uuidOfUrn(appId) }),
    ...(business !== undefined && { businessId: business }),
  }
}

/** The scope of an authorized query. The caller's own organization, app and business always narrow the list. */
export function scopeOf(principal: Principal, { q, merchantType, ...query }: ScopeQuery): Scope | Rejection {
  const search = q === undefined ? undefined : parseSearch(q)
  if (isRejection(search)) return search
  return {
    ...subjectOf(principal, query),
    ...(principal.kind === 'app' && { appId: principal.appId }),
    ...(merchantType && { merchantType }),
    ...(search && { search }),
    seenFrom: locationOfCaller(principal),
  }
}

function ownOf(principal: Principal): { readonly organizationId?: string; readonly businessId?: string } {
  if (principal.kind === 'developer') return { organizationId: principal.organizationId }
  return 'businessId' in principal && principal.businessId !== undefined ? { businessId: principal.businessId } : {}
}

/** Whether the rows of few merchants are asked for. Their rows are found by merchant, not by app. */
export const isOfFewMerchants = ({ businessId, search }: Scope) => businessId !== undefined || search !== undefined

/** The apps of a scope. A list merges one index range per app. */
export function appsOf(sql: Sql, { organizationId, appId }: Pick<Scope, 'organizationId' | 'appId'>) {
  return sql`(
    select app_id from apps where true
      ${organizationId ? sql`and organization_id = ${organizationId}` : sql``}
      ${appId ? sql`and app_id = ${appId}` : sql``})`
}

/** Conditions on a row `r` with the columns `app_id` and `business_id`. `ids` names the columns that `q` may hold. */
export function ofScope(sql: Sql, scope: Scope, ids: readonly string[]) {
  const { businessId, merchantType, search, seenFrom } = scope
  return sql`
    ${scope.appId ? sql`and r.app_id = ${scope.appId}` : sql``}
    ${scope.organizationId ? sql`and r.app_id in ${appsOf(sql, scope)}` : sql``}
    ${businessId ? sql`and r.business_id = ${businessId}` : sql``}
    ${merchantType ? ofType(sql, merchantType) : sql``}
    ${search ? found(sql, scope, search, ids) : sql``}
    ${visibleFrom(sql, seenFrom)}`
}

/** The type is a literal, so that a plan for any value still uses the index of test merchants. */
function ofType(sql: Sql, type: MerchantType) {
  return type === 'MERCHANT' ? sql`and r.merchant_type = 'MERCHANT'` : sql`and r.merchant_type = 'TEST_MERCHANT'`
}

/** More merchants of one search than a person reads. The limit keeps the search for a common word fast. */
const MAX_MERCHANTS = 500

function found(sql: Sql, { organizationId, appId }: Scope, search: Search, ids: readonly string[]) {
  if ('id' in search) {
    const columns = ids.map(id => sql`${sql(`r.${id}`)} = ${search.id}`)
    return sql`and (${columns.reduce((all, one) => sql`${all} or ${one}`)})`
  }
  const words = sql`search_words(legal_name || ' ' || doing_business_as || ' ' || email_address)`
  const subscribed = sql`
    and exists (
      select 1 from subscriptions as s where s.business_id = b.business_id
        ${organizationId ? sql`and s.organization_id = ${organizationId}` : sql``}
        ${appId ? sql`and s.app_id = ${appId}` : sql``})`
  // One array, so that the rows are found by their merchants.
  return sql`and r.business_id = any(array(
    select business_id from businesses as b
    where ${matching(sql, search, { id: 'business_id', words })} ${subscribed}
    limit ${MAX_MERCHANTS}))`
}

/** A condition on a row `r` with a subscription. Implements the rule of isSeenFrom in core/location.ts. */
export function visibleFrom(sql: Sql, { storeId, deviceId }: Location) {
  if (storeId === undefined && deviceId === undefined) return sql``
  return sql`and exists (
    select 1 from subscriptions as s
    where s.subscription_id = r.subscription_id
      ${storeId ? sql`and (s.store_id is null or s.store_id = ${storeId})` : sql``}
      ${deviceId ? sql`and (s.device_id is null or s.device_id = ${deviceId})` : sql``})`
}
