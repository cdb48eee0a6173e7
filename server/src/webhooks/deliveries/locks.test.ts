import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { untilWaiting } from '../../../test/support/waiting.ts'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { saveHookHealth } from '../hooks/health.ts'
import { deleteHook } from '../notifications/delete-hook.ts'
import { recordNotifications } from '../notifications/record.ts'
import { registerHook } from '../notifications/register-hook.ts'
import { changeHook } from '../redeliveries/change-hook.ts'
import { type FinishedAttempt, saveAttempts } from './save.ts'
import { claimAll, outcomesOf, progressOf, until } from './sender.fixture.ts'

const DELIVERY_URL = 'http://127.0.0.1:9/'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside, hook_health`)

type Work = (ports: Webhooks['ports']) => Promise<unknown>

/**
 * Two that are begun one after the other, each until it waits, while `hold` is locked; then that is given back. Returns how often each was
 * tried: once, unless it waited for the other, who waited for it.
 */
async function triesOfBoth(hold: (sql: Sql) => Promise<unknown>, [first, second]: [Work, Work]): Promise<number[]> {
  const tries = [0, 0]
  const begin = (work: Work, nth: 0 | 1) => {
    const transaction: Db['transaction'] = within =>
      webhooks.db.transaction(tx => {
        tries[nth] = (tries[nth] ?? 0) + 1
        return within(tx)
      })
    return work({ ...webhooks.ports, db: { ...webhooks.db, transaction } })
  }
  const begun: Promise<unknown>[] = []
  await webhooks.db.transaction(async ({ sql }) => {
    await hold(sql)
    begun.push(begin(first, 0))
    await untilWaiting(webhooks.db.sql, 1)
    begun.push(begin(second, 1))
    await Promise.race([begun[1], untilWaiting(webhooks.db.sql, 2)])
  })
  await Promise.all(begun)
  return tries
}

/** A hook, and so many notifications of it that are under way. */
async function underWay(many: number) {
  const of = await newListening(webhooks)
  const hookId = await newHook(webhooks, of.app, { applicationId: of.appId, deliveryUrl: DELIVERY_URL })
  for (let nth = 0; nth < many; nth++) await webhooks.record(billingEvent(webhooks, of))
  const claimed = await claimAll(webhooks)
  const attempts = claimed
    .filter(delivery => delivery.hookId === hookId)
    .toSorted((one, other) => (one.notificationId < other.notificationId ? -1 : 1))
    .map(({ notificationId, leaseId, recordedAt }): FinishedAttempt => {
      const [attemptedAt, finishedAt] = [webhooks.now(), webhooks.now()]
      return {
        ...{ notificationId, hookId, leaseId, recordedAt, stoodAside: false, attemptId: v7(), attempt: 1 },
        ...{ attemptedAt, durationMs: 1, httpStatus: 200, answer: '', finishedAt, acknowledged: true },
        next: { status: 'DELIVERED' },
      }
    })
  return { ...of, hookId, attempts }
}

/** Its breaker was open, and now it is time for a probe. */
async function openBreaker(hookId: string): Promise<void> {
  const failure = { hookId, leaseId: v7(), acknowledged: false, durationMs: 1, word: '500', at: webhooks.now() }
  await webhooks.db.transaction(({ sql }) => saveHookHealth(sql, Array(5).fill(failure), webhooks.now()))
  webhooks.pass(60_000)
}

const healthOf = (hookId: string) => (sql: Sql) => sql`select from hook_health where hook_id = ${hookId} for update`

test('a hook is given another address while a claim takes a probe of it, and neither waits for the other in turn', async () => {
  const { hookId, uuid: appId, ...of } = await underWay(0)
  await webhooks.record(billingEvent(webhooks, { uuid: appId, ...of }))
  await openBreaker(hookId)
  // As of a process whose clock is ahead: due for a claim, and still to be made due.
  const soon = new Date(webhooks.now().getTime() + 5_000)
  await webhooks.db.sql`update deliveries set due_at = ${soon}`
  const tries = await triesOfBoth(healthOf(hookId), [
    ports => changeHook(ports, { appId, hookId }, { deliveryUrl: `${DELIVERY_URL}new` }),
    ({ db }) => claimAll({ ...webhooks, db: { ...webhooks.db, ...db } }),
  ])
  assert.deepEqual(tries, [1, 1])
})

/** What it missed is under way still. */
async function disabledOnesUnderWay() {
  const made = await underWay(1)
  await openBreaker(made.hookId)
  await webhooks.db.sql`
    update hooks set active = false, disabled_reason = 'failing', off_since = ${webhooks.now()} where hook_id = ${made.hookId}`
  return made
}

for (const [how, acknowledged] of [
  ['was acknowledged', true],
  ['failed', false],
] as const) {
  test(`an attempt that ${how} is saved while its hook is switched on, registered again or deleted, and neither waits for the other in turn`, async () => {
    const ways = [
      (of: { uuid: string; hookId: string }) => (ports: Webhooks['ports']) =>
        changeHook(ports, { appId: of.uuid, hookId: of.hookId }, { active: true, resendMissed: true }),
      (of: { appId: string; eventTypes: string[] }) => (ports: Webhooks['ports']) =>
        registerHook(ports, {
          ...{ appId: of.appId, deliveryUrl: DELIVERY_URL, secret: 'shhh', eventTypes: of.eventTypes },
        }),
      (of: { hookId: string }) => (ports: Webhooks['ports']) => deleteHook(ports, of.hookId),
    ]
    for (const way of ways) {
      for (const order of ['SAVED_FIRST', 'SAVED_LAST']) {
        const made = await disabledOnesUnderWay()
        const [hook] = await webhooks.db.sql<{ eventTypes: string[] }[]>`
          select event_types as "eventTypes" from hooks where hook_id = ${made.hookId}`
        const change = way({ ...made, appId: made.uuid, eventTypes: hook?.eventTypes ?? [] })
        const next = acknowledged ? ({ status: 'DELIVERED' } as const) : { dueAt: webhooks.now() }
        const attempts = made.attempts.map(attempt => ({ ...attempt, acknowledged, next }))
        const save: Work = ports => saveAttempts(ports, attempts, webhooks.now())
        const tries = await triesOfBoth(
          healthOf(made.hookId),
          order === 'SAVED_FIRST' ? [save, change] : [change, save],
        )
        assert.deepEqual(tries, [1, 1], order)
      }
    }
  })
}

test('attempts that are saved while their hook is deleted may wait for each other in turn: one of both is tried again, and nothing is lost', async () => {
  const { hookId, attempts } = await underWay(3)
  const [oldest, held, youngest] = attempts
  assert.ok(oldest && held && youngest)
  const tries = await triesOfBoth(
    sql => sql`select from deliveries where notification_id = ${held.notificationId} for update`,
    [
      ports => deleteHook(ports, hookId),
      // As they came, which is in any order.
      ports => saveAttempts(ports, [youngest, oldest], webhooks.now()),
    ],
  )
  assert.deepEqual(tries.toSorted(), [1, 2])
  const outcomes = await outcomesOf(webhooks, hookId)
  assert.equal(outcomes.length, 3)
  assert.equal(
    (
      await webhooks.db
        .sql`select from attempts where attempt_id = any(${[youngest, oldest].map(({ attemptId }) => attemptId)}::uuid[])`
    ).length,
    2,
  )
  assert.equal((await webhooks.db.sql`select from deliveries where hook_id = ${hookId}`).length, 0)
})

test('what is given back while somebody waits for it in turn is given back all the same', async t => {
  const held: ServerResponse[] = []
  const listener = await openListener(t, (_got, response) => void held.push(response))
  const of = await newListening(webhooks)
  const hookId = await newHook(webhooks, of.app, { applicationId: of.appId, deliveryUrl: listener.url })
  const handOff = webhooks.sender({ maxUnderWayPerHook: 1 })
  handOff.start()
  t.after(() => handOff.stop())
  t.after(() => held.map(response => response.writeHead(200).end()))
  const events = [1, 2, 3].map(() => billingEvent(webhooks, of))
  await webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, handOff }, events))
  await until(async () => held.length === 1 && handOff.state().waiting === 2)
  const [, older, younger] = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from deliveries where hook_id = ${hookId} order by notification_id`
  assert.ok(older && younger)
  const leases = async () => (await progressOf(webhooks, hookId)).filter(({ leaseId }) => leaseId !== null).length
  assert.equal(await leases(), 3)
  const lock = (sql: Sql, id: string) => sql`select from deliveries where notification_id = ${id} for update`
  await webhooks.db.transaction(async ({ sql }) => {
    // Which of two is ended is the one whose patience ends first.
    await sql`select set_config('deadlock_timeout', '60s', true)`
    await lock(sql, younger.id)
    handOff.forget([hookId])
    await untilWaiting(webhooks.db.sql, 1)
    await lock(sql, older.id)
  })
  await until(async () => (await leases()) === 1)
})
