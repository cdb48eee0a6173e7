import type { FastifyRequest } from 'fastify'
import { assert } from '../core/assert.ts'
import { isRefusal, type Refusal } from '../core/refusal.ts'
import type { Db } from '../db/db.ts'
import { type Auditor, attributed } from './audit.ts'
import type { Authorizer } from './auth.ts'
import type { AnyPage, PageAnswer, PageCall } from './page.ts'
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
): Promise<PageAnswer | Refusal> {
  const call = callOf(request, databaseOf(ports, page, request))
  const subject = (await page.subject?.(call)) ?? {}
  if (isRefusal(subject)) return subject
  if (page.operation !== 'public') {
    const right = await ports.authorizer.authorize(call.principal, page.operation, subject)
    if (isRefusal(right)) return right
  }
  return page.handle(call)
}

function databaseOf({ db, auditor }: PagePorts, page: AnyPage, request: FastifyRequest): Db {
  const { method, path, operation } = page
  if (method === 'GET' || page.audited === false) return db
  return attributed(db, auditor, { principal: callerOf(request), operation, method, path, requestId: request.id })
}

function callOf(request: FastifyRequest, db: Db): PageCall<unknown, unknown, unknown> {
  const { visit } = request
  assert(visit !== null, 'a page is performed after its admission')
  return {
    params: request.params,
    query: request.query,
    form: request.body ?? {},
    principal: callerOf(request),
    session: visit.session,
    get csrf() {
      return visit.csrf()
    },
    cookies: visit.cookies,
    headers: request.headers,
    requestId: request.id,
    address: request.ip,
    db,
  }
}
