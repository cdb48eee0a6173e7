import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { HealthSign } from '../../core/hook-health.ts'
import { saveAttempts } from '../deliveries/save.ts'
import { endDeliveriesOfHook } from '../deliveries/store.ts'
import { deleteHook } from '../notifications/delete-hook.ts'
import { findHookHealth, type HookChanges, resetHookHealth, saveHookHealth } from './health.ts'
import { deleteHookRow } from './store.ts'

const HOOKS = 20

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

function failure(hookId: string): HealthSign & { readonly hookId: string } {
  return { hookId, leaseId: hookId, acknowledged: false, durationMs: 1, word: '500', at: webhooks.now() }
}

/** As another process that saves at the same moment. */
const save = (signs: Parameters<typeof saveHookHealth>[1]) =>
  webhooks.db.transaction(({ sql }) => saveHookHealth(sql, signs, webhooks.now()))

async function newHooks(many: number): Promise<string[]> {
  const { app, appId } = await newListening(webhooks)
  const hookIds: string[] = []
  for (let hook = 0; hook < many; hook++) {
    hookIds.push(await newHook(webhooks, app, { applicationId: appId, deliveryUrl: `http://127.0.0.1:9/${hook}` }))
  }
  return hookIds
}

async function untilOneWaits(): Promise<void> {
  for (let look = 0; look < 1_000; look++) {
    const waiting = await webhooks.db.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length > 0) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  assert.fail('nobody waits')
}

test('the first failures of a hook in two processes at once are counted in a row, and the breaker that one opens stays open', async () => {
  const [hookId = ''] = await newHooks(1)
  let other: Promise<HookChanges> | undefined
  await webhooks.db.transaction(async ({ sql }) => {
    const { open, opened } = await saveHookHealth(sql, Array(5).fill(failure(hookId)), webhooks.now())
    assert.deepEqual([open, opened], [[hookId], [hookId]])
    other = save([failure(hookId)])
    await untilOneWaits()
  })
  const { open, opened } = (await other) ?? {}
  assert.deepEqual([open, opened], [[hookId], []])
  const health = (await findHookHealth(webhooks.db.sql, [hookId])).get(hookId)
  assert.deepEqual([health?.failures, health?.opened], [6, 1])
  assert.deepEqual(health?.openUntil, new Date(webhooks.now().getTime() + 5_000))
})

test('who saves the acknowledgement that closes a breaker is told of it, once, also where it was slow', async () => {
  const [quick = '', slow = '', well = ''] = await newHooks(3)
  await save([quick, slow].flatMap(hookId => Array(5).fill(failure(hookId))))
  const acknowledged = (hookId: string, durationMs: number) => ({ ...failure(hookId), acknowledged: true, durationMs })
  const closing = await save([acknowledged(quick, 1), acknowledged(slow, 1_600), acknowledged(well, 1)])
  assert.deepEqual([closing.closed.toSorted(), closing.open], [[quick, slow].toSorted(), []])
  const after = await save([acknowledged(quick, 1), acknowledged(slow, 1_600)])
  assert.deepEqual(after.closed, [])
})

test('two processes that save failures of many hooks in other orders wait for each other, and lose none', async () => {
  const hookIds = await newHooks(HOOKS)
  const signs = hookIds.map(failure)
  await Promise.all([save(signs), save(signs.toReversed()), save(signs)])
  const health = await findHookHealth(webhooks.db.sql, hookIds)
  assert.deepEqual(
    hookIds.map(hookId => health.get(hookId)?.failures),
    Array(HOOKS).fill(3),
  )
})

test('what fails at a hook that is gone leaves nothing behind', async () => {
  const [hookId = ''] = await newHooks(1)
  await webhooks.db.sql`delete from hooks where hook_id = ${hookId}`
  await save([failure(hookId)])
  assert.equal((await findHookHealth(webhooks.db.sql, [hookId])).size, 0)
})

test('a hook that is deleted while its first failure is saved leaves nothing behind, whichever ends first', async () => {
  const [deletedFirst = '', savedFirst = ''] = await newHooks(2)
  let saving: Promise<HookChanges> | undefined
  await webhooks.db.transaction(async ({ sql }) => {
    await deleteHookRow(sql, deletedFirst)
    await resetHookHealth(sql, [deletedFirst])
    saving = save([failure(deletedFirst)])
    await Promise.race([saving, untilOneWaits()])
  })
  await saving
  let deleting: Promise<unknown> | undefined
  await webhooks.db.transaction(async ({ sql }) => {
    await saveHookHealth(sql, [failure(savedFirst)], webhooks.now())
    deleting = deleteHook(webhooks.ports, savedFirst)
    await Promise.race([deleting, untilOneWaits()])
  })
  assert.equal(await deleting, undefined)
  for (const hookId of [deletedFirst, savedFirst]) {
    assert.equal((await findHookHealth(webhooks.db.sql, [hookId])).size, 0, hookId === savedFirst ? 'saved' : 'deleted')
  }
})

test('an attempt that failed is saved while its hook is deleted, and neither waits for the other in turn', async () => {
  const { app, appId, uuid, businessId } = await newListening(webhooks)
  const hookId = await newHook(webhooks, app, { applicationId: appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(billingEvent(webhooks, { uuid, businessId }))
  const [leaseId, now] = [webhooks.ports.newId(), webhooks.now()]
  const [{ notificationId } = { notificationId: '' }] = await webhooks.db.sql<{ notificationId: string }[]>`
    update deliveries set lease_id = ${leaseId}, leased_until = ${now} where hook_id = ${hookId}
    returning notification_id as "notificationId"`
  const attempt = {
    ...failure(hookId),
    notificationId,
    leaseId,
    recordedAt: now,
    stoodAside: false,
    attempt: 1,
    answer: '',
  }
  const finished = {
    ...attempt,
    attemptId: webhooks.ports.newId(),
    attemptedAt: now,
    httpStatus: 500,
    finishedAt: now,
    next: { dueAt: now },
  }
  let tries = 0
  const db: typeof webhooks.db = {
    ...webhooks.db,
    transaction: work =>
      webhooks.db.transaction(tx => {
        tries++
        return work(tx)
      }),
  }
  let saving: Promise<unknown> | undefined
  await webhooks.db.transaction(async ({ sql }) => {
    await deleteHookRow(sql, hookId)
    saving = saveAttempts({ ...webhooks.ports, db }, [finished], now)
    await untilOneWaits()
    await endDeliveriesOfHook(sql, { hookId, reason: 'hook_deleted', now })
    await resetHookHealth(sql, [hookId])
  })
  await saving
  assert.equal(tries, 1, 'no deadlock')
  assert.equal((await findHookHealth(webhooks.db.sql, [hookId])).size, 0)
})
