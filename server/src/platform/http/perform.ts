import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { assert } from '../../core/assert.ts'
import type { NewId } from '../../core/id.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../db/db.ts'
import type { Admission } from './admission.ts'
import { type Act, type Auditor, attributed } from './audit.ts'
import type { Authorizer } from './auth.ts'
import { type Idempotency, idempotencyKeyOf, nameOf } from './idempotency.ts'
import { withOauthError } from './oauth-error.ts'
import { rejectionsOf } from './rejections.ts'
import { callerOf } from './request.ts'
import type { Answer, AnyRoute, Call, UploadedFile } from './route.ts'
import { JSON_TYPE, rejectionAnswer, type WireAnswer } from './wire-answer.ts'

export interface PerformPorts {
  readonly authorizer: Authorizer
  readonly idempotency: Idempotency
  readonly auditor: Auditor
  readonly db: Db
  readonly newId: NewId
  /** Compares each answer with its schema and each rejection with those declared: what does not agree is a bug. Costs time. */
  readonly checkAnswers: boolean
  readonly told: Admission['told']
}

/** From a request that fits its schemas to the bytes of its answer: subject → authorize → idempotency → audit → handle. */
export async function perform(
  ports: PerformPorts,
  route: AnyRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<WireAnswer> {
  const principal = callerOf(request)
  const refused = (rejection: Rejection) => {
    if (ports.checkAnswers) assertDeclared(route, rejection)
    return rejectionAnswer(withOauthError(route, ports.told(request, rejection)), request.id)
  }
  const write = (result: Answer | Rejection) =>
    isRejection(result) ? refused(result) : wireAnswer(route, result, reply, ports.checkAnswers)
  const asked = callOf(route, request, ports.db)

  const subject = (await route.subject?.(asked)) ?? {}
  if (isRejection(subject)) return refused(subject)
  const operation = await grantedOperation(ports, route, principal, subject)
  if (isRejection(operation)) return refused(operation)
  const call = { ...asked, operation }

  // Nothing is changed, so nothing is kept or named.
  if (route.method === 'GET' && route.prepare === undefined) return write(await route.handle(call))

  const file = await request.openUpload?.receive()
  if (isRejection(file)) return refused(file)
  try {
    return await change(ports, route, request, { ...call, ...(file && { file }) }, { refused, write })
  } finally {
    await file?.close()
  }
}

/** The route's own operation; where the caller may not do that, what there is instead. */
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
  refused(rejection: Rejection): WireAnswer
  write(result: Answer | Rejection): WireAnswer
}

/** Of a caller with the right to it: idempotency → audit → handle. */
async function change(
  ports: PerformPorts,
  route: AnyRoute,
  request: FastifyRequest,
  call: Call<unknown, unknown, unknown>,
  { refused, write }: Answering,
): Promise<WireAnswer> {
  const key = idempotencyKeyOf(route, request.headers)
  if (isRejection(key)) return refused(key)
  const keyed = {
    principal: call.principal,
    method: route.method,
    path: route.path,
    params: request.params,
    key: key ?? ports.newId(),
    body: Buffer.concat([call.bytes, ...namesOf(call.file)]),
  }
  const named = { ...call, once: nameOf(keyed) }
  // What was answered is answered again also while what `prepare` asks is away.
  const before = key !== undefined && route.prepare !== undefined ? await ports.idempotency.find(keyed) : null
  if (before !== null) return isRejection(before) ? refused(before) : before
  const prepared = await route.prepare?.(named)
  if (isRejection(prepared)) {
    // The same request, sent twice at once, may have been answered meanwhile: what is refused now is that it came again.
    const meanwhile = key === undefined ? null : await ports.idempotency.find(keyed)
    return meanwhile === null || isRejection(meanwhile) ? refused(prepared) : meanwhile
  }
  const act = actOf(route, request, call.operation)
  if (key === undefined) {
    const db = act === null ? ports.db : attributed(ports.db, ports.auditor, act)
    return write(await route.handle({ ...named, db, prepared }))
  }
  let isHandled = false
  const kept = await ports.idempotency.once(keyed, async db => {
    isHandled = true
    if (act !== null) await ports.auditor.attribute(db, act)
    return write(await route.handle({ ...named, db, prepared }))
  })
  if (!isHandled) await route.unprepare?.(named)
  return isRejection(kept) ? refused(kept) : kept
}

/** What makes a file another one, for an idempotency key. */
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

function assertDeclared(route: AnyRoute, { rejected: refused, developerMessage }: Rejection): void {
  const { method, path } = route
  assert(
    rejectionsOf(route).includes(refused),
    `${method} ${path}: ${refused} is no declared rejection: ${developerMessage}`,
  )
}

/** Null where nothing is changed, or nothing that is recorded. */
function actOf(route: AnyRoute, request: FastifyRequest, operation: Operation): Act | null {
  if (route.method === 'GET' || route.audited === false) return null
  const { method, path } = route
  return { principal: callerOf(request), operation, method, path, requestId: request.id }
}

/** `image/*` stands for each kind of picture. */
function isDeclared({ contentType = '' }: AnyRoute, type: string): boolean {
  return contentType.endsWith('/*') ? type.startsWith(contentType.slice(0, -1)) : type === contentType
}

function wireAnswer(route: AnyRoute, answer: Answer, reply: FastifyReply, checkAnswers: boolean): WireAnswer {
  const { status, body, json: written, headers = {}, text, stream } = answer
  const name = `${route.method} ${route.path} ${status}`
  assert(status in route.answers, `${name}: not a declared answer`)
  if (text !== undefined) {
    assert(route.contentType && text.type.startsWith(route.contentType), `${name}: not the declared content type`)
    return { status, headers: { ...headers, 'content-type': text.type }, body: text.content }
  }
  if (stream !== undefined) {
    assert(isDeclared(route, stream.type), `${name}: not the declared content type`)
    const length = { 'content-type': stream.type, 'content-length': String(stream.size) }
    return { status, headers: { ...headers, ...length }, body: null, stream: Readable.from(stream.chunks) }
  }
  if (body === undefined && written === undefined) {
    assert(route.answers[status] === null, `${name}: an answer without its body`)
    return { status, headers, body: null }
  }
  const serialize = reply.getSerializationFunction(String(status))
  assert(serialize, `${name}: a body where none is declared`)
  if (written !== undefined) {
    if (checkAnswers) assert(serialize(JSON.parse(written)) === written, `${name}: not as its schema writes it`)
    return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: written }
  }
  const json = String(serialize(body as Record<string, unknown>))
  if (checkAnswers) {
    const meant: unknown = JSON.parse(JSON.stringify(body))
    assert(isDeepStrictEqual(JSON.parse(json), meant), `${name}: the schema drops or changes a value of the body`)
  }
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: json }
}
