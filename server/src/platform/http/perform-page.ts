import type { FastifyRequest } from 'fastify'
import { assert } from '../../core/assert.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Db } from '../db/db.ts'
import { type Auditor, attributed } from './audit.ts'
import type { Authorizer } from './auth.ts'
import type { Actor, AnyPage, PageAnswer, PageCall } from './page.ts'
import { callerOf } from './request.ts'

export interface PagePorts {
  readonly authorizer: Authorizer
  readonly auditor: Auditor
  readonly db: Db
}

/** From a request that fits its schemas, and a form that is ours, to an answer: subject → authorize → audit → handle. */
export async function performPage(
  ports: PagePorts,
  page: AnyPage,
  request: FastifyRequest,
): Promise<PageAnswer | Rejection> {
  const call = callOf(ports, page, request, { principal: callerOf(request), operation: page.operation })
  const subject = (await page.subject?.(call)) ?? {}
  if (isRejection(subject)) return subject
  if (page.operation !== 'public') {
    const right = await ports.authorizer.authorize(call.principal, page.operation, subject)
    if (isRejection(right)) return right
  }
  return page.handle(call)
}

function databaseOf({ db, auditor }: PagePorts, page: AnyPage, request: FastifyRequest, actor: Actor): Db {
  const { method, path } = page
  if (method === 'GET' || page.audited === false) return db
  return attributed(db, auditor, { ...actor, method, path, requestId: request.id })
}

function callOf(
  ports: PagePorts,
  page: AnyPage,
  request: FastifyRequest,
  actor: Actor,
): PageCall<unknown, unknown, unknown> {
  const { visit } = request
  assert(visit !== null, 'a page is performed after its admission')
  return {
    params: request.params,
    query: request.query,
    form: request.body ?? {},
    principal: actor.principal,
    session: visit.session,
    get csrf() {
      return visit.csrf()
    },
    cookies: visit.cookies,
    headers: request.headers,
    requestId: request.id,
    address: request.ip,
    db: databaseOf(ports, page, request, actor),
    as: another => callOf(ports, page, request, another),
  }
}
