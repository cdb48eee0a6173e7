import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isForTerminals } from '../../src/platform/http/problems.ts'
import type { AnyRoute } from '../../src/platform/http/route.ts'
import { everythingOf } from '../matrix/everything.ts'
import { createProber, nameOf, turnOf } from '../matrix/probe.ts'
import { makeTenant, reveals, type Tenant } from '../matrix/tenant.ts'
import { type Answer, createWorld, type World } from '../support/world.ts'
import { makeCaller } from './callers.ts'
import { CALLERS, type CallerName, type Expected, expectedOf } from './table.ts'

/*
 * Every route of the service with every kind of caller: each gets what the table of decisions 3 gives it, and is told
 * nothing of another tenant.
 */

let world: World
let other: Tenant
let routes: readonly AnyRoute[]
before(async () => {
  world = await createWorld()
  other = await makeTenant(world)
  // /metrics takes a token of its own: runtime/operations tests who gets it.
  routes = world.app.routes.filter(({ path }) => path !== '/metrics').sort((a, b) => turnOf(a) - turnOf(b))
})
after(() => world?.close())

for (const name of Object.keys(CALLERS) as CallerName[]) {
  test(`${name} gets the result of the table of rights on every route, and no data of another tenant`, async () => {
    const { tenant, bearer, headers, secrets } = await makeCaller(name, { world, other })
    const mayChange = routes.some(
      route => route.method !== 'GET' && route.operation !== 'account.manage' && expectedOf(name, route) === 'granted',
    )
    const before = mayChange ? null : await everythingOf(world, tenant)
    const prober = createProber(world)
    for (const route of routes) {
      const expected = expectedOf(name, route)
      const answer = await prober.send(route, name, {
        ids: tenant.ids,
        bearer,
        headers: (isForTerminals(route) && headers) || {},
      })
      prober.expect(isAsExpected(expected, answer), route, `${name} (${expected})`, answer)
      const leaked = secrets.filter(secret => reveals(answer.text, secret))
      prober.expect(leaked.length === 0, route, `${name} gets ${leaked}`, answer)
    }
    assert.deepEqual(prober.faults, [])
    assert.equal(prober.sent, routes.length)
    if (before !== null) assert.deepEqual(await everythingOf(world, tenant), before, 'something was changed')
  })
}

test('an amount is found as a word of its own, not inside another number', () => {
  for (const text of ['{"value":73190000}', '73190000', 'a 73190000,', '[1,73190000]'])
    assert.ok(reveals(text, '73190000'))
  for (const text of ['0.00073190000', '173190000', '731900001', '0-73190000', '73190000.5']) {
    assert.equal(reveals(text, '73190000'), false, text)
  }
  assert.ok(reveals('of-quince0-x', 'quince0-x'))
})

test('the table has a caller for each column, and each operation of a route has its row', () => {
  const columns = new Set(Object.values(CALLERS).map(({ column }) => column))
  assert.deepEqual([...columns].map(String).sort(), [
    'app',
    'appOfBusiness',
    'developer',
    'merchant',
    'null',
    'operator',
    'terminal',
  ])
  for (const route of routes) assert.doesNotThrow(() => expectedOf('the operator', route), nameOf(route))
})

function isAsExpected(expected: Expected, { status, body }: Answer): boolean {
  const isMissing = status === 404 && String(body.code).endsWith('_NOT_FOUND')
  const isForbidden = status === 403 && body.code === 'FORBIDDEN'
  switch (expected) {
    case 'granted':
      // A caller who may sign in gets INVALID_PASSCODE.
      return status < 300 || status === 409 || body.code === 'INVALID_PASSCODE'
    case 'public':
      return status !== 403 && body.code !== 'INVALID_ACCESS_TOKEN'
    case 'unauthenticated':
      return status === 401 && body.code === 'INVALID_ACCESS_TOKEN'
    case 'forbidden':
      return isForbidden
    case 'not found':
      return isMissing
    case 'forbidden or not found':
      return isForbidden || isMissing
  }
}
