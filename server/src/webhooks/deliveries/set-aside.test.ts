import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import { claimAll, outcomesOf, progressOf } from './sender.fixture.ts'
import { setAside } from './set-aside.ts'
import { endDeliveriesOfHook } from './store.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside`)

const error = new Error('broken')

/** Two deliveries of a hook that a claim has taken. */
async function taken() {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(billingEvent(webhooks, app), billingEvent(webhooks, app))
  const claimed = await claimAll(webhooks)
  return {
    hookId,
    claimed,
    setAside: () =>
      setAside(
        webhooks.ports,
        claimed.map(delivery => ({ delivery, error })),
      ),
  }
}

const aside = () =>
  webhooks.db.sql`select row_id as id, failures from set_aside where kind = 'delivery' order by row_id`

test('what has ended meanwhile does not stand aside', async () => {
  const { hookId, setAside } = await taken()
  await endDeliveriesOfHook(webhooks.db.sql, { hookId, reason: 'hook_deleted', now: webhooks.now() })
  await setAside()
  assert.deepEqual([...(await aside())], [])
})

test('what another process has taken since, as the lease was over, is not set aside by the one before', async () => {
  const { hookId, claimed, setAside } = await taken()
  webhooks.pass(31_000)
  const again = await claimAll(webhooks)
  assert.equal(again.length, claimed.length)
  await setAside()
  assert.deepEqual([...(await aside())], [])
  assert.deepEqual(
    (await progressOf(webhooks, hookId)).map(({ leaseId }) => leaseId),
    again.map(({ leaseId }) => leaseId),
  )
})

test('past its 72 h it ends, and nothing of it is left aside; one that is younger stays', async () => {
  const { hookId, claimed, setAside } = await taken()
  await setAside()
  assert.deepEqual(
    (await aside()).map(({ failures }) => failures),
    [1, 1],
  )
  webhooks.pass(60_000)
  const [first] = claimed.map(({ notificationId }) => notificationId).sort()
  await webhooks.db.sql`
    update deliveries set recorded_at = ${new Date(webhooks.now().getTime() - 73 * 3_600_000)}
    where notification_id = ${first ?? ''}`
  const again = await claimAll(webhooks)
  await Promise.all(again.map(delivery => setAsideOne(delivery)))
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED unsendable 0'])
  assert.deepEqual(
    (await aside()).map(({ failures }) => failures),
    [2],
  )
})

const setAsideOne = (delivery: Parameters<typeof setAside>[1][number]['delivery']) =>
  setAside(webhooks.ports, [{ delivery, error }])
