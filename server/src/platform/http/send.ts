import type { Readable } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { principalName } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { GatewayUnreachable } from '../unreachable.ts'
import { errorPage } from '../web/error-page.ts'
import { ACCOUNT_PATH, navigationOf } from '../web/navigation.ts'
import { choosePageLanguage, inLanguage, type PageLanguage } from '../web/say.ts'
import type { Theme } from '../web/surroundings.ts'
import { printCookie } from './cookies.ts'
import { ownPath } from './links.ts'
import { type AnyPage, type Bytes, type PageAnswer, redirect, type Shown, shown } from './page.ts'
import type { Visit } from './page-server.ts'
import { PROBLEMS } from './problems.ts'
import { callerOf } from './request.ts'
import type { AnyRoute } from './route.ts'
import { rejectionOfValidation } from './schemas.ts'

/** Called after each answer, for metrics. `route` is the route's path with parameter names, or `unmatched`. */
export type OnRequestDone = (route: string, method: string, status: number, seconds: number) => void

/** A request that an app made with its token. */
export interface AppRequest {
  readonly appId: string
  readonly businessId?: string
  readonly businessUserId?: string
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

/** Called after each answer to an app, for the API log. */
export type OnAppRequest = (request: AppRequest) => void

export function send(reply: FastifyReply, { status, headers, body, stream }: WireAnswer): FastifyReply {
  return (
    reply
      .code(status)
      .headers({ ...everyAnswerHeaders(reply.request.id), ...headers })
      // Fastify would send null as text.
      .send(stream ?? body ?? undefined)
  )
}

export function sendRejection(reply: FastifyReply, rejection: Rejection): FastifyReply {
  const { request } = reply
  if (request.isForPerson) {
    return inLanguage(languageOfPage(request), () => sendPage(reply, pageRejection(rejection, request)))
  }
  const { id, routeOptions } = reply.request
  return send(reply, rejectionAnswer(withOauthError(routeOptions.config.route, rejection), id))
}

/** The caller gets a code and the request id. The log has the error under the same id. */
export function sendError(log: Logger, error: unknown, reply: FastifyReply): FastifyReply {
  const { id: requestId, method, routeOptions } = reply.request
  const rejection = rejectionOfError(error, reply.request)
  const line = { requestId, method, route: routeOptions.url, ...describeError(error) }
  if (rejection.rejected === 'INTERNAL_ERROR') log.error(line, 'request failed')
  if (rejection.rejected === 'SERVICE_UNAVAILABLE') log.warn(line, 'request rejected: a dependency is unavailable')
  return sendRejection(reply, rejection)
}

/** One line per request, without body, token and query string. */
export function recordDone(
  log: Logger,
  { onRequestDone, onAppRequest }: { onRequestDone?: OnRequestDone; onAppRequest?: OnAppRequest },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { id: requestId, method } = request
  const route = request.routeOptions.url ?? 'unmatched'
  const ms = Math.round(reply.elapsedTime * 10) / 10
  const status = reply.statusCode
  const caller = callerOf(request)
  log.info({ method, route, status, ms, requestId, principal: principalName(caller) }, 'request')
  if (onAppRequest !== undefined && caller.kind === 'app') {
    const { appId, businessId, user } = caller
    const by = { appId, ...(businessId && { businessId }), ...(user && { businessUserId: user.businessUserId }) }
    onAppRequest({ ...by, requestId, method, route, status, durationMs: Math.round(ms) })
  }
  onRequestDone?.(route, method, status, reply.elapsedTime / 1000)
}

/** A response as sent and as stored for an idempotency key, without the common headers. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Replaces the body of an answer that is not stored. */
  readonly stream?: Readable
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Interface, Versioning: "`api-version` with value `1.2`". Decisions 1: an unknown value is served as 1.2. */
const API_VERSION = '1.2'

/** Headers of every answer. No cache may store an answer, since some contain secrets. */
export function everyAnswerHeaders(requestId: string): Record<string, string> {
  return {
    ...{ 'service-request-id': requestId, 'api-version': API_VERSION, 'cache-control': 'no-store' },
    // JSON and CSV contain text of other people. No browser may treat such text as a page.
    'x-content-type-options': 'nosniff',
  }
}

/** Decisions 1: every status from 400 up has this body. */
export function rejectionAnswer(rejection: Rejection, requestId: string): WireAnswer {
  const { status, message } = PROBLEMS[rejection.rejected]
  const body = {
    code: rejection.rejected,
    httpStatus: status,
    message,
    developerMessage: rejection.developerMessage,
    requestId,
    ...(rejection.fields && { fields: rejection.fields }),
    // RFC 6749, 5.2.
    ...(rejection.oauthError && { error: rejection.oauthError, error_description: rejection.developerMessage }),
  }
  return {
    status,
    headers: { 'content-type': JSON_TYPE, ...rejectionHeaders(rejection, status) },
    body: JSON.stringify(body),
  }
}

function internalError(): Rejection {
  return reject(
    'INTERNAL_ERROR',
    'The error was logged under the requestId. Repeat the request later; repeat a POST with the same request id.',
  )
}

function rejectionHeaders(rejection: Rejection, status: number): Record<string, string> {
  return {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(rejection.retryAfterSeconds !== undefined && { 'retry-after': String(rejection.retryAfterSeconds) }),
  }
}

/**
 * Decisions 2: "Token errors add RFC 6749 `error`". Every rejection of a route with forms gets the field, unless the use case has set it.
 * RFC 6749, 5.2 names errors of the client, and 4.1.2.1 names errors of the server.
 */
export function withOauthError(route: AnyRoute | undefined, rejection: Rejection): Rejection {
  return route?.accepts === 'form'
    ? { oauthError: wordOf(PROBLEMS[rejection.rejected].status), ...rejection }
    : rejection
}

function wordOf(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** The rejection for a thrown error: an invalid request, an unavailable dependency, or a bug. */
function rejectionOfError(error: unknown, { routeOptions }: FastifyRequest): Rejection {
  const { code, message, validation, validationContext } = (error ?? {}) as Partial<FastifyError>
  // Node's error for a caller that disconnected while sending.
  if (code === 'ECONNRESET' && message === 'aborted') return reject('INVALID_REQUEST', 'The request was cut off.')
  if (validation !== undefined) return rejectionOfValidation(validation, validationContext)
  if (isDatabaseUnavailable(error)) {
    return reject('SERVICE_UNAVAILABLE', 'The database is unavailable. Repeat the request with the same request id.', {
      retryAfterSeconds: 1,
    })
  }
  if (error instanceof GatewayUnreachable) {
    return reject(
      'SERVICE_UNAVAILABLE',
      'The payment gateway is unavailable. Repeat the request with the same request id.',
      {
        retryAfterSeconds: 5,
      },
    )
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return reject('PAYLOAD_TOO_LARGE', `Send a body of at most ${Number(routeOptions.bodyLimit) / 1_024} KiB.`)
  }
  return code === undefined ? internalError() : (FRAMEWORK_ERRORS[code] ?? internalError())
}

/** An error as the log may show it, without the detail of a database error and without values of the request. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, message, stack, cause } = error
  return {
    ...{ error: name, message, stack },
    ...('code' in error && { code: error.code }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

const badLength = reject('INVALID_REQUEST', 'The body is not as long as its Content-Length.')
const badUrl = reject('INVALID_URL_PATTERN', 'Percent-encode the path as RFC 3986 says.')

const FRAMEWORK_ERRORS: Readonly<Record<string, Rejection>> = {
  FST_ERR_BAD_URL: badUrl,
  FST_ERR_MAX_PARAM_LENGTH: reject('RESOURCE_NOT_FOUND', 'A part of the path is too long.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: reject('UNSUPPORTED_MEDIA_TYPE', 'Send Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: badLength,
}

/** The language of pages for this request. */
export function languageOfPage({ visit, headers }: Pick<FastifyRequest, 'visit' | 'headers'>): PageLanguage {
  return choosePageLanguage(visit?.session?.person.language, headers['accept-language'])
}

/** Sends a page, its cookies, and the cookies of its forms. */
export function sendPage(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  const { id, visit, routeOptions } = reply.request
  const mayBeFramed = routeOptions.config.page?.mayBeFramed
  const wishes = { ...('html' in answer ? answer : {}), ...(mayBeFramed && { mayBeFramed }) }
  const headers = { ...everyAnswerHeaders(id), ...pageHeaders(wishes) }
  reply.headers(headers)
  if (visit !== null) {
    const cookies = [...visit.newCookies, ...(('cookies' in answer && answer.cookies) || [])]
    for (const cookie of cookies) reply.header('set-cookie', printCookie(cookie, visit.isSecure))
  }
  if ('location' in answer) return reply.code(303).header('location', answer.location).send()
  if ('content' in answer) return sendBytes(reply, answer)
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .header('content-type', 'text/html; charset=utf-8')
    .send(answer.html(reply.request.server.brand()).text)
}

function sendBytes(reply: FastifyReply, { type, content, filename }: Bytes): FastifyReply {
  if (filename !== undefined) reply.header('content-disposition', dispositionOf(filename))
  return reply.code(200).header('content-type', type).send(content)
}

/** RFC 6266, 4.3: the full name in UTF-8, and an ASCII name for old browsers. */
function dispositionOf(filename: string): string {
  const plain = filename.replace(/[^A-Za-z0-9._ -]/g, '_')
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

type Wishes = Pick<Shown, 'formAction' | 'sources'> & Pick<AnyPage, 'mayBeFramed'>

/** Headers of every page, in addition to those of every answer. */
function pageHeaders(wishes: Wishes = {}): Record<string, string> {
  return {
    'content-security-policy': policyOf(wishes),
    'x-frame-options': wishes.mayBeFramed ? 'SAMEORIGIN' : 'DENY',
    'x-content-type-options': 'nosniff',
    // With `no-referrer` browsers would send the origin `null` with our own forms.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** No inline code, no origin beside those that the page names, and framing by our own pages only, if allowed. */
function policyOf({ formAction = [], sources = {}, mayBeFramed }: Wishes): string {
  const directives: readonly (readonly string[])[] = [
    ['default-src', "'none'"],
    ['style-src', "'self'"],
    ['script-src', "'self'", ...(sources['script-src'] ?? [])],
    ['img-src', "'self'", 'data:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...(sources['connect-src'] ?? [])],
    ...(sources['frame-src'] ? [['frame-src', ...sources['frame-src']]] : []),
    ['form-action', "'self'", ...new Set(formAction.map(originOf).filter(isPlain))],
    ['base-uri', "'none'"],
    ['frame-ancestors', mayBeFramed ? "'self'" : "'none'"],
  ]
  return directives.map(words => words.join(' ')).join('; ')
}

/** The origin, or the scheme of a URL without an origin, such as one of a phone app. */
function originOf(url: string): string {
  const { origin, protocol } = new URL(url)
  return origin === 'null' ? protocol : origin
}

/** A host may contain `;`, which would start another directive. */
function isPlain(origin: string): boolean {
  return /^[a-z0-9+.:/[\]-]+$/i.test(origin)
}

/** The sign-in page. Its parameter `next` is the page after signing in. */
export const SIGN_IN_PATH = '/sign-in'

/** A rejection for a person: an error page, or a redirect to the sign-in page. */
export function pageRejection(rejection: Rejection, request: FastifyRequest): PageAnswer {
  const { visit } = request
  if (rejection.rejected === 'INVALID_ACCESS_TOKEN' && visit?.session == null) {
    return redirect(`${SIGN_IN_PATH}?next=${encodeURIComponent(nextOf(request))}`)
  }
  // The account page asks an operator for the second factor that every other page needs.
  const principal = visit?.session?.principal
  const needsSecondFactor = principal?.kind === 'operator' && principal.role === 'MFA_REQUIRED'
  if (rejection.rejected === 'FORBIDDEN' && needsSecondFactor) return redirect(ACCOUNT_PATH)
  const { status, message } = PROBLEMS[rejection.rejected]
  const signedIn = visit?.session ? { ...visit.session, csrf: visit.csrf() } : null
  const links = principal ? navigationOf(principal, '') : []
  const theme = visit ? themeOf(visit) : undefined
  const html = errorPage({ status, message, requestId: request.id, signedIn, links, theme })
  return shown(html, { status, headers: rejectionHeaders(rejection, status) })
}

/** The person's choice. Undefined: as the reader's machine is. */
export function themeOf({ cookies }: Pick<Visit, 'cookies'>): Theme | undefined {
  const theme = cookies.read('theme')
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

/** The requested page, or the page of a posted form. */
function nextOf({ method, url, headers }: FastifyRequest): string {
  if (method === 'GET' || method === 'HEAD') return ownPath(url) ?? '/'
  const from = URL.parse(headers.referer ?? '')
  return (from !== null && from.host === headers.host && ownPath(`${from.pathname}${from.search}`)) || '/'
}
