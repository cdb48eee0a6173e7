import { isRejection } from '../../core/rejection.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { endingNotFound } from './ending.ts'
import { EndingAppParams, EndingBody, EndingJson, EndingParams, endingToJson } from './schema.ts'
import { startEnding } from './start.ts'
import { findEnding } from './store.ts'

export function endingRoutes(ports: Pick<Ports, 'db' | 'clock' | 'newId'>): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/apps/:appId/endings',
      name: 'endAppSubscriptions',
      operation: 'subscriptions.end',
      summary: 'End all subscriptions of a disabled app, in the background',
      params: EndingAppParams,
      body: EndingBody,
      answers: { 202: EndingJson },
      rejections: ['APPLICATION_NOT_FOUND', 'APPLICATION_NOT_DISABLED', 'ENDING_IN_PROGRESS'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: async ({ params, body: { refundUnused }, db }) => {
        const job = await startEnding({ ...ports, db }, { appId: uuidOfUrn(params.appId), refundUnused })
        return isRejection(job) ? job : answer(202, endingToJson(job))
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/endings/:endingId',
      name: 'getAppEnding',
      operation: 'operations.read',
      summary: 'Get the progress of ending all subscriptions of an app',
      params: EndingParams,
      answers: { 200: EndingJson },
      rejections: ['RESOURCE_NOT_FOUND'],
      subject: ({ params }) => ({ appId: uuidOfUrn(params.appId) }),
      handle: async ({ params, db }) => {
        const job = await findEnding(db.sql, params.endingId.toLowerCase())
        return job?.appId === uuidOfUrn(params.appId) ? answer(200, endingToJson(job)) : endingNotFound()
      },
    }),
  ]
}
