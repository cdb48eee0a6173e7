import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Lane } from './lane.ts'
import { NO_TURNS, turnsAfter } from './turns.ts'

const taken = (lane: Lane, ...hookIds: string[]) => hookIds.map(hookId => ({ hookId, lane }))

test('the last turn of a lane is its own, and is kept where the lane took nothing', () => {
  const first = turnsAfter([...taken('FIRST', 'b', 'a', 'b'), ...taken('RETRY', 'z')], NO_TURNS)
  assert.deepEqual(first, { ...NO_TURNS, FIRST: 'b', RETRY: 'z' })
  const second = turnsAfter(taken('FIRST', 'c', 'd'), first)
  assert.deepEqual(second, { ...first, FIRST: 'd' })
  assert.deepEqual(turnsAfter([], second), second)
})

test('a claim that has come round to the first hooks ends with the last of those', () => {
  const before = { ...NO_TURNS, FIRST: 'm' }
  assert.equal(turnsAfter(taken('FIRST', 'x', 'a', 'b'), before).FIRST, 'b')
  assert.equal(turnsAfter(taken('FIRST', 'x', 'a', 'm'), before).FIRST, 'm')
})

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries`)

/** Hooks of two tenants, in the order of their turns, each with so many first attempts due; and how many are left of each. */
async function queued({ hooks, each }: { hooks: number; each: number }) {
  const apps = [await newListening(webhooks), await newListening(webhooks)]
  const hookIds: string[] = []
  for (let n = 0; n < hooks; n++) {
    const app = apps[n % 2] ?? assert.fail()
    const deliveryUrl = `http://127.0.0.1:9/${n}`
    hookIds.push(await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl }))
  }
  hookIds.sort()
  const events = apps.flatMap(app => Array.from({ length: each }, () => billingEvent(webhooks, app)))
  await webhooks.record(...events)
  const left = async (lane: Lane) => {
    const rows = await webhooks.db.sql<{ hookId: string; many: number }[]>`
      select hook_id as "hookId", count(*)::integer as many from deliveries where lane = ${lane} group by hook_id`
    const byHook = new Map(rows.map(({ hookId, many }) => [hookId, many]))
    return hookIds.map(hookId => byHook.get(hookId) ?? 0)
  }
  return { last: hookIds.at(-1) ?? assert.fail(), left }
}

async function claimAndSend(times: number, maxUnderWay: number): Promise<void> {
  const outcome = { kind: 'answered', httpStatus: 200, answer: '', durationMs: 2 } as const
  const sender = webhooks.sender({ maxUnderWay, post: async () => outcome })
  for (let claim = 0; claim < times; claim++) await sender.runOnce()
}

test('no hook is sent three first attempts before each was sent two, whatever the last one has to be tried again', async () => {
  const { last, left } = await queued({ hooks: 17, each: 3 })
  await webhooks.db.sql`update deliveries set lane = 'RETRY', attempts = 1 where hook_id = ${last}`
  await claimAndSend(4, 8)
  assert.deepEqual(await left('FIRST'), [...Array(16).fill(1), 0])
  assert.deepEqual(await left('RETRY'), Array(17).fill(0))
})

test('each hook has its turn among those that are tried again, however many more first attempts a claim takes', async () => {
  const { left } = await queued({ hooks: 8, each: 6 })
  await webhooks.db.sql`
    update deliveries set lane = 'RETRY', attempts = 1
    where notification_id in (
      select d.notification_id from (
        select notification_id, row_number() over (partition by hook_id order by notification_id) as nth from deliveries) as d
      where d.nth <= 3)`
  await claimAndSend(4, 4)
  assert.deepEqual([await left('FIRST'), await left('RETRY')], [Array(8).fill(1), Array(8).fill(2)])
})
