import { Type } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { AppUrn, DECLARED, Instant, Link, ListLimit, Text, Timestamp, Uuid } from '../http/wire.ts'
import type { ApiRequest } from './store.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const RequestsPath = Type.Object({ appId: AppUrn })

export const ApiRequestsQuery = Type.Object({
  method: Type.Optional(Type.Enum(METHODS)),
  httpStatus: Type.Optional(
    Type.String({
      pattern: '^[1-5](\\d\\d|xx)$',
      description: 'status or class of statuses, such as 4xx',
      [DECLARED]: { type: 'string', pattern: '^[1-5](\\d\\d|xx)$' },
    }),
  ),
  requestId: Type.Optional(Text(128)),
  startAt: Type.Optional(Instant),
  endAt: Type.Optional(Instant),
  limit: Type.Optional(ListLimit),
  after: Type.Optional(Uuid),
})

export const ApiRequestJson = Type.Object({
  at: Timestamp,
  requestId: Type.String(),
  method: Type.String(),
  route: Type.String({ description: 'The path with parameter names' }),
  status: Type.Integer(),
  durationMs: Type.Integer(),
  businessId: Type.Optional(Uuid),
  businessUserId: Type.Optional(Uuid),
})

export const ApiRequestListJson = Type.Object({ requests: Type.Array(ApiRequestJson), links: Type.Array(Link) })

export function apiRequestToJson({ apiRequestId: _, appId: __, at, ...request }: ApiRequest) {
  return { at: toTimestamp(at), ...request }
}
