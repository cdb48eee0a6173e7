import { given } from '../../core/given.ts'
import { locationOfCaller, type Principal } from '../../core/principal.ts'
import { isRejection, reject } from '../../core/rejection.ts'
import { type AnyRoute, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import { EVENT_STREAM, StreamHeaders, StreamMessage, StreamParams, StreamQuery } from './schema.ts'
import type { EventStreams } from './streams.ts'

export function eventStreamRoutes({ streams }: { readonly streams: EventStreams }): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/apps/:appId/events/stream',
      name: 'streamEvents',
      operation: 'deliveries.read',
      summary: 'Stream the events of an app as server-sent events, without a hook',
      params: StreamParams,
      query: StreamQuery,
      headers: StreamHeaders,
      contentType: EVENT_STREAM,
      sends: ['X-Accel-Buffering'],
      answers: { 200: StreamMessage },
      rejections: ['APPLICATION_NOT_FOUND', 'TOO_MANY_REQUESTS'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: async ({ params, query, headers, principal }) => {
        if (hasLocation(principal)) {
          return reject(
            'FORBIDDEN',
            'A token for a store or a terminal cannot read event streams. Use a token of the app.',
          )
        }
        const lastId = headers['last-event-id']
        const after = typeof lastId === 'string' ? lastId : query.after
        const businessId = principal.kind === 'app' ? principal.businessId : undefined
        const isLive = String(headers.accept ?? '').includes(EVENT_STREAM)
        const of = given({ appIds: [uuidOfUrn(params.appId)], businessId })
        const chunks = await streams.open(of, given({ after, isLive }))
        return isRejection(chunks) ? chunks : { status: 200, stream: { type: EVENT_STREAM, chunks } }
      },
    }),
  ]
}

function hasLocation(principal: Principal): boolean {
  if (principal.kind !== 'app') return false
  const { storeId, deviceId } = locationOfCaller(principal)
  return storeId !== undefined || deviceId !== undefined
}
