import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { v7 } from 'uuid'
import { createAuthorizer } from '../../src/access/rights/authorize.ts'
import type { Principal } from '../../src/core/principal.ts'
import { type RejectionCode, reject } from '../../src/core/rejection.ts'
import { RIGHTS } from '../../src/core/rights.ts'
import type { Limits } from '../../src/platform/http/limits.ts'
import type { Authorizer, Idempotency } from '../../src/platform/http/ports.ts'
import { rejectionsOf } from '../../src/platform/http/problems.ts'
import type { AnyRoute } from '../../src/platform/http/route.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { fieldsOf } from '../matrix/samples.ts'
import { makeTenant, type Tenant } from '../matrix/tenant.ts'
import { noteExercised } from '../support/exercised.ts'
import { createWorld, OPERATOR_KEY, type World } from '../support/world.ts'

/* Statuses that follow from what a route declares, tried on every route that declares them. */

let world: World
let tenant: Tenant
before(async () => {
  world = await createWorld()
  tenant = await makeTenant(world)
})
after(() => world?.close())

test('a caller without the right gets FORBIDDEN from every operation that declares it', async () => {
  // An operator without a second factor has no rights.
  const stranger: Principal = { kind: 'operator', name: 'nobody', role: 'MFA_REQUIRED' }
  const served = serveAs(stranger)
  const wrong: string[] = []
  for (const route of world.app.routes.filter(one => rejectionsOf(one).includes('FORBIDDEN'))) {
    const payload = route.body === undefined ? {} : { payload: fieldsOf(route.body, tenant.ids) }
    const { statusCode, body } = await served.inject({ method: route.method, url: addressOf(route), ...payload })
    if (statusCode !== 403) wrong.push(`${route.name}: ${statusCode} ${body}`)
  }
  await served.close()
  assert.deepEqual(wrong, [])
})

/** An app that sends too many requests. */
const APP: Principal = { kind: 'app', appId: 'app', organizationId: 'maker', grantId: 'grant' }
const NO_RATE = { ratePerApp: 1, burstPerApp: 0, ratePerAddress: 1, burstPerAddress: 0 }

for (const [code, { limits, headers }] of Object.entries({
  UNSUPPORTED_MEDIA_TYPE: { limits: {}, headers: { 'content-type': 'text/plain' } },
  PAYLOAD_TOO_LARGE: { limits: {}, headers: { 'content-type': 'application/json', 'content-length': '999999999' } },
  TOO_MANY_REQUESTS: { limits: NO_RATE, headers: {} },
} as const)) {
  test(`${code} is returned by every operation that declares it`, async () => {
    const served = serveAs(APP, { limits })
    const wrong: string[] = []
    const declaring = world.app.routes.filter(one => rejectionsOf(one).includes(code as RejectionCode))
    for (const route of declaring) {
      const payload = route.method === 'GET' ? {} : { payload: 'x' }
      const response = await served.inject({ method: route.method, url: addressOf(route), headers, ...payload })
      if (response.json().code !== code) wrong.push(`${route.name}: ${response.statusCode} ${response.body}`)
    }
    await served.close()
    assert.deepEqual(wrong, [])
    assert.ok(declaring.length > 20)
  })
}

/** These operations ask for a password or a code: accounts/repeat.test.ts tests them. */
const isAnswered = (route: AnyRoute) => route.operation !== 'account.manage'

test('a used key with another body is REQUEST_ID_DUPLICATE on every POST with a key and a token', async () => {
  const wrong: string[] = []
  const taking = world.app.routes.filter(one => rejectionsOf(one).includes('REQUEST_ID_DUPLICATE'))
  for (const route of taking.filter(isAnswered)) {
    const { bearer, session } = isForTerminals(route) ? atTerminal() : { bearer: OPERATOR_KEY, session: {} }
    const headers = { 'idempotency-key': randomUUID(), ...session }
    const sample = route.body === undefined ? {} : fieldsOf(route.body, tenant.ids)
    const first = await world.ask(bearer, 'POST', addressOf(route), { headers, body: sample })
    const body = { ...sample, another: 'body' }
    const second = await world.ask(bearer, 'POST', addressOf(route), { headers, body })
    if (second.body.code !== 'REQUEST_ID_DUPLICATE') wrong.push(`${route.name}: ${first.text} then ${second.text}`)
  }
  assert.deepEqual(wrong, [])
})

test('a repeat of a running request is REQUEST_IN_PROGRESS on every POST with a key', async () => {
  const anybody: Principal = { kind: 'operator', name: 'anybody', role: 'ADMIN' }
  const inProgress = async () => reject('REQUEST_IN_PROGRESS', 'Wait.', { retryAfterSeconds: 1 })
  const served = serveAs(anybody, {
    idempotency: {
      finish: async (_request, answer) => answer,
      find: inProgress,
      onceEach: async () => [await inProgress()],
    },
    authorizer: { authorize: async () => 'granted' },
  })
  const wrong: string[] = []
  const taking = world.app.routes.filter(one => rejectionsOf(one).includes('REQUEST_IN_PROGRESS'))
  for (const route of taking.filter(({ operation }) => operation === 'public' || operation === 'account.manage')) {
    const payload = route.body === undefined ? {} : { payload: fieldsOf(route.body, tenant.ids) }
    const headers = { 'idempotency-key': randomUUID() }
    const response = await served.inject({ method: route.method, url: addressOf(route), headers, ...payload })
    if (response.json().code !== 'REQUEST_IN_PROGRESS')
      wrong.push(`${route.name}: ${response.statusCode} ${response.body}`)
  }
  await served.close()
  assert.deepEqual(wrong, [])
})

test('an unknown business has no list of test clocks', async () => {
  const { status, body } = await world.ask(OPERATOR_KEY, 'GET', `/test-clocks?businessId=${v7()}`)
  assert.deepEqual([status, body.code], [404, 'BUSINESS_NOT_FOUND'])
})

interface Served {
  readonly limits: Partial<Limits>
  readonly idempotency: Idempotency
  readonly authorizer: Authorizer
}

/** Every route of the service, called by one kind of principal. */
function serveAs(principal: Principal, { limits = {}, ...ports }: Partial<Served> = {}): FastifyInstance {
  const served = createHttpServer({
    ...world.app.ports,
    routes: world.app.routes,
    authenticator: { authenticate: async () => principal },
    authorizer: createAuthorizer(world.app.ports),
    idempotency: {
      finish: async (_request, answer) => answer,
      find: async () => null,
      onceEach: () => assert.fail('got past authorization'),
    },
    auditor: { attribute: () => assert.fail('got past authorization') },
    ...ports,
    limits: { ratePerApp: 100_000, ratePerAddress: 100_000, ...limits },
  })
  noteExercised(served)
  return served
}

function isForTerminals({ operation }: AnyRoute): boolean {
  return RIGHTS[operation].terminal === 'own terminal'
}

function atTerminal() {
  const { terminalToken = '', userSession = '' } = tenant.ids
  return { bearer: terminalToken, session: { 'service-user-session': userSession } }
}

function addressOf(route: AnyRoute): string {
  const params = fieldsOf(route.params, { ...tenant.ids, packageName: tenant.ids.package ?? '' })
  const path = route.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))
  return `${path}?${new URLSearchParams(fieldsOf(route.query, tenant.ids) as Record<string, string>)}`
}
