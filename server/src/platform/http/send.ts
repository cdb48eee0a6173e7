import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { principalName } from '../../core/principal.ts'
import type { Rejection } from '../../core/rejection.ts'
import { describeError, rejectionOfError } from './faults.ts'
import { withOauthError } from './oauth-error.ts'
import { pageRejection } from './page-rejection.ts'
import { callerOf } from './request.ts'
import { sendPage } from './send-page.ts'
import { everyAnswerHeaders, rejectionAnswer, type WireAnswer } from './wire-answer.ts'

/** After each answer, for metrics. `route` is a path with its parameters' names, or `unmatched`. */
export type OnRequestDone = (route: string, method: string, status: number, seconds: number) => void

export function send(reply: FastifyReply, { status, headers, body, stream }: WireAnswer): FastifyReply {
  return (
    reply
      .code(status)
      .headers({ ...everyAnswerHeaders(reply.request.id), ...headers })
      // Null would be sent as the four letters of it.
      .send(stream ?? body ?? undefined)
  )
}

export function sendRejection(reply: FastifyReply, rejection: Rejection): FastifyReply {
  if (reply.request.isForPerson) return sendPage(reply, pageRejection(rejection, reply.request))
  const { id, routeOptions } = reply.request
  return send(reply, rejectionAnswer(withOauthError(routeOptions.config.route, rejection), id))
}

/** The caller learns a code and the request id; the log, under the same id, what it was. */
export function sendError(log: Logger, error: unknown, reply: FastifyReply): FastifyReply {
  const { id: requestId, method, routeOptions } = reply.request
  const rejection = rejectionOfError(error)
  const line = { requestId, method, route: routeOptions.url, ...describeError(error) }
  if (rejection.rejected === 'INTERNAL_ERROR') log.error(line, 'request failed')
  if (rejection.rejected === 'SERVICE_UNAVAILABLE') log.warn(line, 'database away')
  return sendRejection(reply, rejection)
}

/** One line a request: never a body, a token or an address with its query. */
export function recordDone(
  log: Logger,
  onRequestDone: OnRequestDone | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { id: requestId, method } = request
  const route = request.routeOptions.url ?? 'unmatched'
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const status = reply.statusCode
  log.info({ method, route, status, ms, requestId, principal: principalName(callerOf(request)) }, 'request')
  onRequestDone?.(route, method, status, reply.elapsedTime / 1000)
}
