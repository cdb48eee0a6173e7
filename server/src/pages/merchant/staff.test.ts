import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { formOf, visitor } from './merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T00:00:00Z' })
})
after(() => world?.close())

const usersOf = async (businessId: string) => (await world.call('GET', `/businesses/${businessId}/users`)).list
const BOB = { name: 'Bob <b>', userId: 'bob', passcode: '7391', role: 'CLERK' }

async function newShop() {
  const { businessId } = await world.merchant({ card: 'none' })
  return { businessId, ann: await visitor(world, businessId) }
}

test('an owner adds a user once by a form sent twice, changes the passcode, disables and removes the user', async () => {
  const { businessId, ann } = await newShop()
  assert.match((await ann.get('/my/staff')).words, /No staff yet/)
  const sent = { ...formOf((await ann.get('/my/staff/new')).text)?.hidden, ...BOB }
  for (let n = 0; n < 2; n++) assert.equal((await ann.post('/my/staff/new', sent)).location, '/my/staff?done=added')
  const [bob, ...others] = await usersOf(businessId)
  assert.deepEqual([bob.userId, bob.role, others.length], ['bob', 'CLERK', 0])
  const { words, text } = await ann.get('/my/staff')
  assert.match(words, /bob Clerk Active/)
  assert.ok(text.includes('Bob &lt;b&gt;'))
  const path = `/my/staff/${bob.businessUserId}`
  const edit = { name: 'Bob', passcode: '8264', role: 'MANAGER', status: 'DISABLED' }
  assert.equal((await ann.send(path, edit)).location, '/my/staff?done=saved')
  assert.match((await ann.get('/my/staff')).words, /Bob bob Manager Disabled/)
  const removal = formOf((await ann.get(`${path}/remove`)).text)?.hidden ?? assert.fail('the question')
  for (let n = 0; n < 2; n++)
    assert.equal((await ann.post(`${path}/remove`, removal)).location, '/my/staff?done=removed')
  assert.deepEqual(await usersOf(businessId), [])
})

test('wrong entries are shown and stay: an empty name, a wrong or used user id, a trivial passcode', async () => {
  const { businessId, ann } = await newShop()
  const wrong = await ann.send('/my/staff/new', { name: ' ', userId: 'b o b', passcode: '1', role: 'CLERK' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.words, /Enter a name\. Use letters, digits .* Use at least 4 characters\./)
  assert.ok(wrong.text.includes('value="b o b"'))
  assert.match((await ann.send('/my/staff/new', { ...BOB, passcode: '1234' })).words, /A thief would try/)
  await ann.send('/my/staff/new', BOB)
  assert.match((await ann.send('/my/staff/new', { ...BOB, userId: 'BOB' })).words, /has this user ID/)
  assert.equal((await usersOf(businessId)).length, 1)
})

test('a viewer can change no user, and users of another business are not found', async () => {
  const { businessId, ann } = await newShop()
  await ann.send('/my/staff/new', BOB)
  const [bob] = await usersOf(businessId)
  const path = `/my/staff/${bob.businessUserId}`
  const vera = await visitor(world, businessId, 'VIEWER')
  assert.match((await vera.get('/my/staff')).words, /bob Clerk/)
  assert.doesNotMatch((await vera.get('/my/staff')).text, /href="\/my\/staff\/[^"]+"/)
  assert.equal((await vera.get(path)).status, 403)
  const eve = (await newShop()).ann
  assert.equal((await eve.get(path)).status, 404)
  const { csrf = '' } = formOf((await eve.get('/my/staff/new')).text)?.hidden ?? {}
  const edit = { csrf, name: 'X', passcode: '', role: 'CLERK', status: 'DISABLED' }
  assert.equal((await eve.post(path, edit)).status, 404)
  await eve.post(`${path}/remove`, { csrf })
  assert.deepEqual(await usersOf(businessId), [bob])
})

test('terminals are listed by store; a terminal is closed once, a store when nothing is paid for it; viewers and others cannot', async () => {
  const { businessId, ann } = await newShop()
  assert.match((await ann.get('/my/terminals')).words, /No stores yet/)
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Harbour' })
  const device = { name: 'Till 7', serialNumber: 'S-7' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  assert.match((await ann.get('/my/terminals')).words, /Harbour .*Till 7 S-7 Not activated Never/)
  const planId = await world.plan({ scope: 'DEVICE', trialPeriodDays: 14 })
  const body = { businessId, deviceId, planId }
  const { subscriptionId } = await world.call('POST', `/apps/${world.appId}/subscriptions`, body)
  const terminal = `/my/terminals/${deviceId.slice('urn:tid:'.length)}/close`
  const store = `/my/terminals/stores/${storeId}/close`
  const vera = await visitor(world, businessId, 'VIEWER')
  assert.doesNotMatch((await vera.get('/my/terminals')).text, /\/close"/)
  assert.equal((await vera.get(terminal)).status, 403)
  const eve = (await newShop()).ann
  const { csrf = '' } = formOf((await eve.get('/my/staff/new')).text)?.hidden ?? {}
  for (const path of [terminal, store]) {
    assert.equal((await eve.get(path)).status, 404)
    assert.equal((await eve.post(path, { csrf })).status, 404)
  }
  const asked = await ann.get(terminal)
  assert.match(asked.words, /These subscriptions go on, and you keep paying for them/)
  assert.ok(asked.text.includes(`href="/my/subscriptions/${subscriptionId}"`))
  const { hidden } = formOf(asked.text) ?? assert.fail(asked.words)
  const twice = await Promise.all([ann.post(terminal, hidden), ann.post(terminal, hidden)])
  assert.deepEqual(
    twice.map(({ location }) => location),
    ['/my/terminals?done=terminal', '/my/terminals?done=terminal'],
  )
  assert.match((await ann.get('/my/terminals?done=terminal')).words, /Terminal closed .*Till 7 S-7 Closed/)
  assert.equal((await ann.get(terminal)).location, '/my/terminals')
  assert.match((await ann.get(store)).words, /Move or cancel the subscription first/)
  assert.equal((await ann.post(store, hidden)).status, 409)
  await world.call('DELETE', `/apps/${world.appId}/subscriptions/${subscriptionId}`)
  assert.equal((await ann.send(store)).location, '/my/terminals?done=store')
  assert.match((await ann.get('/my/terminals?done=store')).words, /Store closed .*Harbour \(closed\)/)
})
