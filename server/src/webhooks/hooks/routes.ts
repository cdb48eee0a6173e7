import type { Static } from 'typebox'
import { toTimestamp } from '../../core/calendar.ts'
import { given } from '../../core/given.ts'
import type { Hook } from '../../core/hook.ts'
import { listed, MAX_LIMIT, parseLimit } from '../../core/page.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Subject } from '../../core/rights.ts'
import type { Sql } from '../../platform/db/db.ts'
import { nextLinks } from '../../platform/http/next-link.ts'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { uuidOfUrn } from '../../platform/http/wire.ts'
import type { Ports } from '../../ports.ts'
import { boundsOf, getHook, subjectOfHook } from './get.ts'
import { findHookHealth } from './health.ts'
import { findHookHours, parseHours } from './hours.ts'
import { type HookFilter, listHooks } from './list.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  HookHealthQuery,
  HookHoursJson,
  HookJson,
  HookListJson,
  HookParams,
  HookQuery,
  hookHoursToJson,
  hookToJson,
  NewSecret,
  RotatedSecretJson,
} from './schema.ts'

/** Routes that read hooks. Routes that change the queue are in notifications/routes.ts. */
export function hookRoutes(ports: Ports): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/hooks',
      name: 'listHooks',
      operation: 'hooks.read',
      summary: 'List hooks in order of creation',
      query: HookQuery,
      answers: { 200: HookListJson },
      rejections: ['APPLICATION_NOT_FOUND'],
      subject: ({ query, principal }) => subjectOfList(principal, query),
      handle: async ({ query, principal, db }) => {
        const limit = parseLimit(query.limit, MAX_LIMIT)
        if (isRejection(limit)) return limit
        const page = given({ limit: limit + 1, after: query.after })
        const found = await listHooks(db.sql, { ...filterOf(query), ...boundsOf(principal) }, page)
        const { items, next } = listed(found, limit, ({ hookId }) => hookId)
        const links = nextLinks(`${ports.settings.baseUrl}/hooks`, { ...query }, { limit }, next)
        return answer(200, { hooks: await shown(ports, db.sql, items), links })
      },
    }),
    route({
      method: 'GET',
      path: '/hooks/:hookId',
      name: 'getHook',
      operation: 'hooks.read',
      summary: 'Get a hook',
      params: HookParams,
      answers: { 200: HookJson },
      rejections: ['HOOK_NOT_FOUND'],
      subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
      handle: async ({ params, principal, db }) => {
        const hook = await getHook(db.sql, params.hookId, principal)
        if (isRejection(hook)) return hook
        const [json] = await shown(ports, db.sql, [hook])
        return answer(200, json)
      },
    }),
    route({
      method: 'GET',
      path: '/hooks/:hookId/health',
      name: 'getHookHealth',
      operation: 'hooks.read',
      summary:
        'Get the attempts of a hook by hour and outcome, with p50 and p95 of their durations, for the last 48 hours',
      params: HookParams,
      query: HookHealthQuery,
      answers: { 200: HookHoursJson },
      rejections: ['HOOK_NOT_FOUND'],
      subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
      handle: async ({ params, query, principal, db }) => {
        const span = parseHours(query, ports.clock.now())
        if (isRejection(span)) return span
        const hook = await getHook(db.sql, params.hookId, principal)
        if (isRejection(hook)) return hook
        return answer(200, hookHoursToJson(hook.hookId, await findHookHours(db.sql, hook.hookId, span)))
      },
    }),
    route({
      method: 'POST',
      path: '/hooks/:hookId/rotate-secret',
      name: 'rotateHookSecret',
      operation: 'hooks.manage',
      summary: 'Rotate the secret of a hook. For 24 hours deliveries carry the signatures of both secrets',
      params: HookParams,
      body: NewSecret,
      answers: { 200: RotatedSecretJson },
      rejections: ['HOOK_NOT_FOUND'],
      subject: ({ params, principal, db }) => subjectOfHook(db.sql, params.hookId, principal),
      handle: async ({ params, body, principal, db }) => {
        const hook = await getHook(db.sql, params.hookId, principal)
        const rotated = isRejection(hook) ? hook : await rotateSecret({ ...ports, db }, hook.hookId, body.secret)
        if (isRejection(rotated)) return rotated
        const [json] = await shown(ports, db.sql, [rotated.hook])
        const { hook: after, secret, previousUntil } = rotated
        const previousSecretUntil = toTimestamp(previousUntil)
        return answer(200, { ...hookToJson(after), ...json, secret, previousSecretUntil })
      },
    }),
  ]
}

async function shown({ clock }: Pick<Ports, 'clock'>, sql: Sql, hooks: readonly Hook[]) {
  const ids = hooks.map(({ hookId }) => hookId)
  const health = await findHookHealth(sql, ids)
  return hooks.map(hook => hookToJson(hook, { of: health.get(hook.hookId), now: clock.now() }))
}

function subjectOfList(principal: Principal, { applicationId, businessId }: Static<typeof HookQuery>): Subject {
  const merchant = businessId?.toLowerCase()
  // For the operator and developers a business is only a filter: whose hooks they see is decided by the app.
  const asks = principal.kind === 'app' && (principal.businessId !== undefined || merchant !== principal.organizationId)
  return given({
    appId: applicationId && uuidOfUrn(applicationId),
    businessId: asks ? merchant : undefined,
    organizationId: principal.kind === 'developer' ? principal.organizationId : undefined,
  })
}

function filterOf({ applicationId, businessId, active }: Static<typeof HookQuery>): HookFilter {
  return given({
    appId: applicationId && uuidOfUrn(applicationId),
    listensTo: businessId?.toLowerCase(),
    active: active === undefined ? undefined : active === 'true',
  })
}
