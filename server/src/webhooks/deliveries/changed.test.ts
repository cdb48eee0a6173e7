import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, type TestContext, test } from 'node:test'
import { v7 } from 'uuid'
import {
  ALL_ORDERS,
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { createRevocations } from '../../access/tokens/revocations.ts'
import type { Event } from '../../core/event.ts'
import { signHmacSha1 } from '../../core/signature.ts'
import type { HandOff } from '../../ports.ts'
import { deleteHook } from '../notifications/delete-hook.ts'
import { recordNotifications } from '../notifications/record.ts'
import { registerHook } from '../notifications/register-hook.ts'
import { revokeApproval } from '../notifications/revoke-approval.ts'
import { changeHook } from '../redeliveries/change-hook.ts'
import { createChanged } from './changed.ts'
import type { Notices, Told } from './notices.ts'
import { outcomesOf, until } from './sender.fixture.ts'
import { createSender, type Sender, type SenderOptions } from './sender.ts'

const MANY = 6
/** So that only what is told of a change reaches what waits in memory. */
const FRESH_FOR_MS = 3_600_000

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

function started(t: TestContext, options: Partial<SenderOptions> = {}): Sender {
  const sender = webhooks.sender({ maxUnderWayPerHook: 1, freshForMs: FRESH_FOR_MS, ...options })
  sender.start()
  t.after(() => sender.stop())
  return sender
}

const withHandOff = (handOff: HandOff) => ({
  ...webhooks.ports,
  handOff,
  revocations: createRevocations(webhooks.now()),
})

/** One attempt of a hook is held by its listener, and the others wait in the memory of the sender. */
async function waitingInMemory(t: TestContext, sender: Sender, eventOf = billingEvent) {
  const held: ServerResponse[] = []
  const listener = await openListener(t, (_got, response) => void held.push(response))
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const events = Array.from({ length: MANY }, () => eventOf(webhooks, app))
  await webhooks.db.transaction(tx => recordNotifications(tx, withHandOff(sender), events))
  await until(async () => held.length === 1)
  assert.equal(sender.state().waiting, MANY - 1)
  const release = () => {
    listener.reply = 200
    held[0]?.writeHead(200).end()
  }
  const change = { appId: app.uuid, hookId }
  return { ...app, listener, hookId, change, release }
}

const CHANGES: readonly [
  what: string,
  (of: Awaited<ReturnType<typeof waitingInMemory>>, handOff: HandOff) => Promise<unknown>,
][] = [
  ['changed', ({ change }, handOff) => changeHook(withHandOff(handOff), change, { secret: 'newer' })],
  [
    'registered again',
    ({ uuid: appId, listener }, handOff) =>
      registerHook(withHandOff(handOff), {
        ...{ appId, deliveryUrl: listener.url, secret: 'newer' },
        eventTypes: [START, 'APPLICATION_SUBSCRIPTION_END', ...ALL_ORDERS],
      }),
  ],
]

for (const [what, act] of CHANGES) {
  test(`what waits in memory is signed with the secret that its hook has since it was ${what}`, async t => {
    const sender = started(t)
    const hook = await waitingInMemory(t, sender)
    await act(hook, sender)
    hook.release()
    await until(async () => (await outcomesOf(webhooks, hook.hookId)).length === MANY)
    const signatures = hook.listener.received.map(({ headers }) => headers['service-webhook-signature'])
    const secrets = ['shhh', ...Array(MANY - 1).fill('newer')]
    assert.deepEqual(
      signatures,
      hook.listener.received.map(({ text }, place) => signHmacSha1(secrets[place], text)),
    )
    assert.equal(new Set(hook.listener.received.map(({ body }) => body.id)).size, MANY)
  })
}

const ENDS: readonly [
  what: string,
  reason: string,
  (of: Awaited<ReturnType<typeof waitingInMemory>>, handOff: HandOff) => Promise<unknown>,
][] = [
  ['its hook was deleted', 'hook_deleted', ({ hookId }, handOff) => deleteHook(withHandOff(handOff), hookId)],
  [
    'its merchant revoked',
    'approval_revoked',
    ({ uuid: appId, businessId }, handOff) => revokeApproval(withHandOff(handOff), { appId, businessId }),
  ],
]

for (const [what, reason, act] of ENDS) {
  test(`nothing that waits in memory is sent once ${what}`, async t => {
    const sender = started(t)
    const orderOf = (_: Webhooks, { businessId }: { businessId: string }): Event => ({
      ...{ eventType: 'ORDER_OPENED', businessId, storeId: v7(), deviceId: v7(), resourceId: v7() },
      ...{ resourceSeq: 1, occurredAt: webhooks.now() },
    })
    const hook = await waitingInMemory(t, sender, orderOf)
    await act(hook, sender)
    assert.equal(sender.state().waiting, 0)
    hook.release()
    await sender.stop()
    assert.equal(hook.listener.received.length, 1)
    const ended = await outcomesOf(webhooks, hook.hookId)
    assert.deepEqual(ended.toSorted(), [...Array(MANY - 1).fill(`ERRORED ${reason} 0`), `ERRORED ${reason} 1`])
  })
}

test('another process is told of the change, and sends nothing of what it had read before', async t => {
  const heard: { by?: (told: Told) => void } = {}
  const one: Notices = {
    announce: told => heard.by?.({ changed: [], left: [], parked: [], ...told }),
    listen() {},
    close: async () => {},
  }
  const other: Notices = {
    announce() {},
    listen: onNotice => void Object.assign(heard, { by: onNotice }),
    close: async () => {},
  }
  const sender = started(t, { notices: other })
  const hook = await waitingInMemory(t, sender)
  await changeHook(withHandOff(webhooks.sender({ notices: one })), hook.change, { active: false })
  assert.equal(sender.state().waiting, 0)
  hook.release()
  await until(async () => (await outcomesOf(webhooks, hook.hookId)).length === 1)
  assert.equal(hook.listener.received.length, 1)
})

test('what is recorded by a transaction that began before the change is sent as the hook is after it', async t => {
  const sender = started(t)
  const [old, moved] = [await openListener(t), await openListener(t)]
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: old.url })
  await webhooks.db.transaction(async tx => {
    await recordNotifications(tx, withHandOff(sender), [billingEvent(webhooks, app)])
    await changeHook(withHandOff(sender), { appId: app.uuid, hookId }, { secret: 'newer', deliveryUrl: moved.url })
  })
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 1)
  assert.deepEqual([old.received.length, sender.state().handedOff], [0, 1])
  const [got] = moved.received
  assert.equal(got?.headers['service-webhook-signature'], signHmacSha1('newer', got?.text ?? ''))
})

test('what a claim has read before the change is claimed anew', async t => {
  const listener = await openListener(t)
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  const { vault } = webhooks.ports
  // Opened once: in between the claim and the attempt.
  const openText: typeof vault.openText = (...sealed) => {
    sender.forget([hookId])
    return vault.openText(...sealed)
  }
  const sender = createSender({ ...webhooks.ports, vault: { ...vault, openText } }, { version: '0.0.0-test' })
  await sender.runOnce()
  assert.equal(listener.received.length, 0)
  await until(async () => (await sender.runOnce()) === 1)
  assert.equal(listener.received.length, 1)
})

test('a change counts for what was read before it, of that hook alone, and is forgotten after some minutes', () => {
  let nowMs = 0
  const changed = createChanged(() => nowMs)
  changed.add(['a'])
  nowMs = 1
  changed.add(['b'])
  assert.deepEqual([changed.isSince('a', 0), changed.isSince('a', 0.5)], [true, false])
  assert.deepEqual([changed.isSince('b', 0.5), changed.isSince('c', 0)], [true, false])
  nowMs = 300_001
  changed.add(['c'])
  assert.deepEqual([changed.isSince('a', 0), changed.isSince('b', 0), changed.isSince('c', 0)], [false, false, true])
})
