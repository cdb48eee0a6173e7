import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newBusiness, OPERATOR, type Tenants } from '../../../test/support/tenants.ts'
import { eventually } from '../../../test/support/waiting.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Event } from '../../core/event.ts'
import { isRejection } from '../../core/rejection.ts'
import { recordNotifications } from '../notifications/record.ts'
import { purgeStreams } from './store.ts'
import { createEventStreams, type EventStreams } from './streams.ts'

let webhooks: Webhooks
const processes: EventStreams[] = []
before(async () => {
  webhooks = await openWebhooks()
})
after(async () => {
  for (const one of processes) one.close()
  await webhooks[Symbol.asyncDispose]()
})

/** Another one is another process. */
function newProcess(): EventStreams {
  const streams = createEventStreams(webhooks.ports)
  processes.push(streams)
  return streams
}

interface Message {
  readonly id?: string
  readonly event: string
  readonly data: string
}

interface Client {
  readonly messages: Message[]
  /** The last id, as a browser keeps it. */
  cursor(): string
  notifications(): string[]
  isEnded(): boolean
  leave(): void
}

function messagesIn(text: string): Message[] {
  return text
    .split('\n\n')
    .map(block => Object.fromEntries(block.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2))))
    .filter(message => message.event !== undefined)
}

function follow(
  streams: EventStreams,
  { uuid, businessId }: { uuid: string; businessId?: string },
  after?: string,
): Promise<Client> {
  return followOf(streams, { appIds: [uuid], ...(businessId !== undefined && { businessId }) }, after)
}

async function followOf(
  streams: EventStreams,
  of: Parameters<EventStreams['open']>[0],
  after?: string,
): Promise<Client> {
  const out = await streams.open(of, { isLive: true, ...(after !== undefined && { after }) })
  assert.ok(!isRejection(out), JSON.stringify(out))
  let [text, isEnded] = ['', false]
  out.on('data', chunk => {
    text += chunk
  })
  out.on('end', () => {
    isEnded = true
  })
  const client = {
    get messages() {
      return messagesIn(text)
    },
    cursor: () => messagesIn(text).findLast(({ id }) => id !== undefined)?.id ?? '',
    notifications: () => messagesIn(text).flatMap(({ event, data }) => (event === 'notification' ? [data] : [])),
    isEnded: () => isEnded,
    leave: () => void out.destroy(),
  }
  await eventually(() => client.messages.length > 0)
  return client
}

const resourceOf = (body: string) => JSON.parse(body).resourceId

test('a notification of a stream has the id of the delivery of the same event', async () => {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  const client = await follow(newProcess(), app)
  await webhooks.record(billingEvent(webhooks, app))
  await eventually(() => client.notifications().length === 1)
  const [delivery] = await webhooks.db.sql`select notification_id as id from notifications where hook_id = ${hookId}`
  assert.equal(JSON.parse(client.notifications()[0] ?? '').id, delivery?.id)
})

test('an app without a hook receives its events on the stream with the body of a notification, and no other app does', async () => {
  const [app, other] = [await newListening(webhooks), await newListening(webhooks)]
  const streams = newProcess()
  const [client, stranger] = [await follow(streams, { uuid: app.uuid }), await follow(streams, { uuid: other.uuid })]
  const [welcome] = client.messages
  const { streamId, missed } = JSON.parse(welcome?.data ?? '')
  assert.equal(welcome?.event, 'stream')
  assert.equal(missed, false)

  const events = [billingEvent(webhooks, app), billingEvent(webhooks, app)]
  await webhooks.record(...events)
  await eventually(() => client.notifications().length === 2)
  const [first = ''] = client.notifications()
  assert.deepEqual(
    client.notifications().map(resourceOf),
    events.map(({ resourceId }) => resourceId),
  )
  const { id, links, ...body } = JSON.parse(first)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(links.length, 1)
  assert.deepEqual(
    { hookId: body.hookId, applicationId: body.applicationId, eventType: body.eventType, businessId: body.businessId },
    { hookId: streamId, applicationId: app.appId, eventType: START, businessId: app.businessId },
  )
  const [queued] = await webhooks.db.sql`select count(*) as rows from deliveries where app_id = ${app.uuid}`
  assert.equal(queued?.rows, 0)
  assert.deepEqual(stranger.notifications(), [])
})

test('a client that reconnects receives everything it missed once, also from another process', async () => {
  const app = await newListening(webhooks)
  const first = newProcess()
  const before = await follow(first, app)
  const event = billingEvent(webhooks, app)
  await webhooks.record(event)
  await eventually(() => before.notifications().length === 1)
  const cursor = before.cursor()
  first.close()
  await eventually(before.isEnded)

  webhooks.pass(HOUR_MS - 1_000)
  const missed = Array.from({ length: 3 }, () => billingEvent(webhooks, app))
  await webhooks.record(...missed)
  await purgeStreams(webhooks.ports)
  const back = await follow(newProcess(), app, cursor)
  await eventually(() => back.notifications().length >= 3)
  assert.deepEqual(
    back.notifications().map(resourceOf),
    missed.map(({ resourceId }) => resourceId),
  )
  assert.deepEqual(JSON.parse(back.messages[0]?.data ?? '').missed, false)

  back.leave()
  webhooks.pass(2 * HOUR_MS)
  const late = await follow(newProcess(), app, back.cursor())
  const { streamId, missed: hasMissed } = JSON.parse(late.messages[0]?.data ?? '')
  assert.equal(hasMissed, true)
  assert.ok(!back.cursor().startsWith(streamId), 'an ended stream is another one')
})

test('an event of a transaction that commits late is not skipped', async () => {
  const app = await newListening(webhooks)
  const client = await follow(newProcess(), app)
  const [slow, quick] = [billingEvent(webhooks, app), billingEvent(webhooks, app)]
  const held = Promise.withResolvers<void>()
  const inserted = Promise.withResolvers<void>()
  const transaction = webhooks.db.transaction(async tx => {
    await recordNotifications(tx, webhooks.ports, [slow])
    inserted.resolve()
    await held.promise
  })
  await inserted.promise
  await webhooks.record(quick)
  held.resolve()
  await transaction
  await eventually(() => client.notifications().length === 2)
  assert.deepEqual(client.notifications().map(resourceOf).sort(), [slow.resourceId, quick.resourceId].sort())
})

test('a rolled-back event reaches no stream', async () => {
  const app = await newListening(webhooks)
  const client = await follow(newProcess(), app)
  const [lost, second] = [billingEvent(webhooks, app), billingEvent(webhooks, app)]
  const undone = webhooks.db.transaction(async tx => {
    await recordNotifications(tx, webhooks.ports, [lost])
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  await webhooks.record(second)
  await eventually(() => client.notifications().length > 0)
  assert.deepEqual(client.notifications().map(resourceOf), [second.resourceId])
})

test('order events reach the apps that the merchant approved, until the approval is revoked', async () => {
  const app = await newListening(webhooks)
  const unapproved = { uuid: app.uuid, businessId: await newBusiness(webhooks as unknown as Tenants) }
  const order = (businessId: string): Event => ({
    ...{ eventType: 'ORDER_OPENED', businessId, storeId: v7(), deviceId: v7() },
    ...{ resourceId: v7(), resourceSeq: 1, occurredAt: webhooks.now() },
  })
  const process = newProcess()
  const client = await follow(process, { uuid: app.uuid })
  const opened = order(app.businessId)
  await webhooks.record(opened, order(unapproved.businessId))
  await eventually(() => client.notifications().length > 0)
  assert.deepEqual(client.notifications().map(resourceOf), [opened.resourceId])

  const cursor = client.cursor()
  client.leave()
  const billed = billingEvent(webhooks, app)
  await webhooks.record(order(app.businessId), billed)
  await webhooks.call(OPERATOR, 'DELETE', `/businesses/${app.businessId}/approvals/${app.appId}`)
  const back = await follow(process, { uuid: app.uuid }, cursor)
  await eventually(() => back.notifications().length > 0)
  assert.deepEqual(back.notifications().map(resourceOf), [billed.resourceId])
})

test("a stream of one merchant has only that merchant's events, and another app's cursor begins a new stream", async () => {
  const app = await newListening(webhooks)
  const second = await newBusiness(webhooks as unknown as Tenants)
  const streams = newProcess()
  const own = await follow(streams, app)
  await webhooks.record(billingEvent(webhooks, { ...app, businessId: second }), billingEvent(webhooks, app))
  await eventually(() => own.notifications().length > 0)
  assert.deepEqual(
    own.notifications().map(body => JSON.parse(body).businessId),
    [app.businessId],
  )

  const stranger = await newListening(webhooks)
  for (const other of [{ uuid: stranger.uuid }, { uuid: app.uuid }, { uuid: app.uuid, businessId: second }]) {
    const thief = await follow(newProcess(), other, own.cursor())
    assert.ok(!thief.cursor().startsWith(own.cursor().slice(0, 36)))
    assert.equal(JSON.parse(thief.messages[0]?.data ?? '').missed, true)
    assert.deepEqual(thief.notifications(), [])
  }
})

test('a full stream drops its oldest events and reports it', async () => {
  const app = await newListening(webhooks)
  const streams = newProcess()
  const client = await follow(streams, app)
  const cursor = client.cursor()
  client.leave()
  const events = Array.from({ length: 7 }, () => billingEvent(webhooks, app))
  for (const event of events) await webhooks.record(event)
  await purgeStreams(webhooks.ports, { keep: 3 })
  const back = await follow(streams, app, cursor)
  await eventually(() => back.notifications().length >= 3)
  assert.deepEqual(
    back.notifications().map(resourceOf),
    events.slice(-3).map(({ resourceId }) => resourceId),
  )
  const welcomes = back.messages.filter(({ event }) => event === 'stream').map(({ data }) => JSON.parse(data).missed)
  assert.deepEqual(welcomes, [false, true])
})

test('a slow client uses limited memory and receives everything', async () => {
  const app = await newListening(webhooks)
  const streams = newProcess()
  const out = (await streams.open({ appIds: [app.uuid] }, { isLive: true })) as Readable
  const events = Array.from({ length: 3_000 }, () => billingEvent(webhooks, app))
  await webhooks.record(...events)
  const other = await follow(streams, app)
  await webhooks.record(billingEvent(webhooks, app))
  await eventually(() => other.notifications().length === 1)
  assert.ok(out.readableLength < 400_000, `${out.readableLength} characters are held`)
  let text = ''
  out.on('data', chunk => {
    text += chunk
  })
  const received = () => messagesIn(text).filter(({ event }) => event === 'notification')
  await eventually(() => text.split('event: notification').length - 1 >= 3_001)
  const resources = received().map(({ data }) => resourceOf(data))
  assert.deepEqual(resources.slice(0, 3_000).sort(), events.map(({ resourceId }) => resourceId).sort())
})

test('an app has at most twenty connected streams, and the longest disconnected one is replaced', async () => {
  const app = await newListening(webhooks)
  const streams = newProcess()
  const clients = []
  for (let n = 0; n < 20; n++) clients.push(await follow(streams, app))
  const full = await streams.open({ appIds: [app.uuid] }, { isLive: true })
  assert.ok(isRejection(full) && full.rejected === 'TOO_MANY_REQUESTS')
  const [first, second] = clients
  const leave = async (client?: Client) => {
    client?.leave()
    await eventually(async () => {
      const [row] = await webhooks.db.sql`
        select count(*) as rows from event_streams
        where app_id = ${app.uuid} and expires_at > ${webhooks.now()} and connected_until is null`
      return row?.rows === 1
    })
  }
  await leave(first)
  await follow(streams, app)
  await leave(second)
  const back = await follow(newProcess(), app, first?.cursor())
  assert.equal(JSON.parse(back.messages[0]?.data ?? '').missed, true)
})

test('a new connection of a stream replaces the previous connection', async () => {
  const app = await newListening(webhooks)
  const streams = newProcess()
  const client = await follow(streams, app)
  const again = await follow(streams, app, client.cursor())
  await eventually(client.isEnded)
  await webhooks.record(billingEvent(webhooks, app))
  await eventually(() => again.notifications().length === 1)
  assert.equal(client.notifications().length, 0)
})

test('ended streams and their events are deleted', async () => {
  const app = await newListening(webhooks)
  const client = await follow(newProcess(), app)
  await webhooks.record(billingEvent(webhooks, app))
  client.leave()
  webhooks.pass(3 * HOUR_MS)
  await purgeStreams(webhooks.ports)
  const [row] = await webhooks.db.sql`
    select (select count(*) from event_streams where app_id = ${app.uuid}) as streams,
      (select count(*) from stream_events where stream_id = ${client.cursor().slice(0, 36)}) as events`
  assert.deepEqual({ ...row }, { streams: 0, events: 0 })
})

test('a stream of several apps has the events of each app for one type of merchant, and ends with the set of apps', async () => {
  const [first, second] = [await newListening(webhooks), await newListening(webhooks)]
  const other = await newListening(webhooks)
  const test = await newBusiness(webhooks as unknown as Tenants, { organizationId: first.organizationId })
  const appIds = [second.uuid, first.uuid]
  const firstProcess = newProcess()
  const client = await followOf(firstProcess, { appIds, merchantType: 'MERCHANT' })
  const tests = await followOf(firstProcess, { appIds, merchantType: 'TEST_MERCHANT' })
  const tried = billingEvent(webhooks, { ...first, businessId: test })
  const sold = [billingEvent(webhooks, first), billingEvent(webhooks, second)]
  await webhooks.record(tried, ...sold, billingEvent(webhooks, other))
  await eventually(() => client.notifications().length >= 2 && tests.notifications().length >= 1)
  assert.deepEqual(
    client.notifications().map(body => JSON.parse(body).applicationId),
    [first.appId, second.appId],
  )
  assert.deepEqual(tests.notifications().map(resourceOf), [tried.resourceId])

  // A restart while the tail is open: the next process continues.
  firstProcess.close()
  await eventually(client.isEnded)
  const missed = [billingEvent(webhooks, second), billingEvent(webhooks, first)]
  await webhooks.record(...missed)
  const back = await followOf(newProcess(), { appIds, merchantType: 'MERCHANT' }, client.cursor())
  await eventually(() => back.notifications().length >= 2)
  assert.deepEqual(
    back.notifications().map(resourceOf),
    missed.map(({ resourceId }) => resourceId),
  )
  assert.equal(JSON.parse(back.messages[0]?.data ?? '').missed, false)

  for (const of of [
    { appIds: [first.uuid], merchantType: 'MERCHANT' },
    { appIds: [...appIds, other.uuid], merchantType: 'MERCHANT' },
    { appIds, merchantType: 'TEST_MERCHANT' },
    { appIds },
  ] as const) {
    const another = await followOf(newProcess(), of, back.cursor())
    assert.equal(JSON.parse(another.messages[0]?.data ?? '').missed, true, JSON.stringify(of))
    assert.deepEqual(another.notifications(), [])
  }
})

test('a revoked approval removes order events of that app alone from a stream of several apps', async () => {
  const [first, second] = [await newListening(webhooks), await newListening(webhooks)]
  const approval = await webhooks.call(OPERATOR, 'POST', `/businesses/${first.businessId}/approvals`, {
    appId: second.appId,
  })
  assert.equal(approval.status, 201)
  const appIds = [first.uuid, second.uuid]
  const process = newProcess()
  const client = await followOf(process, { appIds })
  const cursor = client.cursor()
  client.leave()
  await webhooks.record({
    ...{ eventType: 'ORDER_OPENED', businessId: first.businessId, storeId: v7(), deviceId: v7() },
    ...{ resourceId: v7(), resourceSeq: 1, occurredAt: webhooks.now() },
  })
  await webhooks.call(OPERATOR, 'DELETE', `/businesses/${first.businessId}/approvals/${first.appId}`)
  const back = await followOf(process, { appIds }, cursor)
  await eventually(() => back.notifications().length > 0)
  assert.deepEqual(
    back.notifications().map(body => JSON.parse(body).applicationId),
    [second.appId],
  )
})
