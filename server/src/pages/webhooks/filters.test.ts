import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { EVENT_TYPES } from '../../core/event.ts'
import { ACKNOWLEDGED, noDurations } from '../../core/hook-hours.ts'
import { addHookHours } from '../../webhooks/hooks/hours.ts'
import { formOf } from '../merchant/merchant.fixture.ts'
import { openStudio, send } from './webhooks.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const rowsOf = (text: string) => text.match(/name="chosen"/g)?.length ?? 0

test('deliveries are found by state, event, day, merchant and id, and the address keeps the filters', async t => {
  const studio = await openStudio(t, world)
  const ann = await studio.developer()
  await studio.notify(3)
  studio.listener.reply = 500
  await studio.notify(2)
  const { path } = studio
  const count = async (query: string) => rowsOf((await ann.get(`${path}?${query}`)).text)
  assert.equal(await count(''), 5)
  assert.equal(await count('status=DELIVERED&event=&merchant=&from=&to=&id='), 3)
  assert.equal(await count('status=ERRORED_RETRYING'), 2)
  assert.match((await ann.get('/dev')).words, /First webhook acknowledged Done/)
  assert.equal(await count('event=APPLICATION_SUBSCRIPTION_START'), 5)
  assert.equal(await count('event=ORDER_OPENED'), 0)
  const today = world.clock.now().toISOString().slice(0, 10)
  assert.equal(await count(`from=${today}&to=${today}`), 5)
  assert.equal(await count('to=2020-01-01'), 0)
  assert.equal(await count('from=nonsense&to=2026-99-99&status=NO'), 5, 'an invalid filter is ignored')
  const [newest] = await studio.history()
  assert.equal(await count(`id=${newest.id}`), 1)
  assert.equal(await count(`id=${newest.resourceId.toUpperCase()}`), 1)
  assert.equal(await count('id=%3Cscript%3E'), 0)
  assert.equal(await count('merchant=nobody-has-this-name'), 0)
  const { text } = await ann.get(`${path}?status=DELIVERED&event=APPLICATION_SUBSCRIPTION_START`)
  assert.match(text, /<option value="DELIVERED" selected>/)
  assert.match(text, /Remove the filter/)
})

test('selected deliveries are redelivered once, and tests and foreign ids are skipped', async t => {
  const studio = await openStudio(t, world)
  const ann = await studio.developer()
  await studio.notify(3)
  const { path } = studio
  await ann.send(`${path}/test`)
  const [testId, one, two] = (await studio.history()).map(({ id }: { id: string }) => id)
  const other = await openStudio(t, world)
  await other.notify(1)
  const [foreign] = await other.history()
  const { hidden } = formOf((await ann.get(path)).text, `${path}/resend/chosen`) ?? assert.fail('the bar')
  const press = async (...chosen: string[]) => {
    const fields = new URLSearchParams({ ...hidden })
    for (const id of chosen) fields.append('chosen', id)
    const { headers } = await world.app.http.inject({
      ...{ method: 'POST', url: `${path}/resend/chosen`, payload: fields.toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: `tillhook=${ann.person.token}` },
    })
    return String(headers.location)
  }
  const before = studio.listener.received.length
  assert.equal(await press(one, two, two, testId, foreign.id, 'x'), `${path}?sent=2&skipped=3`)
  await send(world)
  assert.equal(studio.listener.received.length, before + 2)
  assert.match((await ann.get(`${path}?sent=2&skipped=3`)).words, /2 deliveries are sent again/)
  assert.match(await press(), /sent=0/)
  const vic = await studio.developer('VIEWER')
  assert.equal(rowsOf((await vic.get(path)).text), 0)
})

test('a sample of each event type is sent at once, signed, and counts as a test', async t => {
  const studio = await openStudio(t, world)
  const ann = await studio.developer()
  const { path, hookId } = studio
  for (const eventType of ['APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS', 'ORDER_OPENED'] as const) {
    const sent = await ann.send(`${path}/test`, { eventType })
    assert.match(sent.location, /\/notifications\//)
    const response = studio.listener.received.at(-1) ?? assert.fail('nothing was received')
    const body = response.body
    assert.equal(body.eventType, eventType)
    assert.equal(body.links.length, eventType === 'ORDER_OPENED' ? 1 : 2)
    assert.equal('deviceId' in body, eventType === 'ORDER_OPENED')
    const page = await ann.get(sent.location)
    assert.match(page.words, /A test is sent once/)
    assert.match(page.words, /Service-Webhook-Signature/)
    const signature = createHmac('sha1', 'a secret word').update(response.text).digest('base64')
    assert.ok(page.text.includes(signature.replaceAll('=', '&#61;')) || page.text.includes(signature))
    assert.ok(page.text.includes(String(response.headers['webhook-signature'])))
    assert.ok(page.text.includes(String(response.headers['service-request-id'])))
    assert.ok(!page.text.includes('a secret word'))
  }
  assert.equal((await studio.history()).length, 2)
  assert.ok(EVENT_TYPES.length < 28, 'within the limit of tests')
  for (const eventType of EVENT_TYPES) {
    const answer = await world.call('POST', `/hooks/${hookId}/test`, { eventType }, 200)
    assert.equal(answer.acknowledged, true, eventType)
  }
  assert.equal(
    (await world.call('POST', `/hooks/${hookId}/test`, { eventType: 'NONE' }, 400)).code,
    'INVALID_PARAMETER',
  )
  assert.match((await ann.get(path)).words, /sample/)
})

test('a failed delivery shows its reason and advice, and its headers have no signature after the secret was replaced', async t => {
  const studio = await openStudio(t, world)
  const ann = await studio.developer()
  studio.listener.reply = 401
  await studio.notify(2)
  const [newer, older] = await studio.history()
  const page = await ann.get(studio.pathOf(newer.id))
  assert.match(page.words, /Why it failed The listener rejected the signature/)
  assert.ok(page.text.includes(studio.pathOf(older.id)), 'a link to the older delivery')
  assert.ok((await ann.get(studio.pathOf(older.id))).text.includes(studio.pathOf(newer.id)))
  world.clock.set(new Date(world.clock.now().getTime() + 1_000))
  await world.call('PATCH', `/hooks/${studio.hookId}`, { secret: 'another secret' })
  const later = await ann.get(studio.pathOf(newer.id))
  assert.match(later.words, /The secret was replaced since/)
  assert.match(later.words, /webhook-id/)
  assert.doesNotMatch(later.words, /webhook-signature: /)
})

test('the endpoint shows its last 48 hours as charts with tables', async t => {
  const studio = await openStudio(t, world)
  const ann = await studio.developer()
  const hour = new Date(Math.floor(world.clock.now().getTime() / 3_600_000) * 3_600_000)
  const durations = noDurations().map(() => 1)
  await addHookHours(world.app.ports.db.sql, [
    { hookId: studio.hookId, hour, outcome: ACKNOWLEDGED, attempts: 7, durations },
    { hookId: studio.hookId, hour, outcome: 'timeout', attempts: 3, durations },
  ])
  const { words, text } = await ann.get(studio.path)
  assert.match(words, /Last 48 hours Attempts by outcome/)
  assert.match(words, /No response within 2 seconds/)
  assert.match(text, /role="img"/)
})

test('a URL can be tested before its registration, and the test registers nothing', async t => {
  const studio = await openStudio(t, world)
  const ann = await studio.developer()
  const path = `/dev/apps/${studio.uuid}/endpoint`
  const tried = (deliveryUrl: string) => ann.send(path, { deliveryUrl, eventTypes: 'ORDER_OPENED', do: 'check' }, path)
  assert.match((await tried(studio.listener.url)).words, /The URL works/)
  studio.listener.reply = 401
  assert.match((await tried(studio.listener.url)).words, /The URL can be reached It answered 401/)
  const closed = await tried('http://127.0.0.1:9/hooks')
  assert.match(closed.words, /The URL does not work.*Nothing listens/)
  assert.match(closed.text, /value="http:\/\/127\.0\.0\.1:9\/hooks"/)
  assert.match((await tried('http://10.0.0.1/')).words, /problem with your entries/)
  assert.equal((await world.call('GET', `/hooks?applicationId=${studio.appId}`)).hooks.length, 1)
})
