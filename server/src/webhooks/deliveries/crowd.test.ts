import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
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
import { recordNotifications } from '../notifications/record.ts'
import { attemptsOf, outcomesOf, until } from './sender.fixture.ts'

const PLACES = 64
/** Each of two apps has so many that hang: more than there are places, one of each. */
const HANGING = 40
const FACTS = 2
const LATER = 5
/** Longer than any place of a quick one is taken. */
const DRIPS_MS = 600

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

test('more hooks hang than there are places, unknown before: a quick one is sent what is handed off and what is queued meanwhile', t =>
  crowd(t, { acknowledgeFirst: false }))

// What drips its body has acknowledged by its headers, and keeps its place until enough is read.
test('more hooks hang than there are places, each of which acknowledged at once and dripped its body before: the same', t =>
  crowd(t, { acknowledgeFirst: true }))

async function crowd(t: TestContext, { acknowledgeFirst }: { acknowledgeFirst: boolean }): Promise<void> {
  const [well, ...sick] = await Promise.all([1, 2, 3].map(() => newListening(webhooks)))
  assert.ok(well)
  const listener = await openListener(t)
  const wellId = await newHook(webhooks, well.app, { applicationId: well.appId, deliveryUrl: listener.url })
  const sickIds: string[] = []
  for (const { app, appId } of sick) {
    for (let hook = 0; hook < HANGING; hook++) {
      sickIds.push(await newHook(webhooks, app, { applicationId: appId, deliveryUrl: `http://127.0.0.1:9/${hook}` }))
    }
  }

  const wellHasHeard = Promise.withResolvers<void>()
  let hanging = 0
  let dripping = acknowledgeFirst
  const sender = webhooks.sender({
    maxUnderWay: PLACES,
    post: async request => {
      if (request.url === listener.url) return webhooks.ports.post(request)
      if (dripping) {
        await wait(DRIPS_MS)
        return { kind: 'answered', httpStatus: 200, answer: '', durationMs: 1 }
      }
      hanging++
      await wellHasHeard.promise
      return { kind: 'answered', httpStatus: 200, answer: '', durationMs: 1 }
    },
  })
  sender.start()
  t.after(() => sender.stop())
  const handOff = (...events: Event[]) =>
    webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, handOff: sender }, events))

  await handOff(billingEvent(webhooks, well))
  await until(async () => (await outcomesOf(webhooks, wellId)).length === 1)
  if (dripping) {
    await handOff(...sick.map(app => billingEvent(webhooks, app)))
    await until(async () => (await webhooks.db.sql`select 1 from deliveries limit 1`).length === 0)
    dripping = false
  }
  for (let fact = 0; fact < FACTS; fact++) await handOff(...sick.map(app => billingEvent(webhooks, app)))
  await until(async () => hanging === (PLACES * 3) / 4)

  await handOff(...Array.from({ length: LATER }, () => billingEvent(webhooks, well)))
  await webhooks.record(...Array.from({ length: LATER }, () => billingEvent(webhooks, well)))
  sender.wake()
  await until(async () => (await outcomesOf(webhooks, wellId)).length === 1 + 2 * LATER)
  assert.deepEqual(await attemptsOf(webhooks, wellId), Array(1 + 2 * LATER).fill('1 200'))
  assert.equal(hanging, (PLACES * 3) / 4, 'those that hang have taken no more places')

  wellHasHeard.resolve()
  await until(async () => (await webhooks.db.sql`select 1 from deliveries limit 1`).length === 0)
  const told = FACTS + (acknowledgeFirst ? 1 : 0)
  for (const hookId of sickIds) assert.deepEqual(await attemptsOf(webhooks, hookId), Array(told).fill('1 200'))
  assert.equal(hanging, FACTS * sickIds.length)
}
