import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  anyAddress,
  inviteTo,
  newEmail,
  newPerson,
  PASSWORD,
  type Person,
  proveSecondFactor,
  signIn,
} from '../../../test/support/people.ts'
import { fieldsOf, newVisitor } from '../../../test/support/visitor.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { purgeDeviceLogins } from './store.ts'

const AGENT = 'Tillhook-CLI/0.1.0 (Linux)'
const MINUTE_MS = 60_000

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const pass = (ms: number) => world.clock.set(new Date(world.clock.now().getTime() + ms))
const developer = async (role: 'ADMIN' | 'VIEWER' = 'ADMIN') => {
  const { organizationId } = await world.developer('Lakeside')
  return newPerson(world, { kind: 'DEVELOPER', organizationId }, role)
}

async function start() {
  const { status, body } = await world.ask(null, 'POST', '/device-logins', {
    headers: { 'user-agent': AGENT },
    from: anyAddress(),
  })
  assert.equal(status, 201)
  return body
}

/** After the interval of the last poll. */
async function poll(deviceCode: string, afterMs = 5_000) {
  pass(afterMs)
  return world.ask(null, 'POST', '/device-logins/token', { body: { deviceCode }, from: anyAddress() })
}

async function pollsTo(deviceCode: string, code: string) {
  const { status, body } = await poll(deviceCode)
  assert.deepEqual([status, body.code, body.error], [400, code, code.toLowerCase()])
}

async function decide(person: Pick<Person, 'token'>, userCode: string, decision: 'APPROVED' | 'DENIED') {
  const browser = newVisitor(world.app, person.token)
  const { body } = await browser.get(`/device?code=${userCode}`)
  return browser.post('/device', { ...fieldsOf(body, '/device'), decision })
}

test('an approved login gives one session of the person, in the workspace that the page showed', async () => {
  const dora = await developer()
  const login = await start()
  assert.match(login.deviceCode, /^[\w-]{43}$/)
  assert.match(login.userCode, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
  assert.equal(login.verificationUri, `${world.app.ports.settings.baseUrl}/device`)
  assert.equal(login.verificationUriComplete, `${login.verificationUri}?code=${login.userCode}`)
  assert.deepEqual([login.expiresIn, login.interval], [900, 5])
  await pollsTo(login.deviceCode, 'AUTHORIZATION_PENDING')

  const browser = newVisitor(world.app, dora.token)
  const { body } = await browser.get(`/device?code=${login.userCode.toLowerCase().replace('-', ' ')}`)
  for (const shown of [login.userCode, 'Lakeside', 'administrator', dora.email, 'Create keys of your apps']) {
    assert.ok(body.includes(shown), shown)
  }
  const approved = await browser.post('/device', { ...fieldsOf(body, '/device'), decision: 'APPROVED' })
  assert.deepEqual([approved.statusCode, approved.headers.location], [303, '/device?said=APPROVED'])

  const { status, body: opened, headers } = await poll(login.deviceCode)
  assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
  assert.match(opened.token, /^ses_/)
  assert.equal(opened.agent, AGENT)
  assert.equal(opened.membership.membershipId, dora.membershipId)
  assert.equal((await world.ask(opened.token, 'GET', '/apps')).status, 200)
  await pollsTo(login.deviceCode, 'EXPIRED_TOKEN')

  const account = (await browser.get('/account')).body
  assert.match(account, /Command line, Linux/)
  const end = { ...fieldsOf(account, '/account/sessions/end'), sessionId: opened.sessionId }
  assert.equal((await browser.post('/account/sessions/end', end)).statusCode, 303)
  assert.equal((await world.ask(opened.token, 'GET', '/apps')).status, 401)
})

test('a denied, an expired and an unknown login give no session', async () => {
  const dora = await developer()
  const denied = await start()
  assert.equal((await decide(dora, denied.userCode, 'DENIED')).headers.location, '/device?said=DENIED')
  await pollsTo(denied.deviceCode, 'ACCESS_DENIED')

  const late = await start()
  await decide(dora, late.userCode, 'APPROVED')
  pass(15 * MINUTE_MS)
  await pollsTo(late.deviceCode, 'EXPIRED_TOKEN')
  await pollsTo('nothing', 'EXPIRED_TOKEN')
  const { status, body } = await world.ask(null, 'POST', '/device-logins/token', { body: {}, from: anyAddress() })
  assert.deepEqual([status, body.fields[0].path], [400, 'deviceCode'])
})

test('a poll before the interval gets slow_down, and does not delay the next', async () => {
  const { deviceCode } = await start()
  await pollsTo(deviceCode, 'AUTHORIZATION_PENDING')
  assert.equal((await poll(deviceCode, 2_000)).body.code, 'SLOW_DOWN')
  assert.equal((await poll(deviceCode, 2_000)).body.code, 'AUTHORIZATION_PENDING')
})

test('ten polls at once give one session', async () => {
  const dora = await developer()
  const login = await start()
  await decide(dora, login.userCode, 'APPROVED')
  const polls = await Promise.all(Array.from({ length: 10 }, () => poll(login.deviceCode, 0)))
  assert.deepEqual(polls.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)])
  const { list } = (await world.ask(dora.token, 'GET', '/sessions')).body
  assert.equal(list.filter(({ agent }: { agent: string }) => agent === AGENT).length, 1)
})

test('a decided code is unknown to everybody, so nobody else approves, sees or denies the login', async () => {
  const [dora, eve] = [await developer(), await developer()]
  const login = await start()
  const seen = newVisitor(world.app, eve.token)
  const fields = fieldsOf((await seen.get(`/device?code=${login.userCode}`)).body, '/device')
  await decide(dora, login.userCode, 'APPROVED')
  for (const decision of ['APPROVED', 'DENIED']) {
    assert.equal((await seen.post('/device', { ...fields, decision })).statusCode, 404, decision)
  }
  assert.equal((await seen.get(`/device?code=${login.userCode}`)).statusCode, 404)
  assert.equal((await poll(login.deviceCode)).body.user.email, dora.email)
})

test('a login approved before a new password, a sign-out or a removal gives no session', async () => {
  const ends: ((person: Person) => Promise<unknown>)[] = [
    ({ token }) => world.ask(token, 'DELETE', '/sessions/current'),
    async ({ email }) => {
      const { token } = await signIn(world, email)
      const body = { password: PASSWORD, newPassword: `${PASSWORD}!` }
      assert.equal((await world.ask(token, 'POST', '/users/current/password', { body })).status, 204)
    },
    ({ membershipId }) => world.ask(OPERATOR_KEY, 'DELETE', `/memberships/${membershipId}`),
    ({ userId }) => world.call('PATCH', `/users/${userId}`, { status: 'DISABLED' }),
  ]
  for (const end of ends) {
    const { organizationId } = await world.developer('Lakeside')
    await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
    const dora = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
    const login = await start()
    await decide(dora, login.userCode, 'APPROVED')
    await end(dora)
    await pollsTo(login.deviceCode, 'ACCESS_DENIED')
  }
})

test('a workspace switched in another tab is shown again before anything is approved', async () => {
  const email = newEmail()
  const { organizationId } = await world.developer('Lakeside')
  const dora = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER', { email })
  const other = await world.developer('Hillside')
  const kind = { kind: 'DEVELOPER', organizationId: other.organizationId } as const
  const { secret } = await inviteTo(world, kind, 'ADMIN', { email })
  const joined = await world.ask(null, 'POST', '/memberships', { body: { secret, password: PASSWORD } })
  assert.equal(joined.status, 201, joined.text)
  const login = await start()
  const browser = newVisitor(world.app, dora.token)
  const { body } = await browser.get(`/device?code=${login.userCode}`)
  assert.match(body, /Change nothing but your own account/)
  const { membershipId } = joined.body
  await world.ask(dora.token, 'PATCH', '/sessions/current', { body: { membershipId } })
  const again = await browser.post('/device', { ...fieldsOf(body, '/device'), decision: 'APPROVED' })
  assert.equal(again.statusCode, 409)
  assert.match(again.body, /You work for Hillside now/)
  await pollsTo(login.deviceCode, 'AUTHORIZATION_PENDING')
  const fields = fieldsOf(again.body, '/device')
  assert.equal((await browser.post('/device', { ...fields, decision: 'APPROVED' })).statusCode, 303)
  assert.equal((await poll(login.deviceCode)).body.membership.workspaceName, 'Hillside')
})

test('a merchant is told that the command line is not for merchants, and cannot approve', async () => {
  const { businessId } = await world.merchant()
  const max = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
  const login = await start()
  const browser = newVisitor(world.app, max.token)
  const asked = await browser.get(`/device?code=${login.userCode}`)
  assert.equal(asked.statusCode, 403)
  assert.match(asked.body, /The command line is for app developers and for the operator/)
  const { csrf = '' } = fieldsOf(asked.body, '/sign-out')
  const { membershipId } = max
  const pressed = await browser.post('/device', { csrf, code: login.userCode, membershipId, decision: 'APPROVED' })
  assert.deepEqual([pressed.statusCode, pressed.body.includes('Not for merchants')], [403, true])
  await pollsTo(login.deviceCode, 'AUTHORIZATION_PENDING')
})

test('the session has the second factor of the session that approved', async () => {
  const olga = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  const before = await start()
  await decide(olga, before.userCode, 'APPROVED')
  const weak = (await poll(before.deviceCode)).body
  assert.equal(weak.isMfaVerified, false)
  assert.equal((await world.ask(weak.token, 'GET', '/apps')).status, 403)

  await proveSecondFactor(world, olga)
  const later = await start()
  await decide(olga, later.userCode, 'APPROVED')
  const strong = (await poll(later.deviceCode)).body
  assert.equal(strong.isMfaVerified, true)
  assert.equal((await world.ask(strong.token, 'GET', '/apps')).status, 200)
})

test('guesses of codes are throttled per person, and own codes in between change nothing', async () => {
  const dora = await developer()
  const browser = newVisitor(world.app, dora.token)
  const statuses = []
  for (let i = 0; i < 8; i++) {
    const own = await start()
    const seen = await browser.get(`/device?code=${own.userCode}`)
    const guessed = await browser.get('/device?code=BBBB-BBBB')
    statuses.push(seen.statusCode, guessed.statusCode)
  }
  assert.deepEqual(statuses.slice(0, 4), [200, 404, 200, 404])
  assert.deepEqual(statuses.slice(-2), [429, 429])
  const eve = await developer()
  assert.equal((await newVisitor(world.app, eve.token).get(`/device?code=${(await start()).userCode}`)).statusCode, 200)
})

test('expired logins are deleted', async () => {
  await start()
  pass(15 * MINUTE_MS + 1_000)
  const open = await start()
  assert.ok((await purgeDeviceLogins(world.app.ports)) > 0)
  assert.equal(await purgeDeviceLogins(world.app.ports), 0)
  await pollsTo(open.deviceCode, 'AUTHORIZATION_PENDING')
})
