import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'
import type { Grouping } from './group.ts'
import { createLimiter, type Limits } from './limits.ts'
import type { Actor, AnyPage, PageAnswer, PageCall } from './page.ts'
import type { PageServer } from './page-server.ts'
import { createPathTable, overlappingPaths } from './paths.ts'
import {
  type AuditAction,
  type Auditor,
  type Authenticator,
  type Authorizer,
  auditedDb,
  type Idempotency,
  idempotencyKeyOf,
  nameOf,
  PROVISIONAL,
} from './ports.ts'
import { rejectionsOf } from './problems.ts'
import { callerOf, isNavigation } from './request.ts'
import type { Answer, AnyRoute, Call, UploadedFile } from './route.ts'
import { JSON_TYPE, rejectionAnswer, type WireAnswer, withOauthError } from './send.ts'
import { withLowerCaseIds } from './wire.ts'

export interface AdmissionOptions {
  readonly routes: readonly AnyRoute[]
  readonly authenticator: Authenticator
  readonly clock: Clock
  readonly limits?: Partial<Limits>
}

/** The pages, and the session of a page's visitor. */
type PageAdmission = Pick<PageServer, 'pages' | 'visit'>

/** The checks before the body is read: path, caller, rate. */
export interface Admission {
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Rejection | null>
  /** Replaces a rejection by 429 for an address whose signatures fail too often. */
  rejectionFor(request: FastifyRequest, rejection: Rejection): Rejection
  /** Rejects every later request. */
  close(): void
  readonly closing: boolean
}

export function createAdmission(
  { routes, authenticator, clock, limits = {} }: AdmissionOptions,
  pageServer: PageAdmission,
): Admission {
  const methodsAt = createPathTable([...routes, ...pageServer.pages])
  const methodsOfRoutesAt = createPathTable(routes)
  const overlapping = overlappingPaths([...routes, ...pageServer.pages].map(({ path }) => path))
  const limiter = createLimiter(limits, clock)
  let closing = false

  const rejectUnmatched = async (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsAt(request.url)
    // A GET to the address of a form, or to a mistyped address, comes from a person's browser and gets a page.
    const isOfPage = methods.length > methodsOfRoutesAt(request.url).length
    const isMistyped = methods.length === 0 && isNavigation(request)
    request.isForPerson = SAFE_METHODS.has(request.method) && (isOfPage || isMistyped)
    // A signed-in person keeps the navigation and the search.
    if (request.isForPerson) await pageServer.visit({ signIn: 'optional' }, request)
    if (methods.length === 0) return reject('RESOURCE_NOT_FOUND', 'No resource exists at this path.')
    reply.header('allow', methods.join(', '))
    return reject('METHOD_NOT_ALLOWED', `This path allows ${methods.join(', ')}.`)
  }

  /** The router falls through from `POST …/redeliver` to `GET …/:deliveryId`. The more specific path decides. */
  const isShadowed = ({ url, method, routeOptions: { config } }: FastifyRequest): boolean =>
    overlapping.has((config.route ?? config.page)?.path ?? '') && !methodsAt(url).includes(method)

  return {
    async admit(request, reply) {
      const { route, page, isAsset } = request.routeOptions.config
      request.isForPerson = page !== undefined
      if (closing)
        return reject('SERVICE_UNAVAILABLE', 'This process is stopping. Repeat the request.', { retryAfterSeconds: 1 })
      // RFC 9112, 3.2: 400 for an HTTP/1.1 request without a Host header, and for every request with more than one.
      const hosts = request.raw.rawHeaders.filter(
        (text, index) => index % 2 === 0 && text.toLowerCase() === 'host',
      ).length
      if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
        return reject('INVALID_REQUEST', 'Send one Host header.')
      }
      if (isAsset) return null
      if (isShadowed(request)) return rejectUnmatched(request, reply)
      if (page !== undefined) {
        const visit = await pageServer.visit(page, request)
        if (isRejection(visit)) return visit
        return limiter.limit(
          { ...page, operation: visit.session ? page.operation : 'public' },
          callerOf(request),
          request.ip,
        )
      }
      if (route === undefined) return rejectUnmatched(request, reply)
      ignoreTypeOfEmptyBody(request)
      if (route.operation !== 'public') {
        const session = request.headers['service-user-session']
        const userSession = typeof session === 'string' ? session : undefined
        const caller = await authenticator.authenticate(request.headers.authorization, userSession)
        // Only rejected tokens count against the rate, because each rejected token costs a database query.
        if (isRejection(caller)) return limiter.limitStranger(request.ip) ?? caller
        request.caller = caller
      }
      return limiter.limit(route, callerOf(request), request.ip)
    },
    rejectionFor({ routeOptions: { config }, ip }, rejection) {
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

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/** Decisions 1: "A JSON content type on an empty DELETE is fine." Any type is fine for an empty body. */
function ignoreTypeOfEmptyBody({ raw: { headers } }: FastifyRequest): void {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (isEmpty) delete headers['content-type']
}

export interface PerformPorts {
  readonly authorizer: Authorizer
  readonly idempotency: Idempotency
  readonly auditor: Auditor
  readonly db: Db
  readonly newId: NewId
  readonly group: Grouping
  /** In tests, a response that violates its schema and an undeclared rejection are bugs. */
  readonly checkAnswers: boolean
  readonly rejectionFor: Admission['rejectionFor']
}

/** Answers a validated request: subject → authorize → idempotency → audit → handle. */
export async function perform(
  ports: PerformPorts,
  route: AnyRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<WireAnswer> {
  const principal = callerOf(request)
  const rejected = (rejection: Rejection) => {
    if (ports.checkAnswers) assertDeclared(route, rejection)
    return rejectionAnswer(withOauthError(route, ports.rejectionFor(request, rejection)), request.id)
  }
  const write = (result: Answer | Rejection) =>
    isRejection(result) ? rejected(result) : wireAnswer(route, result, reply, ports.checkAnswers)
  const asked = callOf(route, request, ports.db)

  const subject = (await route.subject?.(asked)) ?? {}
  if (isRejection(subject)) return rejected(subject)
  const operation = await grantedOperation(ports, route, principal, subject)
  if (isRejection(operation)) return rejected(operation)
  const call = { ...asked, operation }

  // A GET changes nothing, so it needs no stored response and no audit entry.
  if (route.method === 'GET' && route.prepare === undefined) return write(await handle(route, call))

  const file = await request.openUpload?.receive()
  if (isRejection(file)) return rejected(file)
  try {
    return await change(ports, route, request, { ...call, ...(file && { file }) }, { rejected, write })
  } finally {
    await file?.close()
  }
}

/** The route's operation, or the route's `orElse` if the caller lacks the right to the operation. */
async function grantedOperation(
  { authorizer }: PerformPorts,
  { operation, orElse }: AnyRoute,
  principal: Principal,
  subject: Subject,
): Promise<Operation | Rejection> {
  if (operation === 'public') return operation
  const right = await authorizer.authorize(principal, operation, subject)
  if (!isRejection(right)) return operation
  if (orElse === undefined || right.rejected !== 'FORBIDDEN') return right
  return isRejection(await authorizer.authorize(principal, orElse, subject)) ? right : orElse
}

interface Answering {
  rejected(rejection: Rejection): WireAnswer
  write(result: Answer | Rejection): WireAnswer
}

/** For an authorized caller: idempotency → audit → handle. */
async function change(
  ports: PerformPorts,
  route: AnyRoute,
  request: FastifyRequest,
  call: Call<unknown, unknown, unknown>,
  { rejected, write }: Answering,
): Promise<WireAnswer> {
  const key = idempotencyKeyOf(route, request.headers)
  if (isRejection(key)) return rejected(key)
  const keyed = {
    principal: call.principal,
    method: route.method,
    path: route.path,
    params: request.params,
    key: key ?? ports.newId(),
    body: Buffer.concat([call.bytes, ...namesOf(call.file)]),
  }
  const named = { ...call, once: nameOf(keyed) }
  // A stored response needs no `prepare`, so a repeated request succeeds while the gateway is unavailable.
  const before = key !== undefined && route.prepare !== undefined ? await ports.idempotency.find(keyed) : null
  if (before !== null) return isRejection(before) ? rejected(before) : before
  const prepared = await route.prepare?.(named)
  if (isRejection(prepared)) {
    // A concurrent request with the same key may have finished first. Return its stored response.
    const meanwhile = key === undefined ? null : await ports.idempotency.find(keyed)
    return meanwhile === null || isRejection(meanwhile) ? rejected(prepared) : meanwhile
  }
  if (route.handleGroup !== undefined) {
    const grouped = await ports.group(route, { call: named, keyed: key === undefined ? null : keyed, write })
    return isRejection(grouped) ? rejected(grouped) : grouped
  }
  const act = actionOf(route, request, call.operation)
  if (key === undefined) {
    const db = act === null ? ports.db : auditedDb(ports.db, ports.auditor, act)
    const answered = await handle(route, { ...named, db, prepared })
    const awaited = !isRejection(answered) && answered.status === route.follows
    return write(awaited && route.follow ? await route.follow(named, answered) : answered)
  }
  let isHandled = false
  const [kept] = await ports.idempotency.onceEach([keyed], async db => {
    if (act !== null) await ports.auditor.attribute(db, act)
    isHandled = true
    const answer = write(await handle(route, { ...named, db, prepared }))
    return [answer.status === route.follows ? { ...answer, status: PROVISIONAL } : answer]
  })
  assert(kept, 'one request has one answer')
  if (!isHandled) await route.unprepare?.(named)
  if (!isRejection(kept) && kept.status === PROVISIONAL && route.follow && route.follows !== undefined) {
    const awaited = { status: route.follows, body: JSON.parse(kept.body ?? '{}') }
    const final = await ports.idempotency.finish(keyed, write(await route.follow(named, awaited)))
    return isRejection(final) ? rejected(final) : final
  }
  return isRejection(kept) ? rejected(kept) : kept
}

function handle(route: AnyRoute, call: Call<unknown, unknown, unknown>): Promise<Answer | Rejection> {
  assert(route.handle, `${route.method} ${route.path} has no handler`)
  return route.handle(call)
}

/** The part of the idempotency key that identifies a file. */
function namesOf(file: UploadedFile | undefined): Buffer[] {
  return file === undefined ? [] : [Buffer.from(`\0${file.sha256} ${file.contentType}`)]
}

function callOf({ operation }: AnyRoute, request: FastifyRequest, db: Db): Call<unknown, unknown, unknown> {
  return {
    params: request.params,
    query: request.query,
    body: request.body,
    headers: request.headers,
    bytes: request.bodyBytes ?? Buffer.alloc(0),
    principal: callerOf(request),
    operation,
    requestId: request.id,
    address: request.ip,
    db,
    once: '',
  }
}

function assertDeclared(route: AnyRoute, { rejected, developerMessage }: Rejection): void {
  const { method, path } = route
  assert(
    rejectionsOf(route).includes(rejected),
    `${method} ${path}: ${rejected} is not a declared rejection: ${developerMessage}`,
  )
}

/** Null for requests without audit entries. */
function actionOf(route: AnyRoute, request: FastifyRequest, operation: Operation): AuditAction | null {
  if (route.method === 'GET' || route.audited === false) return null
  const { method, path } = route
  return { principal: callerOf(request), operation, method, path, requestId: request.id }
}

/** `image/*` matches every image type. */
function isDeclared({ contentType = '' }: AnyRoute, type: string): boolean {
  return contentType.endsWith('/*') ? type.startsWith(contentType.slice(0, -1)) : type === contentType
}

function wireAnswer(route: AnyRoute, answer: Answer, reply: FastifyReply, checkAnswers: boolean): WireAnswer {
  const { status, body, headers = {}, text, stream } = answer
  const name = `${route.method} ${route.path} ${status}`
  assert(status in route.answers, `${name}: not a declared answer`)
  if (text !== undefined) {
    assert(route.contentType && text.type.startsWith(route.contentType), `${name}: not the declared content type`)
    return { status, headers: { ...headers, 'content-type': text.type }, body: text.content }
  }
  if (stream !== undefined) {
    assert(isDeclared(route, stream.type), `${name}: not the declared content type`)
    const { type, size, chunks } = stream
    const length = { 'content-type': type, ...(size !== undefined && { 'content-length': String(size) }) }
    const readable = chunks instanceof Readable ? chunks : Readable.from(chunks)
    return { status, headers: { ...headers, ...length }, body: null, stream: readable }
  }
  if (body === undefined) {
    assert(route.answers[status] === null, `${name}: the response lacks its declared body`)
    return { status, headers, body: null }
  }
  const serialize = reply.getSerializationFunction(String(status))
  assert(serialize, `${name}: the response has an undeclared body`)
  const json = String(serialize(body as Record<string, unknown>))
  if (checkAnswers) {
    const meant: unknown = JSON.parse(JSON.stringify(body))
    assert(isDeepStrictEqual(JSON.parse(json), meant), `${name}: the schema drops or changes a value of the body`)
  }
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: json }
}

export type PagePorts = Pick<PerformPorts, 'authorizer' | 'auditor' | 'db'>

/** Answers a validated request for a page: subject → authorize → audit → handle. */
export async function performPage(
  ports: PagePorts,
  page: AnyPage,
  request: FastifyRequest,
): Promise<PageAnswer | Rejection> {
  const actor = { principal: callerOf(request), operation: page.operation }
  const call = pageCallOf(ports, page, request, actor)
  const subject = (await page.subject?.(call)) ?? {}
  if (isRejection(subject)) return subject
  if (page.operation !== 'public') {
    const right = await ports.authorizer.authorize(call.principal, page.operation, subject)
    if (isRejection(right)) return right
  }
  const file = await request.openUpload?.receive()
  if (isRejection(file)) return file
  try {
    return await page.handle(file ? pageCallOf(ports, page, request, actor, file) : call)
  } finally {
    await file?.close()
  }
}

function databaseOf({ db, auditor }: PagePorts, page: AnyPage, request: FastifyRequest, actor: Actor): Db {
  const { method, path } = page
  if (method === 'GET' || page.audited === false) return db
  return auditedDb(db, auditor, { ...actor, method, path, requestId: request.id })
}

function pageCallOf(
  ports: PagePorts,
  page: AnyPage,
  request: FastifyRequest,
  actor: Actor,
  file?: UploadedFile,
): PageCall {
  const { visit } = request
  assert(visit !== null, 'a page is performed after its admission')
  return {
    params: withLowerCaseIds(page.params, request.params),
    query: withLowerCaseIds(page.query, request.query),
    form: withLowerCaseIds(page.form, request.body),
    principal: actor.principal,
    session: visit.session,
    get csrf() {
      return visit.csrf()
    },
    brand: request.server.brand(),
    cookies: visit.cookies,
    headers: request.headers,
    requestId: request.id,
    address: request.ip,
    db: databaseOf(ports, page, request, actor),
    ...(file && { file }),
    as: another => pageCallOf(ports, page, request, another, file),
  }
}
