import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { runRedeliveries } from '../../webhooks/redeliveries/run.ts'
import { openStudio, operator, send } from './webhooks.fixture.ts'

const HOUR_MS = 3_600_000
/** Ranges read ids, and ids hold the machine's time. */
const AT = new Date()
const hoursAgo = (hours: number) =>
  new Date(AT.getTime() - hours * HOUR_MS).toISOString().slice(0, 16).replace('T', ' ')

let world: World
before(async () => {
  world = await createWorld({ at: AT.toISOString() })
})
after(() => world?.close())

const RECENT = { since: 'DAY', which: 'ALL', startAt: '', endAt: '' }
const hiddenIn = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''

/** An endpoint with deliveries of the world's time, and the form that sends them again. */
async function open(t: Parameters<typeof openStudio>[0], times: number) {
  const studio = await openStudio(t, world)
  world.clock.set(new Date())
  await studio.notify(times)
  world.clock.set(new Date(Date.now() + 1_000))
  const path = `${studio.path}/resend`
  const range = { ...RECENT, since: 'RANGE', startAt: hoursAgo(48) }
  return { ...studio, form: path, range }
}

test('deliveries of a range are redelivered with progress, and a form sent twice starts one redelivery', async t => {
  const { listener, form, developer, appId, path } = await open(t, 2)
  assert.equal(listener.received.length, 2)
  const ann = await developer()
  assert.match((await ann.get(path)).text, new RegExp(`href="${form}"`))
  const { text } = await ann.get(form)
  const fields = { ...RECENT, csrf: hiddenIn(text, 'csrf'), once: hiddenIn(text, 'once') }
  const first = await ann.post(form, fields)
  assert.equal(first.status, 303, first.words)
  const second = await ann.post(form, fields)
  assert.equal(second.location, first.location)
  assert.equal((await world.call('GET', `/apps/${appId}/deliveries/redeliveries`)).redeliveries.length, 1)
  const running = await ann.get(first.location)
  assert.match(running.words, /Running/)
  assert.match(running.text, /data-refresh="3"/)
  await runRedeliveries(world.app.ports)
  await send(world)
  const ended = await ann.get(first.location)
  assert.match(ended.words, /Done .*Sent again 2 Skipped 0/)
  assert.doesNotMatch(ended.text, /data-refresh/)
  assert.equal(listener.received.length, 4)
})

test('a redelivery is cancelled by its button, once', async t => {
  const { form, developer } = await open(t, 1)
  const ann = await developer()
  const { location } = await ann.send(form, RECENT, form)
  const cancel = `${location}/cancel`
  assert.equal((await ann.send(location, {}, cancel)).location, location)
  const ended = await ann.get(location)
  assert.match(ended.words, /Cancelled/)
  assert.doesNotMatch(ended.text, /\/cancel"/)
  assert.equal((await ann.post(cancel, { csrf: hiddenIn((await ann.get(form)).text, 'csrf') })).status, 303)
})

test('malformed times are shown beside their fields', async t => {
  const { form, developer, range } = await open(t, 0)
  const ann = await developer()
  for (const [entered, words] of [
    [{ ...range, startAt: 'yesterday' }, /From.*must be an RFC 3339 instant/],
    [{ ...range, startAt: '' }, /From.*Problem/],
    [{ ...range, startAt: '2999-01-01 00:00' }, /must be in the past/],
    [{ ...range, endAt: hoursAgo(49) }, /must be after startAt/],
  ] as const) {
    const answered = await ann.send(form, entered, form)
    assert.equal(answered.status, 400, answered.words)
    assert.match(answered.words, words)
  }
  assert.equal((await ann.send(form, { ...RECENT, since: 'EVER' }, form)).status, 400)
  assert.equal((await ann.send(form, range, form)).status, 303)
})

test('an inactive endpoint must be switched on first, and other organizations and viewers can start and see nothing', async t => {
  const [mine, other] = [await open(t, 1), await open(t, 0)]
  const [ann, eve, viewer] = [await mine.developer(), await other.developer(), await mine.developer('VIEWER')]
  const { location } = await ann.send(mine.form, RECENT, mine.form)
  for (const path of [mine.form, location, location.replace(mine.hookId, other.hookId)]) {
    assert.equal((await eve.get(path)).status, 404, path)
  }
  const { text } = await eve.get(other.form)
  const csrf = hiddenIn(text, 'csrf')
  assert.equal((await eve.post(`${location}/cancel`, { csrf })).status, 404)
  assert.equal((await eve.post(mine.form, { ...RECENT, csrf, once: hiddenIn(text, 'once') })).status, 404)
  // The id of another organization's job neither starts nor shows a job.
  const taken = await eve.post(other.form, { ...RECENT, csrf, once: location.split('/').at(-1) ?? '' })
  assert.equal(taken.status, 404)
  assert.equal((await eve.post(other.form, { ...RECENT, once: hiddenIn(text, 'once') })).status, 403)

  assert.equal((await viewer.get(location)).status, 200)
  assert.doesNotMatch((await viewer.get(location)).text, /\/cancel"/)
  assert.equal((await viewer.get(mine.form)).status, 403)
  assert.equal((await (await operator(world)).get(location)).status, 200)
  await world.call('PATCH', `/hooks/${mine.hookId}`, { active: false })
  assert.equal((await ann.get(mine.form)).location, `${mine.path}/on`)
})

test('only failed deliveries since the endpoint began to fail can be selected', async t => {
  const { listener, form, developer, hookId, range } = await open(t, 2)
  const ann = await developer()
  assert.doesNotMatch((await ann.get(form)).words, /began to fail/)
  await world.app.ports.db.sql`
    insert into hook_health ${world.app.ports.db.sql({ hook_id: hookId, failures: 3, opened: 0, failing_since: new Date(AT.getTime() - HOUR_MS) })}`
  assert.match((await ann.get(form)).words, /Since the endpoint began to fail/)
  const resent = async (fields: Readonly<Record<string, string>>) => {
    const { location } = await ann.send(form, fields, form)
    // Jobs of other tests take turns with this one.
    for (let run = 0; run < 20 && (await runRedeliveries(world.app.ports)) > 0; run++);
    return (await ann.get(location)).words
  }
  assert.match(await resent({ ...RECENT, since: 'FAILING', which: 'ERRORED' }), /Sent again 0 /)
  assert.match(await resent({ ...range, endAt: hoursAgo(24) }), /Sent again 0 /)
  assert.match(await resent({ ...RECENT, since: 'FAILING' }), /Sent again 2 /)
  assert.equal(listener.received.length, 2)
})

test('an endpoint is edited and deleted; wrong entries are named, and another organization changes nothing', async t => {
  const { developer, hookId, path, hook } = await openStudio(t, world)
  const ann = await developer()
  const edit = `${path}/edit`
  const eventTypes = 'ORDER_OPENED'
  assert.match(
    (await ann.send(edit, { deliveryUrl: 'ftp://a.example', eventTypes }, edit)).text,
    /id="deliveryUrl-problem"/,
  )
  assert.match((await ann.send(edit, { deliveryUrl: 'http://127.0.0.1:9/a' }, edit)).words, /at least one/)
  const before = await world.call('GET', `/hooks/${hookId}`)
  const saved = await ann.send(edit, { deliveryUrl: 'http://127.0.0.1:9/b', eventTypes }, edit)
  assert.equal(saved.location, `${path}?done=edited`)
  const after = await world.call('GET', `/hooks/${hookId}`)
  assert.notEqual(before.deliveryUrl, after.deliveryUrl)
  assert.deepEqual([after.deliveryUrl, after.eventTypes], ['http://127.0.0.1:9/b', ['ORDER_OPENED']])
  const other = await hook({ deliveryUrl: 'http://127.0.0.1:9/c', eventTypes: ['ORDER_OPENED'] })
  const same = await ann.send(edit, { deliveryUrl: 'http://127.0.0.1:9/c', eventTypes }, edit)
  assert.match(same.words, /Another endpoint has this URL/)
  const eve = await (await openStudio(t, world)).developer()
  for (const what of [edit, `${path}/delete`]) assert.equal((await eve.get(what)).status, 404)
  assert.equal((await ann.send(`${path}/delete`)).location, '/webhooks?done=deleted')
  await world.call('GET', `/hooks/${hookId}`, undefined, 404)
  await world.call('GET', `/hooks/${other}`)
})

test('an event is sent again to a chosen endpoint, also to one that is newer, once for two simultaneous presses', async t => {
  const { notify, listener, developer, uuid, path, pathOf, hook, history } = await openStudio(t, world)
  await notify()
  const [{ id }] = await history()
  const ann = await developer()
  const event = `/webhooks/apps/${uuid}/events/${id}`
  assert.ok((await ann.get(pathOf(id))).text.includes(`href="${event}"`))
  const newer = await hook({ deliveryUrl: `${listener.url}/newer`, eventTypes: ['ORDER_OPENED'] })
  const shown = await ann.get(event)
  assert.match(shown.words, /Delivered 1 attempt Send again .*Not sent Send /)
  assert.ok(shown.text.includes(`href="${path}"`))

  const csrf = hiddenIn(shown.text, 'csrf')
  const sent = await Promise.all([1, 2].map(() => ann.post(event, { csrf, hookId: newer })))
  assert.deepEqual([...new Set(sent.map(({ location }) => location))], [`${event}?sent=${newer}`])
  await send(world)
  const bodies = listener.received.map(({ body }) => body)
  assert.equal(bodies.length, 2)
  assert.deepEqual({ ...bodies[1], id, hookId: bodies[0].hookId }, bodies[0])
  assert.equal(bodies[1].hookId, newer)
  assert.notEqual(bodies[1].id, id)
  assert.deepEqual(Object.keys(bodies[1]), Object.keys(bodies[0]))

  for (const hookId of [newer, bodies[0].hookId]) {
    const again = await ann.get((await ann.post(event, { csrf, hookId })).location)
    assert.match(again.words, /Queued to be sent/)
    await send(world)
  }
  assert.deepEqual(
    listener.received.slice(2).map(({ body }) => body.id),
    [bodies[1].id, id],
  )
})

test('an event is not sent to an endpoint of others or of another merchant, nor to one that is off', async t => {
  const [mine, other] = [await openStudio(t, world), await openStudio(t, world)]
  await mine.notify()
  const [{ id }] = await mine.history()
  const [ann, eve, viewer] = [await mine.developer(), await other.developer(), await mine.developer('VIEWER')]
  const event = `/webhooks/apps/${mine.uuid}/events/${id}`
  const csrf = hiddenIn((await ann.get(event)).text, 'csrf')
  await world.call('POST', `/businesses/${other.businessId}/approvals`, { appId: mine.appId })
  const ofMerchant = await mine.hook({ businessId: other.businessId, deliveryUrl: 'http://127.0.0.1:9/' })
  assert.ok(!(await ann.get(event)).text.includes(ofMerchant))
  for (const hookId of [other.hookId, ofMerchant]) assert.equal((await ann.post(event, { csrf, hookId })).status, 404)
  await world.call('PATCH', `/hooks/${mine.hookId}`, { active: false })
  assert.equal((await ann.post(event, { csrf, hookId: mine.hookId })).status, 409)
  assert.match((await ann.get(event)).words, /Switched off/)

  assert.ok([403, 404].includes((await eve.get(event)).status))
  assert.equal((await eve.get(`/webhooks/apps/${other.uuid}/events/${id}`)).status, 404)
  const seen = await viewer.get(event)
  assert.equal(seen.status, 200)
  assert.doesNotMatch(seen.text, /name="hookId"/)
  assert.equal((await (await operator(world)).get(event)).status, 200)
  const withoutDeliveries = await ann.get(`/webhooks/apps/${mine.uuid}/events/${world.app.ports.newId()}`)
  assert.equal(withoutDeliveries.status, 404)
  assert.match(withoutDeliveries.words, /No endpoint received this event/)
})
