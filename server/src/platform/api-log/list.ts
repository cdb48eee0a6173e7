import { type Listed, listed, parseSlice, parseSpan } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { type ApiRequest, listRequests, type RequestsFilter } from './store.ts'

export interface RequestsQuery {
  readonly method?: string
  /** A status, `404`, or a class, `4xx`. */
  readonly httpStatus?: string
  readonly requestId?: string
  readonly startAt?: string
  readonly endAt?: string
  readonly limit?: string
  readonly after?: string
}

/** Lists the requests of an app, newest first. */
export async function pageOfRequests(
  { db }: Pick<Ports, 'db'>,
  appId: string,
  query: RequestsQuery,
): Promise<Listed<ApiRequest> | Rejection> {
  const slice = parseSlice(query)
  if (isRejection(slice)) return slice
  const span = parseSpan(query)
  if (isRejection(span)) return span
  const { method, requestId, httpStatus } = query
  const exact = { appId, ...span, ...(method && { method }), ...(requestId && { requestId }) }
  const rows = await listRequests(db.sql, { ...exact, ...statuses(httpStatus) }, { ...slice, limit: slice.limit + 1 })
  return listed(rows, slice.limit, ({ apiRequestId }) => apiRequestId)
}

function statuses(status: string | undefined): Pick<RequestsFilter, 'leastStatus' | 'mostStatus'> {
  if (status === undefined) return {}
  if (!status.endsWith('xx')) return { leastStatus: Number(status), mostStatus: Number(status) }
  const first = Number(status[0]) * 100
  return { leastStatus: first, mostStatus: first + 99 }
}
