import type { Static } from 'typebox'
import { type Listed, listed, parseSlice, parseSpan } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { ApiRequestsQuery } from './schema.ts'
import { type ApiRequest, listRequests, type RequestsFilter } from './store.ts'

/** Lists the requests of an app, newest first. */
export async function pageOfRequests(
  { db }: Pick<Ports, 'db'>,
  appId: string,
  query: Static<typeof ApiRequestsQuery>,
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
