import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../support/world.ts'

/** POSTs without an idempotency key, each with a reason. Decisions 1 exempts /token and /hooks. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  issueToken: 'decisions 1: clients repeat ids; an assertion and a code work only once anyway',
  revokeToken: 'decisions 1: clients repeat ids; what is revoked stays so',
  registerHook: 'decisions 1: clients repeat ids; the same hook again is the hook there is',
  receiveGatewayEvent: 'the gateway has its own ids of events, and sends no request ids',
  reportOrderEvents: 'each event has its own id',
  startDeviceLogin: 'a repeat gets another code, and one that nobody approves ends after 15 minutes',
  pollDeviceLogin: 'RFC 8628: the device polls, and an approved login is given out once',
  signIn:
    'a token that signs somebody in is kept nowhere; a repeat signs in once more, and the session without a reader ends by idleness',
  signInAtTerminal: 'as signIn',
  issueUserToken: 'each is a new one, and a kept one might be over, or its user gone',
  previewPlanChange: 'it changes nothing, and returns the current state',
  advanceTestClock: 'many transactions of its own; a repeat finds the clock there already, or under way',
  rotateSigningKey: 'a repeat finds the rotation under way, and gives that one’s key',
}

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

test('every POST takes an idempotency key, except the listed ones', () => {
  const without = world.app.routes.filter(({ method, idempotent }) => method === 'POST' && idempotent === false)
  assert.deepEqual(without.map(({ name }) => name).sort(), Object.keys(WITHOUT_KEY).sort())
})
