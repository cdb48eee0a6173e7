import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Event } from '../../core/event.ts'
import { type HealthState, stateOf } from '../../core/hook-health.ts'
import { drip } from '../../platform/egress/testing/listeners.ts'
import type { HandOff } from '../../ports.ts'
import { findHookHealth } from '../hooks/health.ts'
import { recordNotifications } from '../notifications/record.ts'
import { attemptsOf, outcomesOf } from './sender.fixture.ts'

/** With the unwell, four fifths. Half of them of another app. */
const WELL = 24
const FACTS = 16
/** Fewer than what is due to the unwell: were they not held back, they would take them all. */
const PLACES = 64
/** Of those that answer: a machine that stands still for two seconds fails nothing. */
const ANSWERED_WITHIN_MS = 30_000
/** Interface, Delivery 2. */
const NEVER_ANSWERED_MS = 2_000
const SLOW_MS = 1_500
const DRIP_MS = 100
/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:9/'

interface Unwell {
  readonly name: string
  /** Absent: nothing listens. */
  readonly reply?: (response: ServerResponse) => void
  /** Each of its attempts in the history. */
  readonly attempt: '1 200' | '1 timeout' | '1 refused' | '1 reset'
  readonly state: HealthState
}

const UNWELL: readonly Unwell[] = [
  { name: 'it never answers', reply: () => {}, attempt: '1 timeout', state: 'OPEN' },
  {
    name: 'it drips its headers',
    reply: ({ socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\nx-dripped: ')
      if (socket) drip(socket, 'x', DRIP_MS)
    },
    attempt: '1 timeout',
    state: 'OPEN',
  },
  { name: 'it refuses connections', attempt: '1 refused', state: 'OPEN' },
  {
    name: 'it resets connections',
    reply: ({ socket }) => void socket?.resetAndDestroy(),
    attempt: '1 reset',
    state: 'OPEN',
  },
  {
    name: 'it answers late',
    reply: response => void setTimeout(() => response.writeHead(200).end(), SLOW_MS),
    attempt: '1 200',
    state: 'SLOW',
  },
  {
    // Decisions 7: the headers acknowledge, whatever becomes of the body.
    name: 'it drips its body',
    reply: response => {
      response.writeHead(200).flushHeaders()
      if (response.socket) drip(response.socket, '1\r\nx\r\n', DRIP_MS)
    },
    attempt: '1 200',
    state: 'HEALTHY',
  },
]

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

test('a fifth of the hooks unwell in every way: the others hear all meanwhile, once; the unwell all, once they are well', async t => {
  const [app, neighbour] = [await newListening(webhooks), await newListening(webhooks)]
  const listening = async (of: typeof app, reply: Parameters<typeof openListener>[1], url?: string) => {
    const listener = await openListener(t, reply)
    const hookId = await newHook(webhooks, of.app, { applicationId: of.appId, deliveryUrl: url ?? listener.url })
    return { listener, hookId, posts: { begun: 0, ended: 0 } }
  }
  const well = await Promise.all(Array.from({ length: WELL }, (_, n) => listening(n % 2 === 0 ? app : neighbour, 200)))
  const unwell = await Promise.all(
    UNWELL.map(async how => {
      const { reply } = how
      const one = await listening(
        app,
        (_received, response) => reply?.(response),
        reply === undefined ? NOBODY : undefined,
      )
      return { ...one, how }
    }),
  )

  // What is unwell is asked only once the others have heard all: as if its answer took however long that takes.
  const othersHaveHeard = Promise.withResolvers<void>()
  const sender = webhooks.sender({
    maxUnderWay: PLACES,
    post: async request => {
      const sick = unwell.find(({ listener, how }) => request.url === (how.reply ? listener.url : NOBODY))
      const posts = (sick ?? [...well, ...unwell].find(({ listener }) => listener.url === request.url))?.posts
      if (posts) posts.begun++
      if (sick) await othersHaveHeard.promise
      const outcome = await webhooks.ports.post({
        ...request,
        timeoutMs: sick?.how.attempt === '1 timeout' ? NEVER_ANSWERED_MS : ANSWERED_WITHIN_MS,
      })
      if (posts) posts.ended++
      return outcome
    },
  })
  sender.start()
  t.after(() => sender.stop())
  for (let fact = 0; fact < FACTS; fact++) {
    await record(sender, billingEvent(webhooks, app), billingEvent(webhooks, neighbour))
  }
  await until('the others have heard all', async () => well.every(({ listener }) => listener.received.length >= FACTS))
  assert.ok(
    unwell.every(({ posts }) => posts.begun > 0 && posts.ended === 0),
    'the unwell had been asked, and held nobody up',
  )
  othersHaveHeard.resolve()

  // Every attempt has been saved, and what failed has been counted once.
  await until('each unwell hook is known as what it is', async () => {
    const health = await findHookHealth(
      webhooks.db.sql,
      unwell.map(({ hookId }) => hookId),
    )
    return unwell.every(({ hookId, posts, how }) => {
      const of = health.get(hookId)
      const isCounted = how.state !== 'OPEN' || (of?.failures === posts.begun && posts.begun === posts.ended)
      return posts.ended > 0 && isCounted && stateOf(of, webhooks.now()) === how.state
    })
  })
  for (const { hookId, posts, how } of unwell) {
    const attempts = await attemptsOf(webhooks, hookId)
    assert.deepEqual([...new Set(attempts)], [how.attempt], how.name)
    if (how.state === 'OPEN')
      assert.ok(posts.begun >= 5 && posts.begun < FACTS, `${how.name}: ${posts.begun} before it opened`)
  }
  const givenUp = unwell.filter(({ how }) => how.state !== 'SLOW').flatMap(({ listener }) => [...listener.sockets])
  assert.ok(givenUp.length > 0)

  // All are well again; after the first step of the retries, and the first pause of a breaker.
  for (const { listener, hookId } of unwell) {
    listener.reply = 200
    await webhooks.db.sql`update hooks set delivery_url = ${listener.url} where hook_id = ${hookId}`
  }
  webhooks.pass(6_000)
  const hooks = [...well, ...unwell]
  await until('everything is delivered', async () => {
    const rows = await webhooks.db.sql`select 1 from deliveries limit 1`
    return rows.length === 0
  })
  await sender.stop()
  for (const { hookId, listener, posts } of well) {
    assert.deepEqual(await outcomesOf(webhooks, hookId), Array(FACTS).fill('DELIVERED 1'))
    assert.deepEqual([posts.begun, listener.received.length, idsOf(listener).size], [FACTS, FACTS, FACTS])
  }
  for (const { hookId, posts, how } of unwell) {
    const [outcomes, attempts] = [await outcomesOf(webhooks, hookId), await attemptsOf(webhooks, hookId)]
    assert.deepEqual(
      outcomes.map(text => text.split(' ')[0]),
      Array(FACTS).fill('DELIVERED'),
      how.name,
    )
    assert.equal(attempts.length, posts.ended, `${how.name}: each attempt is recorded once`)
    assert.equal(attempts.filter(text => text.endsWith(' 200')).length, FACTS, `${how.name}: each is acknowledged once`)
  }
  assert.equal(
    (
      await findHookHealth(
        webhooks.db.sql,
        hooks.map(({ hookId }) => hookId),
      )
    ).size,
    0,
  )
  const { underWay, waiting } = sender.state()
  assert.deepEqual([underWay.FIRST, underWay.RETRY, waiting], [0, 0, 0])
  await until('no connection that was given up is left', async () => givenUp.every(socket => socket.closed))
})

const record = (handOff: HandOff, ...events: Event[]) =>
  webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, handOff }, events))

function idsOf({ received }: Awaited<ReturnType<typeof openListener>>): Set<string> {
  return new Set(received.map(({ body }) => body.id))
}

/** Bounded far beyond what it takes. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 3_000; look++) {
    if (await holds()) return
    await wait(20)
  }
  assert.fail(`not so: ${what}`)
}
