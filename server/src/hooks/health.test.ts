import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newHook, newListening, openWebhooks, type Webhooks } from '../../test/support/webhooks.ts'
import type { HealthSign } from '../core/hook-health.ts'
import { findHookHealth, type HookChanges, saveHookHealth } from './health.ts'

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
    const { opened } = await saveHookHealth(sql, Array(5).fill(failure(hookId)), webhooks.now())
    assert.deepEqual(opened, [hookId])
    other = save([failure(hookId)])
    await untilOneWaits()
  })
  assert.deepEqual((await other)?.opened, [hookId])
  const health = (await findHookHealth(webhooks.db.sql, [hookId])).get(hookId)
  assert.deepEqual([health?.failures, health?.opened], [6, 1])
  assert.deepEqual(health?.openUntil, new Date(webhooks.now().getTime() + 5_000))
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
