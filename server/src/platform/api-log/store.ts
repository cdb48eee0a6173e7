import { dayOfId, firstIdAt } from '../../core/id.ts'
import type { Slice } from '../../core/page.ts'
import type { Sql } from '../db/db.ts'
import { type Present, present } from '../db/sql.ts'

interface Row {
  apiRequestId: string
  appId: string
  /** When the answer was sent. */
  at: Date
  requestId: string
  method: string
  /** With parameter names. */
  route: string
  status: number
  durationMs: number
  /** The merchant of a token that is bound to a merchant. */
  businessId: string | null
  /** The user of a token that a terminal issued for its signed-in user. */
  businessUserId: string | null
}

export type ApiRequest = Present<Row>

export interface RequestsFilter {
  readonly appId: string
  readonly method?: string
  /** Inclusive. */
  readonly leastStatus?: number
  /** Inclusive. */
  readonly mostStatus?: number
  readonly requestId?: string
  readonly startAt?: Date
  readonly endAt?: Date
}

export async function insertRequests(sql: Sql, requests: readonly ApiRequest[]): Promise<void> {
  if (requests.length === 0) return
  const rows = requests.map(request => ({ ...request, day: dayOfId(request.apiRequestId) }))
  await sql`
    insert into api_requests (
      day, api_request_id, app_id, at, request_id, method, route, status, duration_ms, business_id, business_user_id)
    select day, "apiRequestId", "appId", at, "requestId", method, route, status, "durationMs", "businessId", "businessUserId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x (
      day date, "apiRequestId" uuid, "appId" uuid, at timestamptz, "requestId" text, method text, route text, status integer,
      "durationMs" integer, "businessId" uuid, "businessUserId" uuid)`
}

/** The requests of an app, newest first. */
export async function listRequests(sql: Sql, filter: RequestsFilter, { limit, after }: Slice): Promise<ApiRequest[]> {
  const { appId, method, leastStatus, mostStatus, requestId, startAt, endAt } = filter
  const rows = await sql<Row[]>`
    select api_request_id as "apiRequestId", app_id as "appId", at, request_id as "requestId", method, route, status,
      duration_ms as "durationMs", business_id as "businessId", business_user_id as "businessUserId"
    from api_requests
    where app_id = ${appId}
      ${method ? sql`and method = ${method}` : sql``}
      ${leastStatus ? sql`and status >= ${leastStatus}` : sql``}
      ${mostStatus ? sql`and status <= ${mostStatus}` : sql``}
      ${requestId ? sql`and request_id = ${requestId}` : sql``}
      ${startAt ? sql`and api_request_id >= ${firstIdAt(startAt)}` : sql``}
      ${endAt ? sql`and api_request_id < ${firstIdAt(endAt)}` : sql``}
      ${after ? sql`and api_request_id < ${after}` : sql``}
    order by api_request_id desc limit ${limit}`
  return rows.map(row => present(row))
}
