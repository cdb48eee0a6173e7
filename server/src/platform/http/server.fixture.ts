import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Type } from 'typebox'
import { noteExercised } from '../../../test/support/exercised.ts'
import { assert } from '../../core/assert.ts'
import { reject } from '../../core/rejection.ts'
import type { Db } from '../db/db.ts'
import type { Authenticator, Authorizer } from './ports.ts'
import { type AnyRoute, answer, route } from './route.ts'
import { createHttpServer, type HttpOptions } from './server.ts'
import { AppUrn, Text, Uuid } from './wire.ts'

export const APP_ID = '018f0000-0000-7000-8000-00000000000a'
export const OTHER_APP_ID = '018f0000-0000-7000-8000-00000000000b'

/** Tokens of the tests: `app <id>`, `operator`. */
const authenticator: Authenticator = {
  async authenticate(authorization) {
    const [kind, id] = authorization?.replace(/^bearer /i, '').split('-of-') ?? []
    if (kind === 'operator') return { kind: 'operator', role: 'ADMIN', name: 'test' }
    if (kind === 'app' && id) return { kind: 'app', appId: id, organizationId: 'o', grantId: 'g' }
    return reject('INVALID_ACCESS_TOKEN', 'Send a token.')
  },
}

/** An app has the right to its own subject. */
const authorizer: Authorizer = {
  async authorize(principal, _operation, { appId }) {
    if (principal.kind === 'app' && appId !== undefined && appId !== principal.appId) {
      return reject('FORBIDDEN', 'Another app.')
    }
    return 'granted'
  },
}

/** No database: the routes of these tests use none. */
export const noDb: Db = {
  get sql(): never {
    throw new Error('no database in this test')
  },
  transaction: () => Promise.reject(new Error('no database in this test')),
}

export interface Line {
  readonly msg: string
  readonly requestId?: string
  readonly [key: string]: unknown
}

export function testServer(routes: readonly AnyRoute[], options: Partial<HttpOptions> = {}) {
  const lines: Line[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  let ids = 0
  const app = createHttpServer({
    routes,
    authenticator,
    authorizer,
    idempotency: {
      finish: async (_request, answer) => answer,
      find: async () => null,
      onceEach: async (requests, work) => [...(await work(noDb, [...requests.keys()]))],
    },
    auditor: { attribute: async () => {} },
    db: noDb,
    clock: { now: () => new Date() },
    newId: () => `made-${++ids}`,
    log: pino(sink),
    ...options,
  })
  noteExercised(app, 'edge.')
  return { app, lines }
}

const Amount = Type.Object({
  country: Type.String({ minLength: 2, maxLength: 2 }),
  value: Type.Integer({ minimum: 0 }),
})
const Definition = Type.Object({
  name: Text(20),
  interval: Type.Optional(Type.Union([Type.Literal('DAY'), Type.Literal('MONTH')])),
  amounts: Type.Optional(Type.Array(Amount, { maxItems: 3 })),
})

/** One route of each kind. `seen` collects the calls of the handlers. */
export function sampleRoutes(seen: unknown[] = []): AnyRoute[] {
  const params = Type.Object({ appId: AppUrn })
  const plans = Type.Object({ plans: Type.Array(Definition), when: Type.Optional(Type.String()) })
  return [
    route({
      method: 'POST',
      path: '/apps/:appId/plans',
      name: 'addPlans',
      operation: 'apps.manage',
      summary: '',
      params,
      body: plans,
      answers: { 201: Type.Object({ plans: Type.Array(Definition), when: Type.Optional(Type.String()) }) },
      subject: call => ({ appId: call.params.appId.slice('urn:aid:'.length) }),
      handle: async call => {
        seen.push(call.body)
        return answer(201, { plans: call.body.plans.map(({ name }) => ({ name })) }, { location: '/made' })
      },
    }),
    route({
      method: 'GET',
      path: '/apps/:appId/plans',
      name: 'listPlans',
      operation: 'plans.read',
      summary: '',
      params,
      query: Type.Object({ count: Type.Optional(Type.String({ pattern: '^\\d{1,4}$' })), id: Type.Optional(Uuid) }),
      answers: { 200: Type.Object({ count: Type.Optional(Type.String()) }) },
      handle: async call => {
        seen.push(call.query)
        return answer(200, { ...(call.query.count !== undefined && { count: call.query.count }) })
      },
    }),
    route({
      method: 'DELETE',
      path: '/hooks/:hookId',
      name: 'deleteHook',
      operation: 'hooks.manage',
      summary: '',
      params: Type.Object({ hookId: Uuid }),
      answers: { 204: null },
      handle: async () => answer(204),
    }),
    route({
      method: 'POST',
      path: '/token',
      name: 'issueToken',
      rejections: ['INVALID_ASSERTION'],
      operation: 'public',
      summary: '',
      accepts: 'form',
      idempotent: false,
      body: Type.Object({ grantType: Type.String() }),
      answers: { 200: Type.Object({ grantType: Type.String() }) },
      handle: async call =>
        call.body.grantType === 'good'
          ? answer(200, { grantType: 'good' })
          : reject('INVALID_ASSERTION', 'jti was used.', { oauthError: 'invalid_grant' }),
    }),
    route({
      method: 'GET',
      path: '/metrics',
      name: 'getMetrics',
      contentType: 'text/plain',
      operation: 'public',
      summary: '',
      answers: { 200: null },
      handle: async call => {
        seen.push(call.principal)
        return { status: 200, text: { type: 'text/plain; version=0.0.4', content: 'up 1\n' } }
      },
    }),
  ]
}

/** A public route with this handler. */
export function routeThat(handle: AnyRoute['handle'], answers: AnyRoute['answers'] = { 200: null }): AnyRoute {
  assert(typeof handle === 'function', 'a route does something')
  const known = { path: '/it', name: 'getIt', operation: 'public', summary: '' } as const
  return route({ ...known, method: 'GET', answers, rejections: ['TEST_CLOCK_ADVANCING'], handle })
}
