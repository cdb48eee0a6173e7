import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Authenticator } from './auth.ts'
import { createLimiter, type Limits } from './limits.ts'
import type { PageServer } from './page-server.ts'
import { createPathTable } from './paths.ts'
import { callerOf } from './request.ts'
import type { AnyRoute } from './route.ts'

export interface AdmissionOptions {
  readonly routes: readonly AnyRoute[]
  readonly authenticator: Authenticator
  readonly clock: Clock
  readonly limits?: Partial<Limits>
}

/** Of which pages there are, and who visits them. */
type PageAdmission = Pick<PageServer, 'pages' | 'visit'>

/** What is refused before a byte of a body is read: nothing at the address, nobody we know, too many requests. */
export interface Admission {
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Rejection | null>
  /** What is told of a rejection: to a stranger who is refused too often, that. */
  told(request: FastifyRequest, rejection: Rejection): Rejection
  /** From now on every new request is refused. */
  close(): void
  readonly closing: boolean
}

export function createAdmission(
  { routes, authenticator, clock, limits = {} }: AdmissionOptions,
  pageServer: PageAdmission,
): Admission {
  const methodsAt = createPathTable([...routes, ...pageServer.pages])
  const methodsOfRoutesAt = createPathTable(routes)
  const limiter = createLimiter(limits, clock)
  let closing = false

  const refuseUnmatched = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsAt(request.url)
    // A person opened by its address what is only ever posted to.
    request.isForPerson = READING.has(request.method) && methods.length > methodsOfRoutesAt(request.url).length
    if (methods.length === 0) return reject('RESOURCE_NOT_FOUND', 'There is nothing at this path.')
    reply.header('allow', methods.join(', '))
    return reject('METHOD_NOT_ALLOWED', `At this path: ${methods.join(', ')}.`)
  }

  return {
    async admit(request, reply) {
      const { route, page, isAsset } = request.routeOptions.config
      request.isForPerson = page !== undefined
      if (closing)
        return reject('SERVICE_UNAVAILABLE', 'This process is stopping. Repeat it.', { retryAfterSeconds: 1 })
      // RFC 9112, 3.2: 400 for an HTTP/1.1 request without a Host header, and for every request with more than one.
      const hosts = request.raw.rawHeaders.filter(
        (text, index) => index % 2 === 0 && text.toLowerCase() === 'host',
      ).length
      if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
        return reject('INVALID_REQUEST', 'Send one Host header.')
      }
      if (isAsset) return null
      if (page !== undefined) {
        const visit = await pageServer.visit(page, request)
        if (isRejection(visit)) return visit
        return limiter.limit(
          { ...page, operation: visit.session ? page.operation : 'public' },
          callerOf(request),
          request.ip,
        )
      }
      if (route === undefined) return refuseUnmatched(request, reply)
      forgetTypeOfNothing(request)
      if (route.operation !== 'public') {
        const session = request.headers['service-user-session']
        const userSession = typeof session === 'string' ? session : undefined
        const caller = await authenticator.authenticate(request.headers.authorization, userSession)
        // Guessing tokens costs a look at the database each; who has a good one pays nothing for it.
        if (isRejection(caller)) return limiter.limitStranger(request.ip) ?? caller
        request.caller = caller
      }
      return limiter.limit(route, callerOf(request), request.ip)
    },
    told({ routeOptions: { config }, ip }, rejection) {
      return (config.route?.signed && limiter.limitStranger(ip)) || rejection
    },
    close() {
      closing = true
    },
    get closing() {
      return closing
    },
  }
}

const READING = new Set(['GET', 'HEAD'])

/** Decisions 1: "A JSON content type on an empty DELETE is fine." Any type of nothing is. */
function forgetTypeOfNothing({ raw: { headers } }: FastifyRequest): void {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (isEmpty) delete headers['content-type']
}
