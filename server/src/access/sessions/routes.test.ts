import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { inviteTo, newEmail, newPerson, PASSWORD, signIn, trySignIn } from '../../../test/support/people.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const HOUR_MS = 3_600_000

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const pass = (ms: number) => world.clock.set(new Date(world.clock.now().getTime() + ms))
const shop = async () =>
  ({ kind: 'MERCHANT', businessId: (await world.merchant({ card: 'none' })).businessId }) as const
const current = (token: string) => world.ask(token, 'GET', '/sessions/current')

/** The answer without the parts that differ per request. */
async function sayingOf(response: Promise<{ status: number; text: string; body: { requestId?: string } }>) {
  const { status, text, body } = await response
  return `${status} ${text.replaceAll(String(body.requestId), '')}`
}

test('an invited person signs in, and the session has the person and the role', async () => {
  const workspace = await shop()
  const { token, email, membershipId } = await newPerson(world, workspace, 'MANAGER')
  assert.match(token, /^ses_[\w-]{43}$/)
  const { status, body } = await current(token)
  assert.equal(status, 200)
  assert.deepEqual(body.membership, { membershipId, ...workspace, workspaceName: 'Corner Shop', role: 'MANAGER' })
  assert.partialDeepStrictEqual(body, { isCurrent: true, isMfaVerified: false, user: { name: 'Ann Baker', email } })
  assert.deepEqual([body.createdAt, body.expiresAt], ['2026-03-01T10:00:00Z', '2026-03-01T22:00:00Z'])
  assert.deepEqual(body.memberships, [body.membership])
})

test('a wrong password, an unknown address, a disabled person, a removed member and a foreign membership get the same response', async () => {
  const workspace = await shop()
  const [ann, bob, carl] = [
    await newPerson(world, workspace, 'OWNER'),
    await newPerson(world, workspace, 'VIEWER'),
    await newPerson(world, workspace, 'VIEWER'),
  ]
  await world.call('PATCH', `/users/${bob.userId}`, { status: 'DISABLED' })
  await world.ask(OPERATOR_KEY, 'DELETE', `/memberships/${carl.membershipId}`)
  const said = [
    await sayingOf(trySignIn(world, ann.email, { password: 'not the password' })),
    await sayingOf(trySignIn(world, newEmail())),
    await sayingOf(trySignIn(world, bob.email)),
    await sayingOf(trySignIn(world, carl.email)),
    await sayingOf(trySignIn(world, ann.email, { membershipId: bob.membershipId })),
  ]
  assert.equal(new Set(said).size, 1, said.join('\n'))
  assert.match(said[0] ?? '', /^400 .*"INVALID_CREDENTIALS"/)
  await world.call('PATCH', `/users/${bob.userId}`, { status: 'ACTIVE' })
  await signIn(world, bob.email)
})

test('the sessions of a disabled person, a removed membership and an ended session are rejected from the next request on', async () => {
  const workspace = await shop()
  const [ann, bob, carl] = [
    await newPerson(world, workspace, 'OWNER'),
    await newPerson(world, workspace, 'MANAGER'),
    await newPerson(world, workspace, 'VIEWER'),
  ]
  for (const { token } of [ann, bob, carl]) assert.equal((await current(token)).status, 200)
  await world.call('PATCH', `/users/${bob.userId}`, { status: 'DISABLED' })
  assert.equal((await world.ask(ann.token, 'DELETE', `/memberships/${carl.membershipId}`)).status, 204)
  assert.equal((await world.ask(ann.token, 'DELETE', '/sessions/current')).status, 204)
  for (const { token } of [ann, bob, carl]) {
    const { status, body } = await current(token)
    assert.deepEqual([status, body.code], [401, 'INVALID_ACCESS_TOKEN'])
  }
})

test('an enabled person signs in again, and the old sessions stay ended', async () => {
  const ann = await newPerson(world, await shop(), 'VIEWER')
  await world.call('PATCH', `/users/${ann.userId}`, { status: 'DISABLED' })
  await world.call('PATCH', `/users/${ann.userId}`, { status: 'ACTIVE' })
  assert.equal((await current(ann.token)).status, 401)
  assert.equal((await current((await signIn(world, ann.email)).token)).status, 200)
})

test('a person who is disabled during the sign-in gets the response for strangers', async () => {
  const workspace = await shop()
  await newPerson(world, workspace, 'OWNER')
  const bob = await newPerson(world, workspace, 'VIEWER')
  const { db } = world.app.ports
  const { signingIn } = await db.transaction(async ({ sql }) => {
    // Holds the person's row, for which the new session waits; their membership was read before.
    await sql`update users set updated_at = updated_at where user_id = ${bob.userId}`
    const signingIn = trySignIn(world, bob.email)
    await untilWaiting(db.sql, 1)
    await sql`update memberships set removed_at = created_at where membership_id = ${bob.membershipId}`
    return { signingIn }
  })
  const { status, body } = await signingIn
  assert.deepEqual([status, body.code], [400, 'INVALID_CREDENTIALS'])
})

test('a new role applies from the next request on', async () => {
  const workspace = await shop()
  await newPerson(world, workspace, 'OWNER')
  const bob = await newPerson(world, workspace, 'MANAGER')
  const change = () =>
    world.ask(bob.token, 'PATCH', `/businesses/${workspace.businessId}`, { body: { doingBusinessAs: 'Changed' } })
  assert.equal((await change()).status, 200)
  await world.call('PATCH', `/memberships/${bob.membershipId}`, { role: 'VIEWER' })
  assert.equal((await change()).status, 403)
  assert.equal((await world.ask(bob.token, 'GET', `/businesses/${workspace.businessId}`)).status, 200)
})

test('a session ends after twelve idle hours, and a used session after fourteen days', async () => {
  const [ann, bob] = [await newPerson(world, await shop(), 'OWNER'), await newPerson(world, await shop(), 'OWNER')]
  pass(12 * HOUR_MS - 1)
  assert.equal((await current(ann.token)).status, 200)
  pass(1)
  assert.deepEqual([(await current(ann.token)).status, (await current(bob.token)).status], [200, 401])
  for (let hours = 0; hours < 13 * 24; hours += 6) {
    pass(6 * HOUR_MS)
    assert.equal((await current(ann.token)).status, 200)
  }
  pass(11 * HOUR_MS)
  assert.equal((await current(ann.token)).status, 200)
  pass(2 * HOUR_MS)
  assert.equal((await current(ann.token)).status, 401)
})

test('guesses of one person’s password from many addresses are throttled, also for the right password', async () => {
  const { email } = await newPerson(world, await shop(), 'OWNER')
  const from = (address: string, password: string) =>
    world.app.http.inject({ method: 'POST', url: '/sessions', remoteAddress: address, payload: { email, password } })
  for (let i = 0; i < 5; i++) assert.equal((await from(`10.0.0.${i}`, 'not the password')).statusCode, 400)
  const rejected = await from('10.0.1.1', PASSWORD)
  assert.deepEqual([rejected.statusCode, rejected.headers['retry-after']], [429, '1'])
  pass(1000)
  assert.equal((await from('10.0.1.1', PASSWORD)).statusCode, 201)
  assert.equal((await from('10.0.1.1', 'not the password')).statusCode, 400)
})

test('guesses of many people’s passwords from one address are throttled', async () => {
  const { email } = await newPerson(world, await shop(), 'OWNER')
  const statuses: number[] = []
  for (let i = 0; i < 31; i++) {
    const payload = { email: newEmail(), password: PASSWORD }
    const answer = await world.app.http.inject({ method: 'POST', url: '/sessions', remoteAddress: '10.9.9.9', payload })
    statuses.push(answer.statusCode)
  }
  assert.deepEqual(statuses, [...Array(30).fill(400), 429])
  await signIn(world, email)
})

test('concurrent guesses do not get more attempts than sequential guesses', async () => {
  const { email } = await newPerson(world, await shop(), 'OWNER')
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => trySignIn(world, email, { password: 'a wrong one' })),
  )
  assert.equal(responses.filter(({ status }) => status === 400).length, 5)
  assert.equal(responses.filter(({ status }) => status === 429).length, 7)
})

test('a person with two workspaces chooses one and switches to the other, and to no third', async () => {
  const [first, second] = [await shop(), await shop()]
  const email = newEmail()
  const { token, membershipId } = await newPerson(world, first, 'OWNER', { email })
  const { secret } = await inviteTo(world, second, 'VIEWER', { email })
  const joined = await world.ask(null, 'POST', '/memberships', { body: { secret, password: PASSWORD } })
  assert.equal(joined.status, 201, joined.text)
  const stranger = await newPerson(world, await shop(), 'OWNER')

  assert.equal((await signIn(world, email)).membership.membershipId, membershipId)
  const other = joined.body.membershipId
  assert.equal((await signIn(world, email, { membershipId: other.toUpperCase() })).membership.membershipId, other)
  const choose = (id: string) => world.ask(token, 'PATCH', '/sessions/current', { body: { membershipId: id } })
  assert.equal((await choose(stranger.membershipId)).body.code, 'MEMBERSHIP_NOT_FOUND')
  const chosen = await choose(other)
  assert.deepEqual([chosen.status, chosen.body.membership.businessId], [200, second.businessId])
  assert.equal((await world.ask(token, 'GET', `/businesses/${first.businessId}`)).status, 403)
  assert.equal((await world.ask(token, 'GET', `/businesses/${second.businessId}`)).status, 200)
})

test('a person lists and ends only their own sessions', async () => {
  const ann = await newPerson(world, await shop(), 'OWNER')
  const bob = await newPerson(world, await shop(), 'OWNER')
  const second = await signIn(world, ann.email)
  const { list } = (await world.ask(ann.token, 'GET', '/sessions')).body
  assert.deepEqual(
    new Map(list.map((one: { sessionId: string; isCurrent: boolean }) => [one.sessionId, one.isCurrent])),
    new Map([
      [ann.sessionId, true],
      [second.sessionId, false],
    ]),
  )
  for (const id of [bob.sessionId, v7()]) {
    assert.equal((await world.ask(ann.token, 'DELETE', `/sessions/${id}`)).body.code, 'SESSION_NOT_FOUND')
  }
  assert.equal((await world.ask(ann.token, 'DELETE', `/sessions/${second.sessionId}`)).status, 204)
  assert.deepEqual(
    [(await current(second.token)).status, (await current(ann.token)).status, (await current(bob.token)).status],
    [401, 200, 200],
  )
  assert.equal((await world.ask(ann.token, 'DELETE', `/sessions/${second.sessionId}`)).status, 404)
})

test('a key or an app has no account, and a token with an altered character is invalid', async () => {
  const { token } = await newPerson(world, await shop(), 'OWNER')
  assert.equal((await current(OPERATOR_KEY)).status, 403)
  for (const wrong of [`${token}x`, token.slice(0, -1), token.toUpperCase(), 'ses_', `ses_${'A'.repeat(43)}`]) {
    assert.equal((await current(wrong)).status, 401, wrong)
  }
})

test('the database holds no token and no password', async () => {
  const { token } = await newPerson(world, await shop(), 'OWNER')
  const { sql } = world.app.ports.db
  const rows = await sql<{ text: string }[]>`
    select s::text as text from sessions as s union all select u::text from users as u`
  assert.ok(rows.length > 1)
  assert.ok(
    rows.every(({ text }) => !text.includes(token) && !text.includes(token.slice(4)) && !text.includes(PASSWORD)),
  )
})

test('the last use is saved at most once a minute', async () => {
  const { token, sessionId } = await newPerson(world, await shop(), 'OWNER')
  const usedAt = async () => {
    const [row] = await world.app.ports.db.sql<{ usedAt: Date }[]>`
      select used_at as "usedAt" from sessions where session_id = ${sessionId}`
    return row?.usedAt.getTime()
  }
  const before = world.clock.now().getTime()
  pass(59_999)
  await current(token)
  assert.equal(await usedAt(), before)
  pass(1)
  await current(token)
  assert.equal(await usedAt(), before + 60_000)
})

test('old sessions are purged, and open sessions are kept', async () => {
  const ann = await newPerson(world, await shop(), 'OWNER')
  pass(44 * 24 * HOUR_MS + 1)
  const bob = await newPerson(world, await shop(), 'OWNER')
  assert.ok((await world.app.jobs.sessions.runOnce()) > 0)
  assert.deepEqual([(await current(ann.token)).status, (await current(bob.token)).status], [401, 200])
})
