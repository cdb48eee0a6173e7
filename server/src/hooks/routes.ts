import { findApp } from '../apps/store.ts'
import type { Hook } from '../core/hook.ts'
import { MAX_LIMIT, parseLimit } from '../core/page.ts'
import type { Principal } from '../core/principal.ts'
import { isRefusal } from '../core/refusal.ts'
import type { Subject } from '../core/rights.ts'
import type { Sql } from '../db/db.ts'
import { type AnyRoute, answer, route } from '../http/route.ts'
import { uuidOfUrn } from '../http/wire.ts'
import type { Ports } from '../ports.ts'
import { boundsOf } from './bounds.ts'
import { getHook, subjectOfHook } from './get.ts'
import { findHookHealth } from './health.ts'
import { registerHook } from './register.ts'
import { HookBody, HookJson, HookListJson, HookParams, HookQuery, hookToJson } from './schema.ts'
import { type HookFilter, listHooks } from './store.ts'

/** Registering and reading hooks. What touches the queue as well, as deleting does, is in notifications/routes.ts. */
export function hookRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/hooks',
      name: 'registerHook',
      operation: 'hooks.manage',
      summary: 'Register a hook; the same one again takes the new secret',
      body: HookBody,
      answers: { 200: HookJson, 201: HookJson },
      refusals: ['APPLICATION_NOT_FOUND', 'BUSINESS_NOT_FOUND', 'TOO_MANY_HOOKS'],
      // Decisions 1: clients repeat request ids here. Registering is idempotent by itself.
      idempotent: false,
      subject: ({ body, db }) => subjectOf(db.sql, uuidOfUrn(body.applicationId), body.businessId?.toLowerCase()),
      handle: async ({ body, principal, db }) => {
        const { applicationId, businessId, deliveryUrl, secret, eventTypes } = body
        const callerOf = boundsOf(principal).businessId
        const registered = await registerHook(
          { ...ports, db },
          {
            appId: uuidOfUrn(applicationId),
            ...(businessId === undefined ? {} : { businessId: businessId.toLowerCase() }),
            deliveryUrl,
            secret,
            eventTypes,
            ...(callerOf === undefined ? {} : { callerOf }),
          },
        )
        if (isRefusal(registered)) return registered
        return answer(registered.isNew ? 201 : 200, hookToJson(registered.hook))
      },
    }),
    route({
      method: 'GET',
      path: '/hooks',
      name: 'listHooks',
      operation: 'hooks.read',
      summary: 'List hooks, in the order in which they were made',
      query: HookQuery,
      answers: { 200: HookListJson },
      refusals: ['APPLICATION_NOT_FOUND'],
      subject: ({ query, principal }) => subjectOfList(principal, query),
      handle: async ({ query, principal, db }) => {
        const limit = parseLimit(query.limit, MAX_LIMIT)
        if (isRefusal(limit)) return limit
        const page = { limit: limit + 1, ...(query.after === undefined ? {} : { after: query.after }) }
        const found = await listHooks(db.sql, { ...filterOf(query), ...boundsOf(principal) }, page)
        const hooks = found.slice(0, limit)
        const last = found.length > limit ? hooks.at(-1) : undefined
        const next = last && nextLink(ports.settings.baseUrl, { ...query, after: last.hookId })
        return answer(200, { hooks: await shown(ports, db.sql, hooks), links: next ? [next] : [] })
      },
    }),
    route({
      method: 'GET',
      path: '/hooks/:hookId',
      name: 'getHook',
      operation: 'hooks.read',
      summary: 'Read a hook',
      params: HookParams,
      answers: { 200: HookJson },
      refusals: ['HOOK_NOT_FOUND'],
      subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
      handle: async ({ params, principal, db }) => {
        const hook = await getHook(db.sql, params.hookId, principal)
        if (isRefusal(hook)) return hook
        const [json] = await shown(ports, db.sql, [hook])
        return answer(200, json)
      },
    }),
  ]
}

async function shown({ clock }: Pick<Ports, 'clock'>, sql: Sql, hooks: readonly Hook[]) {
  const health = await findHookHealth(
    sql,
    hooks.map(({ hookId }) => hookId),
  )
  return hooks.map(hook => hookToJson(hook, { of: health.get(hook.hookId), now: clock.now() }))
}

/** The merchant that a new hook would listen to; the app's own organization is none. */
async function subjectOf(sql: Sql, appId: string, businessId: string | undefined): Promise<Subject> {
  if (businessId === undefined) return { appId }
  const app = await findApp(sql, appId)
  return businessId === app?.organizationId ? { appId } : { appId, businessId }
}

interface ListQuery {
  readonly applicationId?: string
  readonly businessId?: string
  readonly active?: string
}

function subjectOfList(principal: Principal, { applicationId, businessId }: ListQuery): Subject {
  const merchant = businessId?.toLowerCase()
  // For the operator and developers a business is only a filter: whose hooks they see is decided by the app.
  const asks = principal.kind === 'app' && (principal.businessId !== undefined || merchant !== principal.organizationId)
  return {
    ...(applicationId === undefined ? {} : { appId: uuidOfUrn(applicationId) }),
    ...(merchant !== undefined && asks ? { businessId: merchant } : {}),
    ...(principal.kind === 'developer' ? { organizationId: principal.organizationId } : {}),
  }
}

function filterOf({ applicationId, businessId, active }: ListQuery): HookFilter {
  return {
    ...(applicationId === undefined ? {} : { appId: uuidOfUrn(applicationId) }),
    ...(businessId === undefined ? {} : { listensTo: businessId.toLowerCase() }),
    ...(active === undefined ? {} : { active: active === 'true' }),
  }
}

function nextLink(baseUrl: string, query: Readonly<Record<string, string>>) {
  return { href: `${baseUrl}/hooks?${new URLSearchParams(query)}`, rel: 'next', method: 'GET' }
}
