import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Post } from '../../platform/egress/post.ts'
import { recordNotifications } from '../notifications/record.ts'
import type { Notices, Told } from './notices.ts'
import { attemptsOf, progressOf, until } from './sender.fixture.ts'

const MANY = 6
/** Up to which it opens, and what is under way beside the last of them. */
const FAILING = 8

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside, hook_health`)

const failing: Post = async () => ({ kind: 'answered', httpStatus: 500, answer: '', durationMs: 1 })

/**
 * Two processes: of what the one has handed off to it, one attempt is held by the listener and the rest waits in its memory; what the other
 * one sends fails, and it tells the first.
 */
async function twoProcesses(t: TestContext) {
  const held: ServerResponse[] = []
  const listener = await openListener(t, (_got, response) => void held.push(response))
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const heard: { by?: (told: Told) => void } = {}
  const told: Partial<Told>[] = []
  const notices = (of: Partial<Notices>): Notices => ({ announce() {}, listen() {}, close: async () => {}, ...of })
  const one = webhooks.sender({
    ...{ maxUnderWayPerHook: 1, freshForMs: 3_600_000 },
    notices: notices({ listen: onNotice => void Object.assign(heard, { by: onNotice }) }),
  })
  one.start()
  t.after(() => one.stop())
  const announce = (given: Partial<Told> = {}) => {
    told.push(given)
    heard.by?.({ changed: [], left: [], parked: [], ...given })
  }
  const other = webhooks.sender({ post: failing, notices: notices({ announce }) })
  const events = Array.from({ length: MANY }, () => billingEvent(webhooks, app))
  await webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, handOff: one }, events))
  await until(async () => held.length === 1 && one.state().waiting === MANY - 1)
  return { ...{ app, hookId, listener, held, one, other, told } }
}

test('what waits in the memory of a process is given back as soon as another one has opened the breaker of its hook', async t => {
  const { app, hookId, listener, held, one, other } = await twoProcesses(t)
  await webhooks.record(...Array.from({ length: FAILING }, () => billingEvent(webhooks, app)))
  await other.runOnce()
  assert.equal(one.state().waiting, 0)
  const leased = async () => (await progressOf(webhooks, hookId)).filter(({ leaseId }) => leaseId !== null).length
  await until(async () => (await leased()) === 1)

  held[0]?.writeHead(500).end()
  await until(async () => (await leased()) === 0)
  one.wake()
  assert.equal(listener.received.length, 1)

  listener.reply = 200
  webhooks.pass(5_000)
  one.wake()
  const firstOnes = async () => (await attemptsOf(webhooks, hookId)).filter(attempt => attempt === '1 200').length
  await until(async () => (await firstOnes()) === MANY - 1)
})

test('a breaker is told of once, when it opens: not by what fails while it is open, nor when a probe fails', async t => {
  const { app, hookId, other, told } = await twoProcesses(t)
  await webhooks.record(...Array.from({ length: FAILING }, () => billingEvent(webhooks, app)))
  await other.runOnce()
  webhooks.pass(5_000)
  await other.runOnce()
  assert.ok((await attemptsOf(webhooks, hookId)).length > FAILING, 'a probe was made')
  assert.deepEqual(told, [{ parked: [hookId] }])
})
